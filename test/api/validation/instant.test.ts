import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from '../../../api/validation/instant.ts';
import { anyCharacter } from '../../support/any-character.ts';

test.each([
  ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000000Z'],
  ['2026-03-01t10:00:00z', '2026-03-01T10:00:00.000000Z'],
  ['2026-03-01T10:00:00.5Z', '2026-03-01T10:00:00.500000Z'],
  ['2026-03-01T10:00:00.000001Z', '2026-03-01T10:00:00.000001Z'],
  ['2026-03-01T10:00:00.999999999Z', '2026-03-01T10:00:00.999999Z'],
  ['2026-03-01T10:00:00.000007+05:45', '2026-03-01T04:15:00.000007Z'],
  ['2026-03-01T10:00:00-00:00', '2026-03-01T10:00:00.000000Z'],
  ['2026-12-31T23:59:59.999999-00:01', '2027-01-01T00:00:59.999999Z'],
  ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500000Z'],
  // Leap seconds; the first two are examples of RFC 3339.
  ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000000Z'],
  ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000000Z'],
  ['2015-07-01T02:59:60.25+03:00', '2015-07-01T00:00:00.250000Z'],
  ['9999-12-31T23:59:60Z', '9999-12-31T23:59:59.999999Z'],
  ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
  // Outside the years 1 to 9999, the nearest instant inside.
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['0001-01-01T00:00:00+00:01', '0001-01-01T00:00:00.000000Z'],
  ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
  ['0000-01-01T00:00:00+23:59', '0001-01-01T00:00:00.000000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ['9999-12-31T23:59:59-00:01', '9999-12-31T23:59:59.999999Z'],
])('reads %s as %s', (text, utc) => {
  expect(parseInstant(text)).toBe(utc);
});

test.each([
  '',
  '2026-03-01',
  '2026-03-01T10:00Z',
  '2026-03-01T10:00:00',
  '2026-03-01T10:00:00.Z',
  '2026-03-01T10:00:00+0300',
  '2026-03-01T10:00:00+24:00',
  '2026-03-01T10:00:00+03:60',
  '2026-03-01T10:00:00\u221203:00',
  '2026-03-01 10:00:00Z',
  ' 2026-03-01T10:00:00Z',
  '2026-03-01T10:00:00Z\n',
  '2026-00-01T10:00:00Z',
  '2026-04-31T10:00:00Z',
  '2026-02-29T10:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:60:00Z',
  '2026-03-01T10:00:61Z',
  '2026-03-01T10:00:60Z',
  '2026-03-30T23:59:60Z',
  '2026-03-31T22:59:60Z',
  '2026-03-31T23:59:60+03:00',
  '-0001-03-01T10:00:00Z',
  '٢٠٢٦-03-01T10:00:00Z',
  '2026-03-01T10:00:00Z,2026-03-01T10:00:00Z',
  'infinity',
])('refuses %j', (text) => {
  expect(parseInstant(text)).toBeNull();
});

const dates = fc.date({
  min: new Date('0001-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
});
const twoDigits = (value: number) => String(value).padStart(2, '0');

test('parses any instant at any offset as Date does, to the millisecond', () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: -1439, max: 1439 }), (instant, offsetMinutes) => {
      const local = new Date(instant.getTime() + offsetMinutes * 60_000).toISOString().slice(0, -1);
      const minutes = Math.abs(offsetMinutes);
      const sign = offsetMinutes < 0 ? '-' : '+';
      const offset = `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
      expect(parseInstant(local + offset)).toBe(instant.toISOString().replace('Z', '000Z'));
    }),
    { numRuns: 2000 },
  );
});

type Instant = [date: Date, micros: number];
const microsecondsOf = ([date, micros]: Instant) => BigInt(date.getTime()) * 1000n + BigInt(micros);
const utcOf = ([date, micros]: Instant) =>
  parseInstant(date.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`)) ?? '';

test('writes RFC 3339 text that sorts in time order', () => {
  const instants = fc.tuple(dates, fc.integer({ min: 0, max: 999 }));
  fc.assert(
    fc.property(instants, instants, (one, other) => {
      expect(utcOf(one) < utcOf(other)).toBe(microsecondsOf(one) < microsecondsOf(other));
    }),
    { numRuns: 2000 },
  );
});

test('returns null for any other text, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(parseInstant(text)).toBeNull();
    }),
  );
});
