import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { halalasFromSar, maxHalalas, sarFromHalalas } from '../../domain/money.ts';

test.each([
  [0.01, 1],
  [0.1, 10],
  [0.29, 29],
  [1.15, 115],
  [4.35, 435],
  [8.16, 816],
  [19.99, 1999],
  [1000, 100_000],
  [1e6, 100_000_000],
  [9_999_999.99, 999_999_999],
])('%s SAR is %s halalas, whatever its float looks like', (sar, halalas) => {
  expect(halalasFromSar(sar)).toBe(halalas);
});

test.each([0.1 + 0.2, 1.005, 8.165, 2.675, 1e-7, 0.001, 1.1 + 2.2])(
  '%s has more than two decimals and is refused, not rounded',
  (sar) => {
    expect(halalasFromSar(sar)).toBeNull();
  },
);

test.each([0, -0, -0.01, -5, 0.004, 10_000_000, 9_999_999.991, 1e7, 1e21, Number.MAX_VALUE])(
  '%s is outside 0.01 to 9,999,999.99 and is refused',
  (sar) => {
    expect(halalasFromSar(sar)).toBeNull();
  },
);

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  '%s is no amount',
  (sar) => {
    expect(halalasFromSar(sar)).toBeNull();
  },
);

test('every amount comes back from SAR as the halalas it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxHalalas }), (halalas) => {
      expect(halalasFromSar(sarFromHalalas(halalas))).toBe(halalas);
    }),
    { numRuns: 2000 },
  );
});

test('an amount prints with at most two decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxHalalas }), (halalas) => {
      expect(JSON.stringify(sarFromHalalas(halalas))).toMatch(/^\d+(\.\d{1,2})?$/);
    }),
    { numRuns: 2000 },
  );
});

test('any number is either refused or worth exactly what it prints', () => {
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.double({ min: 0, max: 2e7 })), (sar) => {
      const halalas = halalasFromSar(sar);
      if (halalas !== null) expect(sarFromHalalas(halalas)).toBe(sar);
    }),
    { numRuns: 2000 },
  );
});

test('a number off an amount by the least that a float can tell is refused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: maxHalalas }),
      fc.constantFrom(-1, 1),
      (halalas, direction) => {
        const bits = new BigInt64Array(new Float64Array([halalas / 100]).buffer);
        bits[0] = (bits[0] ?? 0n) + BigInt(direction);
        const [neighbour = 0] = new Float64Array(bits.buffer);
        expect(halalasFromSar(neighbour)).toBeNull();
      },
    ),
    { numRuns: 2000 },
  );
});
