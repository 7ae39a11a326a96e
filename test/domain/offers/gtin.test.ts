import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gtinOf, isGtin, isSameGtin } from '../../../domain/offers/gtin.ts';

// The property below has the check digit of each length.
test.each([
  '9638507',
  '963850740',
  '03600029145',
  '100614141000415',
  '',
  ' 4006381333931',
  '4006381333931\n',
  '400-6381333931',
  '400638133393X',
  '٤٠٠٦٣٨١٣٣٣٩٣١',
  '４００６３８１３３３９３１',
  '00000000',
  '000000000000',
  '00000000000000',
])('refuses %j as a GTIN', (code) => {
  expect(isGtin(code)).toBe(false);
});

test.each([
  '٤٠٠٦٣٨١٣٣٣٩٣١',
  '４００６３８１３３３９３１',
  '۴۰۰۶۳۸۱۳۳۳۹۳۱',
  '\u200f4006381333931\u200e',
  '\u00a04006381333931\u202f',
  '\ufeff4006381333931',
])('reads %j as a GTIN in ASCII digits', (text) => {
  expect(gtinOf(text)).toBe('4006381333931');
});

test.each(['٤٠٠٦٣٨١٣٣٣٩٣٢', ' 4006381333931', '4006381333931\n', '400638-1333931'])(
  'reads no GTIN from %j',
  (text) => {
    expect(gtinOf(text)).toBeNull();
  },
);

/** GS1: the sum with weights 3 and 1 from the right, check digit included, is a multiple of ten. */
const sumIsRight = (code: string): boolean => {
  let sum = 0;
  for (let index = 0; index < code.length; index += 1) {
    const fromRight = code.length - 1 - index;
    sum += Number(code[index]) * (fromRight % 2 === 1 ? 3 : 1);
  }
  return sum % 10 === 0;
};

test('accepts exactly one of ten last digits, the check digit of GS1', () => {
  const digit = fc.integer({ min: 0, max: 9 });
  const body = fc
    .constantFrom(7, 11, 12, 13)
    .chain((length) => fc.array(digit, { minLength: length, maxLength: length }))
    .filter((digits) => digits.some((each) => each !== 0));
  fc.assert(
    fc.property(body, (digits) => {
      const codes = Array.from({ length: 10 }, (_, check) => digits.join('') + String(check));
      expect(codes.filter(isGtin)).toEqual(codes.filter(sumIsRight));
      expect(codes.filter(isGtin)).toHaveLength(1);
    }),
  );
});

test.each([
  ['96385074', '96385074', true],
  ['0000096385074', '96385074', true],
  ['96385074', '00000096385074', true],
  ['036000291452', '00036000291452', true],
  ['4006381333931', '14006381333938', false],
  ['96385074', '73513537', false],
  [null, '96385074', false],
  ['96385074', null, false],
  [null, null, true],
])('compares the GTINs %s and %s as the same: %s (D143)', (one, other, isSame) => {
  expect(isSameGtin(one, other)).toBe(isSame);
});
