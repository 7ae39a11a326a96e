import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelNumber, supplyPrices } from '../../../domain/accounts/agreement.ts';
import { maxHalalas } from '../../../domain/money.ts';

test('numbers the models as the specification does', () => {
  expect(modelNumber).toEqual({ CostPlusMargin: 1, PercentageOfSale: 2 });
});

// Model 1 pays the cost and sells at cost plus markup. Model 2 sells at the sale price and pays it
// less the commission. The share is rounded half-up.
test.each([
  ['CostPlusMargin', 50, 100, { sell: 101, payout: 100 }],
  ['CostPlusMargin', 49, 100, { sell: 100, payout: 100 }],
  ['CostPlusMargin', 0, maxHalalas, { sell: maxHalalas, payout: maxHalalas }],
  ['PercentageOfSale', 50, 100, { sell: 100, payout: 99 }],
  ['PercentageOfSale', 10_000, maxHalalas, { sell: maxHalalas, payout: 0 }],
] as const)('%s at %i basis points of %i: %j', (pricingModel, rateBasisPoints, net, prices) => {
  expect(supplyPrices({ pricingModel, rateBasisPoints }, net)).toEqual(prices);
});

test('computes every markup and commission exactly, whole and never negative', () => {
  const net = fc.integer({ min: 1, max: maxHalalas });
  const models = fc.constantFrom('CostPlusMargin', 'PercentageOfSale');
  fc.assert(
    fc.property(models, net, fc.integer({ min: 0, max: 100_000 }), (pricingModel, given, rate) => {
      const isModel1 = pricingModel === 'CostPlusMargin';
      const rateBasisPoints = isModel1 ? rate : rate % 10_001;
      const { sell, payout } = supplyPrices({ pricingModel, rateBasisPoints }, given);
      const share = BigInt(sell - payout);
      const twiceOff = 2n * (share * 10_000n - BigInt(given) * BigInt(rateBasisPoints));
      expect(twiceOff > -10_000n && twiceOff <= 10_000n).toBe(true);
      expect(isModel1 ? payout : sell).toBe(given);
      expect(payout).toBeGreaterThanOrEqual(0);
    }),
  );
});
