import { expect } from 'vitest';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { findAnyOffer, findOwnOffer, lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { deferred } from '../support.ts';
import { agreement, next, since, supplyLike, storeTest as test } from './store-offers-fixture.ts';
import { untilAnyLockWait } from '../../support/database/locks.ts';

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

/**
 * Calls `read` while another transaction approves the offer for the first time and holds its lock.
 */
async function readDuringApproval<T>(
  sql: Sql,
  found: FoundOffer,
  read: (sql: Queryable) => Promise<T>,
): Promise<T> {
  const decided = deferred<void>();
  const released = deferred<void>();
  const approving = sql.begin(async (transaction) => {
    const after = next(found, { status: 'Approved', supply: supplyLike(), awaitingSince: null });
    await storeOffers(transaction, [{ found, after }]);
    await upsertSupplyOption(transaction, after, agreement);
    decided.resolve();
    await released.promise;
  });
  await decided.promise;
  const reading = sql.begin(read);
  await untilAnyLockWait(sql);
  released.resolve();
  await approving;
  return reading as Promise<T>;
}

const inReview = {
  status: 'PendingReview',
  awaitingSince: since,
  supply: null,
  everApproved: false,
} as const;

// A later change needs the supply option. Without it, a suspended offer would still sell.
test('a locked read that waited for the first approval sees the new supply option', async ({
  sql,
  newOffer,
  vendorId,
}) => {
  const own = await newOffer(inReview);
  const seen = await readDuringApproval(sql, own, (transaction) =>
    findOwnOffer(transaction, vendorId, own.offer.id, { isLocked: true }),
  );
  expect(seen?.offer).toMatchObject({ status: 'Approved', supply: { isPaused: false } });
  const any = await newOffer(inReview);
  const locked = await readDuringApproval(sql, any, (transaction) =>
    lockAnyOffer(transaction, any.offer.id),
  );
  expect(locked?.offer).toMatchObject({ status: 'Approved', supply: { isPaused: false } });
});
