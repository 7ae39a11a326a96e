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

/** Whether both parts of an amount, entered gross and entered net, are exact at a rate. */
function isExact(amount: number, points: number): boolean {
  const [gross, net] = [true, false].map((isGross) =>
    priceFromDeclaration(amount, isGross, points),
  );
  return (
    gross?.enteredVatInclusive === true &&
    gross.netHalalas + gross.vatHalalas === amount &&
    isHalfUp(gross.netHalalas, BigInt(amount) * 10_000n, 10_000n + BigInt(points)) &&
    net?.enteredVatInclusive === false &&
    net.netHalalas === amount &&
    isHalfUp(net.vatHalalas, BigInt(amount) * BigInt(points), 10_000n)
  );
}

test('splits every amount up to 20,000 SAR exactly, half-up, at 15 %', () => {
  let wrong: number | null = null;
  for (let amount = 1; wrong === null && amount <= amountsMax; amount += 1)
    if (!isExact(amount, rate)) wrong = amount;
  expect(wrong).toBeNull();
});

test('splits any amount exactly at any rate', () => {
  const anyAmount = fc.integer({ min: 1, max: maxHalalas });
  fc.assert(fc.property(anyAmount, fc.integer({ min: 0, max: 9999 }), isExact), { numRuns: 2000 });
});
