import { describe, expect } from 'vitest';
import {
  countOutdatedOffers,
  lockOutdatedOffers,
  repriceSupplyOptions,
  settleAgreement,
} from '../../../db/accounts/agreements.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { findSupplyOption, upsertSupplyOptions } from '../../../db/offers/supply-options.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';
import {
  newOffer,
  liveOffer,
  follow,
  found,
  present,
  statusChangesOf,
  agreementTest as test,
} from './agreements-fixture.ts';
import { costPlus, percentageOfSale } from '../../support/api/actors.ts';
import {
  holdLock,
  meets,
  repeatAfterLockTimeouts,
  untilAnyLockWait,
  untilLockWaits,
} from '../../support/database/locks.ts';
import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { isLockTimeout } from '../../../db/core/failure.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { changeAgreement, holdOffer, putInForce } from '../../support/seeds/agreement.ts';

describe('activateAgreement', () => {
  test('counts no offer in two switches', async ({ sql, vendorId }) => {
    for (let index = 0; index < 4; index += 1) await liveOffer(sql, vendorId);
    expect(await changeAgreement(sql, vendorId, percentageOfSale)).toBe(4);
    await follow(sql, vendorId, 2);
    const switched = { pricingModel: 'PercentageOfSale', agreementEpoch: 1 } as const;
    const late = await newOffer(sql, vendorId, switched);
    expect(await changeAgreement(sql, vendorId, costPlus)).toBe(1);
    const moved = { status: 'PendingRepricing', pricingModel: 'CostPlusMargin' };
    expect(await present(sql, late)).toMatchObject(moved);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(5);
  });

  test('waits for a decision, and lets a later decision wait', async ({ sql, vendorId }) => {
    const offer = await newOffer(sql, vendorId);
    const look = (transaction: Queryable) => lockAnyOffer(transaction, offer.id);
    const change = () => changeAgreement(sql, vendorId, percentageOfSale);
    expect(await meets(sql, look, change)).toBe(1);
    const changeBack = (transaction: Queryable) => putInForce(transaction, vendorId, costPlus);
    expect(await meets(sql, changeBack, () => sql.begin(look))).toMatchObject({
      agreement: costPlus,
      offer: { agreementEpoch: 2 },
    });
  });
});

/** An offer of this epoch that is locked to follow the second switch. */
const lockedOf = ({ id }: Offer, agreementEpoch: number) => ({
  stored: { id, agreementEpoch },
  offer: { id, agreementEpoch: 2, pricingModel: 'CostPlusMargin' },
});

