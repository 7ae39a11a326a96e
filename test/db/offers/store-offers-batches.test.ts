import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { next, since, storeTest as test, supplyLike } from './store-offers-fixture.ts';

test('one call stores two offers, each with its own history, message and supply option', async ({
  sql,
  newOffer,
  record,
}) => {
  const [one, two] = [
    await newOffer(),
    await newOffer({ status: 'PendingReview', awaitingSince: since }),
  ];
  const other = await newOffer();
  const before = await record.everythingOf(other.offer.id);
  const paused = { ...supplyLike(true), optionId: one.offer.supply?.optionId ?? '' };
  const changes = [
    { found: one, after: next(one, { status: 'Suspended', supply: paused }), reason: 'One.' },
    { found: two, after: next(two, { status: 'Rejected', awaitingSince: null }), reason: 'Two.' },
  ];
  expect(await storeOffers(sql, changes)).toBe(2);
  for (const { found, after } of changes)
    expect(await findAnyOffer(sql, found.offer.id)).toEqual(after);
  expect(await record.historyOf(one.offer.id)).toMatchObject([
    { toStatus: 'Suspended', reason: 'One.' },
  ]);
  expect(await record.historyOf(two.offer.id)).toMatchObject([
    { toStatus: 'Rejected', reason: 'Two.' },
  ]);
  expect(
    [await record.messagesTo(one.offer.id), await record.messagesTo(two.offer.id)].map(
      ({ length }) => length,
    ),
  ).toEqual([0, 1]);
  expect(await record.supplyOf(one.offer.id)).toMatchObject({ isPaused: true });
  expect(await record.supplyOf(two.offer.id)).toMatchObject({ isPaused: false });
  expect(await record.everythingOf(other.offer.id)).toEqual(before);
});

test('of two offers in one call, the stale one stays and the other is stored', async ({
  sql,
  newOffer,
  record,
}) => {
  const [one, two] = [await newOffer(), await newOffer()];
  const late = { ...one, stored: { ...one.stored, version: 1 } };
  const before = await record.everythingOf(one.offer.id);
  const changes = [
    { found: late, after: next(one, { status: 'Withdrawn' }) },
    { found: two, after: next(two, { status: 'Withdrawn' }) },
  ];
  expect(await storeOffers(sql, changes)).toBe(1);
  expect(await record.everythingOf(one.offer.id)).toEqual(before);
  expect(await record.historyOf(two.offer.id)).toHaveLength(1);
});

test('of two offers in one call, neither is stored when one violates a constraint', async ({
  sql,
  newOffer,
  record,
}) => {
  const [one, two] = [await newOffer(), await newOffer()];
  const key = uuidv7();
  const changes = [one, two].map((found) => ({
    found,
    after: next(found, { vendorExternalId: key }),
  }));
  const before = [await record.everythingOf(one.offer.id), await record.everythingOf(two.offer.id)];
  await expect(storeOffers(sql, changes)).rejects.toThrow('offers_external_id');
  expect([
    await record.everythingOf(one.offer.id),
    await record.everythingOf(two.offer.id),
  ]).toEqual(before);
});

test('only messages of a low-priority call have low priority', async ({ sql, newOffer }) => {
  const withdrawn = async () => {
    const found = await newOffer({ awaitingSince: since });
    return { found, after: next(found, { status: 'Withdrawn', awaitingSince: null }) };
  };
  const [low, normal] = [await withdrawn(), await withdrawn()];
  await storeOffers(sql, [low], { isLowPriority: true });
  await storeOffers(sql, [normal]);
  const priorityOf = async ({ found }: { readonly found: FoundOffer }) => {
    const [row] = await sql<[{ isLowPriority: boolean }]>`
      select is_low_priority from outbox where subject_id = ${found.offer.id}`;
    return row.isLowPriority;
  };
  expect([await priorityOf(low), await priorityOf(normal)]).toEqual([true, false]);
});
