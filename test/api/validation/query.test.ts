import * as v from 'valibot';
import { expect, test } from 'vitest';
import {
  booleanParameter,
  changedSinceParameter,
  enumParameter,
  includeParameter,
  pageParameters,
  query,
  queryError,
  rangeParameters,
  requireRange,
  textParameter,
  uuidParameter,
  withAbsent,
} from '../../../api/validation/query.ts';

// The parameters of queries. The tests of a list have only which parameters it takes.

const schema = query({
  ...pageParameters,
  status: enumParameter(['Draft', 'Approved'], ''),
  isActive: booleanParameter(''),
  vendorId: uuidParameter(''),
  vendorSku: textParameter(3, ''),
  changedSince: changedSinceParameter,
  ...rangeParameters('offers created'),
  include: includeParameter,
});
const allowedParameters = Object.keys(schema.entries);

type Sent = Readonly<Record<string, unknown>>;
const parsed = (sent: Sent) => {
  const result = v.safeParse(schema, { ...sent });
  const error = queryError(schema, sent, result.issues?.[0]);
  return { error, values: withAbsent(schema, result.output as Sent) };
};
const errorOf = (sent: Sent) => {
  const { error } = parsed(sent);
  return error === null ? null : { code: error.code, details: error.details };
};

const absent = Object.fromEntries(allowedParameters.map((name) => [name, null]));
const defaults = { ...absent, page: 1, pageSize: 20 };
const id = '019A1F00-1200-7B20-A1B2-C3D4E5F60703';

test.each<[Sent, Sent]>([
  [{}, {}],
  [{ page: '007' }, { page: 7 }],
  [{ pageSize: '01' }, { pageSize: 1 }],
  [{ pageSize: '100' }, { pageSize: 100 }],
  [{ page: '999999999999999' }, { page: 999_999_999_999_999 }],
  [{ status: 'Draft' }, { status: 'Draft' }],
  [{ isActive: 'false' }, { isActive: false }],
  [{ isActive: 'true' }, { isActive: true }],
  [{ vendorId: id }, { vendorId: id.toLowerCase() }],
  [{ vendorSku: ' 😀' }, { vendorSku: ' 😀' }],
  [
    { changedSince: '2026-03-01T13:00:00.5+03:00' },
    { changedSince: '2026-03-01T10:00:00.500000Z' },
  ],
  [{ include: 'history' }, { include: 'history' }],
])('reads %j as %j', (sent, values) => {
  const { error, values: taken } = parsed(sent);
  expect(error).toBeNull();
  expect(taken).toEqual({ ...defaults, ...values });
});

const counts = ['0', '00', '-1', '+1', '1.0', '1e1', '', ' ', 'x', '0x1', '1,2', '١', '\0'];

test.each([...counts, '1000000000000000', ['1', '1']])(
  'refuses %j as a page and as a page size',
  (value) => {
    expect(errorOf({ page: value })).toMatchObject({
      code: 'VALIDATION_INVALID_PAGE',
      details: { parameter: 'page', minimum: 1, maximum: 999_999_999_999_999 },
    });
    // Too large a size is not reduced.
    for (const pageSize of [value, '101'])
      expect(errorOf({ pageSize })).toMatchObject({
        code: 'VALIDATION_INVALID_PAGE_SIZE',
        details: { parameter: 'pageSize', minimum: 1, maximum: 100 },
      });
  },
);

const invalid = 'VALIDATION_INVALID_QUERY_PARAMETER';
const statuses = { allowedValues: ['Draft', 'Approved'] };
const booleans = { allowedValues: ['true', 'false'] };
const unknownInclude = 'VALIDATION_UNKNOWN_INCLUDE';
const includes = { allowedValues: ['history'] };

test.each<[Sent, string, Sent]>([
  [{ status: 'draft' }, invalid, statuses],
  [{ status: '' }, invalid, statuses],
  [{ status: 'Draft,Approved' }, invalid, statuses],
  [
    { status: ['Draft', 'Draft'] },
    invalid,
    { ...statuses, message: 'status was given 2 times; send it once.' },
  ],
  [{ isActive: 'TRUE' }, invalid, booleans],
  [{ isActive: '1' }, invalid, booleans],
  [{ vendorId: 'x' }, invalid, { message: 'vendorId must be a uuid.' }],
  [{ vendorSku: 'abcd' }, invalid, { message: 'vendorSku must have at most 3 characters.' }],
  [
    { vendorSku: 'a\0' },
    invalid,
    { message: 'vendorSku must not contain NUL or lone surrogates.' },
  ],
  [{ include: 'History' }, unknownInclude, includes],
  [{ include: '' }, unknownInclude, includes],
  [{ include: 'history,' }, unknownInclude, includes],
  [{ include: 'history,lines' }, unknownInclude, includes],
])('refuses %j with %s %j', (sent, code, details) => {
  const [parameter] = Object.keys(sent);
  const error = errorOf(sent);
  expect(error?.code).toBe(code);
  expect(error?.details).toMatchObject({ parameter, ...details });
});

test.each(['', 'now', '2026-03-01', '2026-03-01T10:00:00 03:00', 'infinity', ['x', 'x']])(
  'refuses the date %j in each date parameter',
  (value) => {
    for (const parameter of ['changedSince', 'from', 'to']) {
      expect(errorOf({ [parameter]: value })).toMatchObject({
        code: 'VALIDATION_INVALID_DATE',
        details: { parameter, received: value, expected: expect.stringMatching(/^RFC 3339/) },
      });
    }
  },
);

test.each(['2026-03-01T10:00:00 03:00', '2026-03-01T10:00:00.5 0300', '2026-03-01 10:00:00 03:00'])(
  'names %%2B for %j, whose plus sign became a blank (D87)',
  (value) => {
    for (const parameter of ['changedSince', 'from', 'to'])
      expect(errorOf({ [parameter]: value })?.details).toMatchObject({
        message: expect.stringContaining('%2B') as string,
      });
    expect(errorOf({ from: '2026-03-01 10:00' })?.details).not.toHaveProperty('message');
  },
);

test.each(['Status', 'page[]', '__proto__', 'toString', '', 'x'.repeat(101)])(
  'names the unknown parameter %j before any other fault',
  (name) => {
    const sent = JSON.parse(JSON.stringify({ page: '0' }).replace('}', `,"${name}":"x"}`)) as Sent;
    expect(errorOf(sent)).toMatchObject({
      code: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
      details: { parameters: [name.slice(0, 100)], allowedParameters },
    });
  },
);

test('names the first 100 unknown parameters of thousands', () => {
  const names = Array.from({ length: 5000 }, (_none, index) => `n${index}`);
  const sent = Object.fromEntries(names.map((name) => [name, ''])) as Sent;
  expect(errorOf(sent)?.details).toMatchObject({ parameters: names.slice(0, 100) });
});

const check = (from: string | null, to: string | null) => () =>
  requireRange(from, to, ['awaitingFrom', 'awaitingTo']);

test('refuses only a range whose start is after its end', () => {
  const [from, to] = ['2026-03-01T10:00:00.000001Z', '2026-03-01T10:00:00.000000Z'];
  for (const isAccepted of [check(to, to), check(null, to), check(from, null)])
    expect(isAccepted).not.toThrow();
  const expected = 'an instant at or before that of awaitingTo';
  expect(check(from, to)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_INVALID_DATE',
      details: expect.objectContaining({ parameter: 'awaitingFrom', expected, received: from }),
    }),
  );
});
