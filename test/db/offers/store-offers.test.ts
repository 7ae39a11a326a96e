import { expect, onTestFinished } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { sha256 } from '../../../security/secrets.ts';
import {
  asFound,
  next,
  now,
  since,
  supplyLike,
  storeTest as test,
} from './store-offers-fixture.ts';

test('every changeable field is stored as given, and the fixed fields stay', async ({
  sql,
  newOffer,
}) => {
  const found = await newOffer();
  const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };
  const after = next(found, {
    status: 'PendingReview',
    variantId: null,
    vendorSku: 'A\\"\'%_😀',
    vendorExternalId: 'key-2',
    barcode: '96385074',
    rawBrandName: null,
    rawProductName: null,
    rawConcentration: 'EDP',
    rawDescription: 'line\nline',
    rawSizeMl: 100_000,
    cost: price,
    pendingCost: { ...price, enteredVatInclusive: false },
    salePrice: price,
    pendingSalePrice: price,
    declaredStockQuantity: null,
    everApproved: false,
    awaitingSince: since,
    reviewedAt: new Date('2026-01-02T03:04:05.678Z'),
    reviewReason: 'why',
  });
  const moved = { ...after, id: found.offer.id, source: 'Manual' as const, createdAt: now };
  expect(await storeOffers(sql, [{ found, after: moved }])).toBe(1);
  expect(await findAnyOffer(sql, found.offer.id)).toEqual(after);
});

test('a change of status adds one history row with reason and time; no other change does', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer();
  const { id } = found.offer;
  const after = next(found, { status: 'Suspended' });
  await storeOffers(sql, [{ found, after, reason: 'Stop.' }]);
  const line = { fromStatus: 'Approved', toStatus: 'Suspended', reason: 'Stop.', at: now };
  expect(await record.historyOf(id)).toEqual([line]);
  const again = asFound(after);
  await storeOffers(sql, [
    { found: again, after: next(again, { vendorSku: 'S' }), reason: 'unused' },
  ]);
  expect(await record.historyOf(id)).toEqual([line]);
});

test('an agreement switch not stored yet gets its own history row, before the change', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer();
  const { vendorId } = found.offer;
  await sql`update vendors set agreement_epoch = 1 where id = ${vendorId}`;
  onTestFinished(async () => {
    await sql`update vendors set agreement_epoch = 0 where id = ${vendorId}`;
  });
  const switched: Offer = {
    ...found.stored,
    status: 'PendingRepricing',
    pricingModel: 'PercentageOfSale',
    agreementEpoch: 1,
    version: found.stored.version + 1,
    changedAt: since,
  };
  const after = { ...next(asFound(switched)), status: 'Withdrawn' as const };
  const change = { found: { ...found, offer: switched }, after, reason: 'Enough.' };
  expect(await storeOffers(sql, [change])).toBe(1);
  expect(await record.historyOf(found.offer.id)).toEqual([
    { fromStatus: 'Approved', toStatus: 'PendingRepricing', reason: null, at: since },
    { fromStatus: 'PendingRepricing', toStatus: 'Withdrawn', reason: 'Enough.', at: now },
  ]);
  expect(await findAnyOffer(sql, found.offer.id)).toMatchObject({
    version: found.stored.version + 2,
  });
});

test.for([
  ['is awaited from now on', 'Approved', null, 'Approved', now, 1],
  ['is awaited no longer', 'Approved', since, 'Approved', null, 1],
  ['is awaited in another status', 'Approved', since, 'PendingReview', since, 1],
  ['was awaited already, in the same status', 'Approved', since, 'Approved', since, 0],
  ['was and is not awaited', 'Approved', null, 'Suspended', null, 0],
] as const)(
  'a reviewer %s, from %s since %o to %s since %o: the review gets %i messages',
  async (
    [, status, before, statusAfter, awaitingSince, count],
    { sql, newOffer, record, vendorId },
  ) => {
    const found = await newOffer({ status, awaitingSince: before });
    await storeOffers(sql, [{ found, after: next(found, { status: statusAfter, awaitingSince }) }]);
    const message = { kind: 'offerReview', payload: { vendorId } };
    expect(await record.messagesTo(found.offer.id)).toEqual(
      Array.from({ length: count }, () => message),
    );
  },
);

test('the supply option follows pause and stock, and keeps its price', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer();
  const supply = { ...supplyLike(true), optionId: found.offer.supply?.optionId ?? '' };
  const stock = { declaredStockQuantity: 0, declaredInStock: false };
  const cost = { netHalalas: 1, vatHalalas: 0, enteredVatInclusive: false };
  await storeOffers(sql, [{ found, after: next(found, { supply, cost, ...stock }) }]);
  expect(await record.supplyOf(found.offer.id)).toEqual({
    isPaused: true,
    stockQuantity: 0,
    inStock: false,
    updatedAt: now,
    net: 10_000,
  });
});

test('another change keeps the time of the supply option, and creates none', async ({
  sql,
  newOffer,
  record,
}) => {
  const found = await newOffer();
  const before = await record.supplyOf(found.offer.id);
  await storeOffers(sql, [{ found, after: next(found, { vendorSku: 'S' }) }]);
  expect(await record.supplyOf(found.offer.id)).toEqual(before);
  const bare = await newOffer({ supply: null });
  await storeOffers(sql, [{ found: bare, after: next(bare, { declaredStockQuantity: 9 }) }]);
  expect(await record.supplyOf(bare.offer.id)).toBeUndefined();
});

test('the reviewer stays until another one reviews', async ({ sql, newOffer }) => {
  const found = await newOffer();
  const [one, two] = [uuidv7(), uuidv7()];
  for (const id of [one, two]) {
    await upsertOperator(sql, {
      id,
      operatorId: id,
      secretSha256: sha256('x'),
      roles: ['Reviewer'],
    });
  }
  let last = found;
  const reviewers: unknown[] = [];
  for (const reviewerId of [one, undefined, two]) {
    const after = next(last);
    await storeOffers(sql, [
      { found: last, after, ...(reviewerId === undefined ? {} : { reviewerId }) },
    ]);
    const [row] = await sql`select reviewed_by from offers where id = ${after.id}`;
    reviewers.push(row?.['reviewedBy']);
    last = asFound(after);
  }
  expect(reviewers).toEqual([one, one, two]);
});
