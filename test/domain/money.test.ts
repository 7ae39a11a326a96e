import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { halalasFromSar, maxHalalas, sarFromHalalas } from '../../domain/money.ts';

const anyAmount = fc.integer({ min: 1, max: maxHalalas });
const many = { numRuns: 2000 };

test.each([
  [0.01, 1],
  [0.29, 29],
  [9_999_999.99, 999_999_999],
])('converts %s SAR to %s halalas, whatever its float representation', (sar, halalas) => {
  expect(halalasFromSar(sar)).toBe(halalas);
});

const tooFine = [0.1 + 0.2, 1.005, 8.165, 1e-7, 0.001, 0.004];
const outside = [0, -0, -0.01, -5, 10_000_000, 9_999_999.991, 1e21, Number.MAX_VALUE];
const noAmounts = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test.each([...tooFine, ...outside, ...noAmounts])(
  'refuses %s: more than two decimals, or outside 0.01 to 9,999,999.99',
  (sar) => {
    expect(halalasFromSar(sar)).toBeNull();
  },
);

test('writes an amount with at most two decimals, which reads back as the same halalas', () => {
  fc.assert(
    fc.property(anyAmount, (halalas) => {
      expect(halalasFromSar(sarFromHalalas(halalas))).toBe(halalas);
      expect(JSON.stringify(sarFromHalalas(halalas))).toMatch(/^\d+(\.\d{1,2})?$/);
    }),
    many,
  );
});

test('accepts only a number that converts back to itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.double({ min: 0, max: 2e7 })), (sar) => {
      const halalas = halalasFromSar(sar);
      if (halalas !== null) expect(sarFromHalalas(halalas)).toBe(sar);
    }),
    many,
  );
});

test('refuses the nearest floats above and below an amount', () => {
  fc.assert(
    fc.property(anyAmount, fc.constantFrom(-1n, 1n), (halalas, direction) => {
      const bits = new BigInt64Array(new Float64Array([halalas / 100]).buffer);
      bits[0] = (bits[0] ?? 0n) + direction;
      const [neighbour = 0] = new Float64Array(bits.buffer);
      expect(halalasFromSar(neighbour)).toBeNull();
    }),
    many,
  );
});
