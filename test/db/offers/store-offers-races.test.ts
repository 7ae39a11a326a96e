import { expect } from 'vitest';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { next, since, supplyLike, storeTest as test } from './store-offers-fixture.ts';

test('a change of an older version writes no history, message or supply option', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer({ status: 'PendingReview', awaitingSince: since });
  const { id, version } = found.offer;
  const supply = { ...supplyLike(true), optionId: found.offer.supply?.optionId ?? '' };
  for (const stale of [version - 1, version + 1]) {
    const before = await record.everythingOf(id);
    const late = { ...found, stored: { ...found.stored, version: stale } };
    const after = next(found, {
      status: 'Withdrawn',
      supply,
      declaredStockQuantity: 9,
      awaitingSince: null,
    });
    expect(await storeOffers(sql, [{ found: late, after }])).toBe(0);
    expect(await record.everythingOf(id)).toEqual(before);
  }
});

test('of twenty changes of one version, made at once, one is stored', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer();
  const stored = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      storeOffers(sql, [
        { found, after: next(found, { status: 'Withdrawn', vendorSku: `S-${index}` }) },
      ]),
    ),
  );
  expect(stored.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 19 }, () => 0), 1]);
  const after = await findAnyOffer(sql, found.offer.id);
  expect(after).toMatchObject({
    vendorSku: `S-${stored.indexOf(1)}`,
    version: found.offer.version + 1,
  });
  expect(await record.historyOf(found.offer.id)).toHaveLength(1);
});