describe('lockOutdatedOffers', () => {
  test('locks the oldest epoch first', async ({ sql, vendorId }) => {
    const first = await liveOffer(sql, vendorId);
    const second = await newOffer(sql, vendorId, { status: 'Draft' });
    await changeAgreement(sql, vendorId, percentageOfSale);
    await follow(sql, vendorId, 1);
    await changeAgreement(sql, vendorId, costPlus);
    const current = await newOffer(sql, vendorId, { agreementEpoch: 2, agreementVersion: 2 });
    const lockBehind = (limit: number) =>
      sql.begin((transaction) => lockOutdatedOffers(transaction, vendorId, limit));
    expect(await lockBehind(1)).toMatchObject([lockedOf(second, 0)]);
    const locked = (await lockBehind(10)).toSorted(
      (one, other) => one.stored.agreementEpoch - other.stored.agreementEpoch,
    );
    expect(locked).toMatchObject([lockedOf(second, 0), lockedOf(first, 1)]);
    expect((await found(sql, current)).offer).toEqual(current);
  });

  test('writes the messages of a batch with low priority', async ({ sql, vendorId }) => {
    const waiting = { status: 'PendingReview', awaitingSince: new Date() } as const;
    const { id } = await newOffer(sql, vendorId, waiting);
    await changeAgreement(sql, vendorId, percentageOfSale);
    await follow(sql, vendorId);
    const rows = await sql`select is_low_priority from outbox where subject_id = ${id} order by id`;
    expect(rows.at(-1)).toEqual({ isLowPriority: true });
  });

  test('stores each offer once when several batches run at once', async ({ sql, vendorId }) => {
    const offers = await Promise.all(Array.from({ length: 20 }, () => liveOffer(sql, vendorId)));
    await changeAgreement(sql, vendorId, percentageOfSale);
    const batches = await Promise.all(
      [1, 2, 3].map(() => repeatAfterLockTimeouts(() => follow(sql, vendorId, 7))),
    );
    while (!(await follow(sql, vendorId, 7)).isSettled);
    expect(batches.every(({ offers }) => offers <= 7)).toBe(true);
    for (const offer of offers) {
      expect(await present(sql, offer)).toMatchObject({ version: 2, status: 'PendingRepricing' });
      expect(await statusChangesOf(sql, offer)).toHaveLength(2);
    }
  });

  test('keeps an offer that is withdrawn while a batch waits for it', async ({ sql, vendorId }) => {
    const offer = await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, percentageOfSale);
    const before = await found(sql, offer);
    const after = expectValue(moveOffer(before.offer, { action: 'withdraw' }, new Date()));
    await meets(
      sql,
      (transaction) => storeOffers(transaction, [{ found: before, after }]),
      () => follow(sql, vendorId),
    );
    expect(await present(sql, offer)).toMatchObject({ status: 'Withdrawn', agreementEpoch: 1 });
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ isPaused: true });
  });
});

const optionsOf = (sql: Sql, vendorId: string) => sql`
  select net, sell_net::int as sell_net, payout_net, rate_basis_points from supply_options
  where vendor_id = ${vendorId} order by id`;

/** An operator's command as the routes make it: all under the locks of `lockAnyOffer`. */
const command = (sql: Sql, offer: Offer) =>
  sql.begin(async (transaction) => {
    const looked = await lockAnyOffer(transaction, offer.id);
    if (looked === null) throw new Error('no offer');
    const after = { ...looked.offer, declaredStockQuantity: 99, version: looked.offer.version + 1 };
    return storeOffers(transaction, [{ found: looked, after }]);
  });

describe('settleAgreement', () => {
  test('follows a switch that waited for its batch, too', async ({ sql, vendorId }) => {
    const offer = await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, percentageOfSale);
    await meets(
      sql,
      (transaction) => lockOutdatedOffers(transaction, vendorId, 10),
      () => changeAgreement(sql, vendorId, costPlus),
    );
    expect(await settleAgreement(sql, vendorId)).toBe(false);
    expect(await follow(sql, vendorId)).toMatchObject({ isSettled: true });
    const followed = { pricingModel: 'CostPlusMargin', agreementEpoch: 2 };
    expect(await present(sql, offer)).toMatchObject({ status: 'PendingRepricing', ...followed });
    const [vendor] = await sql`
      select agreement_epoch, agreement_settled_epoch from vendors where id = ${vendorId}`;
    expect(vendor).toEqual({ agreementEpoch: 2, agreementSettledEpoch: 2 });
  });

  test('gives up a batch after 2 s at a locked offer', async ({ sql, vendorId }) => {
    const offer = await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, percentageOfSale);
    const release = await holdOffer(sql, offer.id);
    const batch = follow(sql, vendorId).catch((error: unknown) => error);
    await untilAnyLockWait(sql);
    await changeAgreement(sql, vendorId, costPlus);
    expect(await batch).toSatisfy(isLockTimeout);
    await release();
    expect(await follow(sql, vendorId)).toMatchObject({ offers: 1, isSettled: true });
  });
});

