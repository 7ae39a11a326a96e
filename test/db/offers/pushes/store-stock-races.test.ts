import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { storeOffers } from '../../../../db/offers/store-offers.ts';
import { upsertSupplyOption } from '../../../../db/offers/supply-options.ts';
import { type Offer } from '../../../../domain/offers/offer.ts';
import { meets } from '../../../support/database/locks.ts';
import { test, agreement, at, newOffer, snapshotOf, push } from './store-stock-fixture.ts';

test('waits for a concurrent change of the offer, and keeps both', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const ahead = new Date(Date.now() + 60_000);
  const after = { ...offer, vendorSku: 'S', version: offer.version + 1, changedAt: ahead };
  const pushed = await meets(
    sql,
    (transaction) =>
      storeOffers(transaction, [{ found: { stored: offer, offer, switchedAt: at }, after }]),
    push(sql, vendorId, offer, 9),
  );
  // The push has the later time of the two, although the clock was set back.
  const changedAt = new Date(ahead.getTime() + 1);
  const both = { ...after, declaredStockQuantity: 9, version: offer.version + 2, changedAt };
  expect(both).toMatchObject(pushed?.offer ?? { id: null });
  expect(await findAnyOffer(sql, offer.id)).toEqual(both);
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9 });
});

test('applies the rule to the offer after a concurrent rejection', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer(
    { sql, vendorId, variantId },
    { status: 'PendingReview', barcode: null },
  );
  const pushed = await meets(
    sql,
    (transaction) => transaction`update offers set status = 'Rejected' where id = ${offer.id}`,
    push(sql, vendorId, offer, 9),
  );
  expect(pushed).toMatchObject({
    isRefused: true,
    offer: { status: 'Rejected', declaredStockQuantity: 5 },
  });
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({ declaredStockQuantity: 5, version: 3 });
});

test.for([
  ['creates the supply option', false],
  ['updates it', true],
] as const)(
  'updates the stock beside an approval that %s',
  async ([, hasSupply], { sql, vendorId, variantId }) => {
    const given = { status: 'PendingReview', everApproved: hasSupply } as const;
    const offer = await newOffer({ sql, vendorId, variantId }, given, hasSupply);
    const { optionId } = offer.supply ?? { optionId: uuidv7() };
    const approved: Offer = {
      ...offer,
      status: 'Approved',
      everApproved: true,
      supply: { optionId, isPaused: false, pricingModel: 'CostPlusMargin' },
      version: offer.version + 1,
      changedAt: at,
    };
    const found = { stored: offer, offer, switchedAt: at };
    const pushed = await meets(
      sql,
      async (transaction) => {
        await storeOffers(transaction, [{ found, after: approved }]);
        await upsertSupplyOption(transaction, approved, agreement);
      },
      push(sql, vendorId, offer, 9),
    );
    expect(pushed?.offer).toMatchObject({ status: 'Approved', declaredStockQuantity: 9 });
    expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9, inStock: true });
  },
);

test('stores concurrent pushes on the same offers without a deadlock', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offers = [
    await newOffer({ sql, vendorId, variantId }, {}, true),
    await newOffer({ sql, vendorId, variantId }, {}, true),
    await newOffer({ sql, vendorId, variantId }, {}, true),
  ];
  const pushes = Array.from({ length: 60 }, (_, index) => {
    const offer = offers[index % 3];
    if (offer === undefined) throw new Error('no offer');
    return push(sql, vendorId, offer, index + 10)();
  });
  for (const pushed of await Promise.all(pushes)) expect(pushed?.isRefused).toBe(false);
  for (const offer of offers) {
    const after = await findAnyOffer(sql, offer.id);
    expect(after?.version).toBe(offer.version + 20);
    expect(await snapshotOf(sql, offer)).toMatchObject({
      stockQuantity: after?.declaredStockQuantity,
    });
  }
});
