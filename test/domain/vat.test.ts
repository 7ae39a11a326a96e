import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxHalalas } from '../../domain/money.ts';
import { priceFromDeclaration } from '../../domain/vat.ts';

const rate = 1500;
/** 20,000.00 SAR: every amount up to here is tried. */
const amountsMax = 2_000_000;

/** `rounded` is `numerator / denominator`, half-up: it lies in [rounded - 1/2, rounded + 1/2). */
const isHalfUp = (rounded: number, numerator: bigint, denominator: bigint): boolean => {
  const twiceOff = 2n * (numerator - BigInt(rounded) * denominator);
  return -denominator <= twiceOff && twiceOff < denominator;
};

function firstWrong(isRight: (amount: number) => boolean): number | null {
  for (let amount = 1; amount <= amountsMax; amount += 1) if (!isRight(amount)) return amount;
  return null;
}

test('entered gross: every net up to 20,000 is gross / 1.15 half-up, and both parts add up', () => {
  const wrong = firstWrong((gross) => {
    const { netHalalas, vatHalalas } = priceFromDeclaration(gross, true, rate);
    return netHalalas + vatHalalas === gross && isHalfUp(netHalalas, BigInt(gross) * 20n, 23n);
  });
  expect(wrong).toBeNull();
});

test('entered net: every VAT up to 20,000 is net × 0.15 half-up, and the net stays', () => {
  const wrong = firstWrong((net) => {
    const { netHalalas, vatHalalas } = priceFromDeclaration(net, false, rate);
    return netHalalas === net && isHalfUp(vatHalalas, BigInt(net) * 3n, 20n);
  });
  expect(wrong).toBeNull();
});

test('any rate and any amount are computed exactly', () => {
  const anyAmount = fc.integer({ min: 1, max: maxHalalas });
  fc.assert(
    fc.property(anyAmount, fc.integer({ min: 0, max: 9999 }), (amount, points) => {
      const gross = priceFromDeclaration(amount, true, points);
      expect(isHalfUp(gross.netHalalas, BigInt(amount) * 10_000n, 10_000n + BigInt(points))).toBe(
        true,
      );
      expect(gross.netHalalas + gross.vatHalalas).toBe(amount);
      const net = priceFromDeclaration(amount, false, points);
      expect(isHalfUp(net.vatHalalas, BigInt(amount) * BigInt(points), 10_000n)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  { sar: 1000, gross: { netHalalas: 86_957, vatHalalas: 13_043 } },
  { sar: 115, gross: { netHalalas: 10_000, vatHalalas: 1500 } },
  { sar: 0.01, gross: { netHalalas: 1, vatHalalas: 0 } },
  { sar: 0.04, gross: { netHalalas: 3, vatHalalas: 1 } },
  { sar: 0.03, gross: { netHalalas: 3, vatHalalas: 0 } },
])('$sar SAR entered gross', ({ sar, gross }) => {
  expect(priceFromDeclaration(Math.round(sar * 100), true, rate)).toEqual({
    ...gross,
    enteredVatInclusive: true,
  });
});

test('half a halala of VAT goes up: 0.10 net has 0.02', () => {
  expect(priceFromDeclaration(10, false, rate)).toEqual({
    netHalalas: 10,
    vatHalalas: 2,
    enteredVatInclusive: false,
  });
});