describe('repriceSupplyOptions', () => {
  test('reprices the vendor’s next options at the current rate', async ({ sql }) => {
    const [vendorId, other] = [await addVendor(sql), await addVendor(sql)];
    for (let index = 0; index < 5; index += 1) await liveOffer(sql, vendorId);
    await liveOffer(sql, other);
    const others = await optionsOf(sql, other);
    await changeAgreement(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    for (const count of [3, 2, 0]) expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(count);
    const repriced = { net: 10_000, sellNet: 10_001, payoutNet: 10_000, rateBasisPoints: 1 };
    expect(await optionsOf(sql, vendorId)).toEqual(Array.from({ length: 5 }, () => repriced));
    expect(await optionsOf(sql, other)).toEqual(others);
  });

  test('settles after a batch with fewer options than its limit', async ({ sql, vendorId }) => {
    for (let index = 0; index < 2; index += 1) await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    const none = { offers: 0, remaining: 0 };
    const [full, empty] = [await follow(sql, vendorId, 2), await follow(sql, vendorId, 2)];
    expect(full).toEqual({ ...none, supplyOptions: 2, isSettled: false });
    expect(empty).toEqual({ ...none, supplyOptions: 0, isSettled: true });
  });

  test('keeps prices of another model', async ({ sql, vendorId }) => {
    const [kept, unknown] = [await liveOffer(sql, vendorId), await liveOffer(sql, vendorId)];
    await sql`update supply_options set pricing_model = 'PercentageOfSale', rate_basis_points = 5
      where offer_id = ${kept.id}`;
    await sql`update supply_options set rate_basis_points = null, sell_net = 0
      where offer_id = ${unknown.id}`;
    expect(await repriceSupplyOptions(sql, vendorId, 10)).toBe(1);
    expect(await optionsOf(sql, vendorId)).toMatchObject([
      { sellNet: 12_000, rateBasisPoints: 5 },
      { sellNet: 12_000, rateBasisPoints: 2000 },
    ]);
  });

  test('rounds the commission half up', async ({ sql }) => {
    const vendorId = await addVendor(sql, percentageOfSale);
    const offer = await newOffer(sql, vendorId, {
      status: 'Approved',
      pricingModel: 'PercentageOfSale',
      salePrice: { netHalalas: 30, vatHalalas: 5, enteredVatInclusive: false },
      supply: { optionId: uuidv7(), isPaused: true, pricingModel: 'PercentageOfSale' },
    });
    await upsertSupplyOptions(sql, [{ after: offer, agreement: percentageOfSale }]);
    expect(await optionsOf(sql, vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 25 }]);
    await changeAgreement(sql, vendorId, { ...percentageOfSale, rateBasisPoints: 10_000 });
    await follow(sql, vendorId);
    expect(await optionsOf(sql, vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 0 }]);
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ isPaused: true });
  });
});

// Postgres ends a deadlock after a second with an error in one of the two.
describe('a batch does not deadlock with an operator’s command', () => {
  test('on an offer of the last batch', async ({ sql, vendorId }) => {
    const offer = await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, percentageOfSale);
    // Holds the batch between its look and its write.
    const release = await holdLock(sql, sql`lock table offer_status_changes in share mode`);
    const both: Promise<unknown>[] = [];
    try {
      both.push(follow(sql, vendorId));
      await untilLockWaits(sql, 1);
      both.push(command(sql, offer));
      await untilLockWaits(sql, 2);
    } finally {
      await release();
    }
    expect(await Promise.all(both)).toMatchObject([{ offers: 1, isSettled: true }, 1]);
  });

  test('on an offer whose supply option the batch has repriced', async ({ sql, vendorId }) => {
    const offer = await liveOffer(sql, vendorId);
    await changeAgreement(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    // Holds it between the prices and the settling.
    const release = await holdLock(sql, sql`select from vendors where id = ${vendorId} for share`);
    const following = follow(sql, vendorId);
    try {
      await untilLockWaits(sql, 1);
      expect(await command(sql, offer)).toBe(1);
    } finally {
      await release();
    }
    expect(await following).toMatchObject({ supplyOptions: 1, isSettled: true });
  });
});
