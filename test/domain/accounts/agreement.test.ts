import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { modelNumber, supplyPrices } from '../../../domain/accounts/agreement.ts';
import { maxHalalas } from '../../../domain/money.ts';

test('the models have the numbers of the specification', () => {
  expect(modelNumber).toEqual({ CostPlusMargin: 1, PercentageOfSale: 2 });
});

test('Model 1 pays the cost and sells at cost plus markup', () => {
  const agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 } as const;
  expect(supplyPrices(agreement, 10_000)).toEqual({ sell: 12_000, payout: 10_000 });
});

test('Model 2 sells at the sale price and pays it less the commission', () => {
  const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 } as const;
  expect(supplyPrices(agreement, 10_000)).toEqual({ sell: 10_000, payout: 8500 });
});

test('the share is rounded half-up on whole halalas', () => {
  expect(supplyPrices({ pricingModel: 'CostPlusMargin', rateBasisPoints: 50 }, 100).sell).toBe(101);
  expect(supplyPrices({ pricingModel: 'CostPlusMargin', rateBasisPoints: 49 }, 100).sell).toBe(100);
  expect(supplyPrices({ pricingModel: 'PercentageOfSale', rateBasisPoints: 50 }, 100).payout).toBe(
    99,
  );
});

test('a rate of nothing or of everything is exact', () => {
  for (const net of [1, 99, maxHalalas]) {
    const free = supplyPrices({ pricingModel: 'CostPlusMargin', rateBasisPoints: 0 }, net);
    expect(free).toEqual({ sell: net, payout: net });
    const all = supplyPrices({ pricingModel: 'PercentageOfSale', rateBasisPoints: 10_000 }, net);
    expect(all).toEqual({ sell: net, payout: 0 });
  }
});

test('every share is exact, whole and never negative', () => {
  const net = fc.integer({ min: 1, max: maxHalalas });
  fc.assert(
    fc.property(net, fc.integer({ min: 0, max: 100_000 }), (netHalalas, rateBasisPoints) => {
      const { sell, payout } = supplyPrices(
        { pricingModel: 'CostPlusMargin', rateBasisPoints },
        netHalalas,
      );
      const twiceOff =
        2n * (BigInt(sell - payout) * 10_000n - BigInt(netHalalas) * BigInt(rateBasisPoints));
      expect(twiceOff > -10_000n && twiceOff <= 10_000n).toBe(true);
      expect(payout).toBe(netHalalas);
    }),
  );
  fc.assert(
    fc.property(net, fc.integer({ min: 0, max: 10_000 }), (netHalalas, rateBasisPoints) => {
      const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints } as const;
      const { sell, payout } = supplyPrices(agreement, netHalalas);
      expect(sell).toBe(netHalalas);
      expect(payout).toBeGreaterThanOrEqual(0);
      expect(payout).toBeLessThanOrEqual(sell);
    }),
  );
});
