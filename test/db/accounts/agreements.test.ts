import { describe, expect } from 'vitest';
import {
  countOutdatedOffers,
  lockOutdatedOffers,
  activateAgreement,
  repriceSupplyOptions,
  settleAgreement,
} from '../../../db/accounts/agreements.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { findSupplyOption, upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import { expectValue } from '../../domain/offers/offer-builders.ts';
import { addVendor, messagesTo } from '../support.ts';
import {
  costPlus,
  percentage,
  newOffer,
  liveOffer,
  putInForce,
  follow,
  vendorRow,
  found,
  present,
  statusChangesOf,
  agreementTest as test,
} from './agreements-fixture.ts';
import { held, untilAnyLockWait, untilLockWaits } from '../../support/database/locks.ts';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { isLockTimeout } from '../../../db/core/failure.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { holdOffer } from '../../support/seeds/agreement.ts';

describe('activateAgreement', () => {
  test('counts moved offers and begins an epoch', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    await liveOffer(sql, vendorId);
    await newOffer(sql, vendorId);
    for (const status of [
      'Draft',
      'PendingMatch',
      'Rejected',
      'Withdrawn',
      'Suspended',
      'PendingRepricing',
    ] as const) {
      await newOffer(sql, vendorId, { status });
    }
    await liveOffer(sql, await addVendor(sql));
    const at = new Date('2026-05-01T00:00:00.123Z');
    expect(await putInForce(sql, vendorId, percentage, at)).toBe(2);
    expect(await vendorRow(sql, vendorId)).toMatchObject({
      pricingModel: 'PercentageOfSale',
      rateBasisPoints: 1500,
      agreementEpoch: 1,
      agreementChangedAt: at,
      agreementSettledEpoch: 0,
    });
    expect(await messagesTo(sql, vendorId)).toEqual([{ kind: 'agreementSwitch', payload: {} }]);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(8);
  });

  test('begins no epoch for another rate', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    await liveOffer(sql, vendorId);
    const before = await vendorRow(sql, vendorId);
    expect(await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 1 })).toBe(0);
    expect(await vendorRow(sql, vendorId)).toEqual({
      ...before,
      rateBasisPoints: 1,
      agreementVersion: 1,
    });
    expect(await messagesTo(sql, vendorId)).toHaveLength(1);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(0);
  });

  test('counts no offer twice', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    for (let index = 0; index < 4; index += 1) await liveOffer(sql, vendorId);
    expect(await putInForce(sql, vendorId, percentage)).toBe(4);
    await follow(sql, vendorId, 2);
    const late = await newOffer(sql, vendorId, {
      pricingModel: 'PercentageOfSale',
      agreementEpoch: 1,
    });
    expect(await putInForce(sql, vendorId, costPlus)).toBe(1);
    expect(await present(sql, late)).toMatchObject({
      status: 'PendingRepricing',
      pricingModel: 'CostPlusMargin',
    });
    expect(await countOutdatedOffers(sql, vendorId)).toBe(5);
  });

  test('waits for a decision, and the reverse', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await newOffer(sql, vendorId);
    const release = await held(sql, (transaction) => lockAnyOffer(transaction, offer.id));
    const switching = putInForce(sql, vendorId, percentage);
    await untilAnyLockWait(sql);
    await release();
    expect(await switching).toBe(1);

    const letSwitchGo = await held(sql, async (transaction) => {
      await lockVendor(transaction, vendorId);
      await activateAgreement(transaction, vendorId, costPlus, { isSwitch: true, now: new Date() });
    });
    const deciding = sql.begin((transaction) => lockAnyOffer(transaction, offer.id));
    await untilAnyLockWait(sql);
    await letSwitchGo();
    expect(await deciding).toMatchObject({ agreement: costPlus, offer: { agreementEpoch: 2 } });
  });
});

describe('lockOutdatedOffers', () => {
  test('locks the oldest epoch first', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const [first, second] = [
      await liveOffer(sql, vendorId),
      await newOffer(sql, vendorId, { status: 'Draft' }),
    ];
    await putInForce(sql, vendorId, percentage);
    await follow(sql, vendorId, 1);
    await putInForce(sql, vendorId, costPlus);
    const current = await newOffer(sql, vendorId, { agreementEpoch: 2, agreementVersion: 2 });
    const lockBehind = async (limit: number) => {
      const behind = await sql.begin((transaction) =>
        lockOutdatedOffers(transaction, vendorId, limit),
      );
      return new Map(
        behind.map(({ stored, offer }) => [offer.id, { from: stored.agreementEpoch, offer }]),
      );
    };
    const followed = { agreementEpoch: 2, pricingModel: 'CostPlusMargin' };
    const behind = await lockBehind(10);
    expect(behind.size).toBe(2);
    expect(behind.get(second.id)).toMatchObject({ from: 0, offer: followed });
    expect(behind.get(first.id)).toMatchObject({ from: 1, offer: followed });
    expect([...(await lockBehind(1)).keys()]).toEqual([second.id]);
    expect((await found(sql, current)).offer).toEqual(current);
  });

  test('stores each offer once when several batches run at once', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offers = await Promise.all(Array.from({ length: 20 }, () => liveOffer(sql, vendorId)));
    await putInForce(sql, vendorId, percentage);
    const batches = await Promise.all([
      follow(sql, vendorId, 7),
      follow(sql, vendorId, 7),
      follow(sql, vendorId, 7),
    ]);
    while (!(await follow(sql, vendorId, 7)).isSettled);
    expect(batches.every(({ offers }) => offers <= 7)).toBe(true);
    for (const offer of offers) {
      expect(await present(sql, offer)).toMatchObject({ version: 2, status: 'PendingRepricing' });
      expect(await statusChangesOf(sql, offer)).toHaveLength(2);
    }
  });

  test('keeps an offer withdrawn that is withdrawn while a batch waits for it', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, percentage);
    const before = await found(sql, offer);
    const after = expectValue(moveOffer(before.offer, { action: 'withdraw' }, new Date()));
    const release = await held(sql, (transaction) =>
      storeOffers(transaction, [{ found: before, after }]),
    );
    const following = follow(sql, vendorId);
    await untilAnyLockWait(sql);
    await release();
    await following;
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
  test('is refused while an offer is behind, and settles when none is', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    await newOffer(sql, vendorId, { status: 'Draft' });
    await putInForce(sql, vendorId, percentage);
    expect(await settleAgreement(sql, vendorId)).toBe(false);
    expect(await vendorRow(sql, vendorId)).toMatchObject({ agreementSettledEpoch: 0 });
    expect(await follow(sql, vendorId)).toEqual({
      offers: 1,
      supplyOptions: 0,
      remaining: 0,
      isSettled: true,
    });
    expect(await vendorRow(sql, vendorId)).toMatchObject({ agreementSettledEpoch: 1 });
  });

  test('follows a switch that waits for a batch', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, percentage);
    const release = await held(sql, (transaction) => lockOutdatedOffers(transaction, vendorId, 10));
    const switching = putInForce(sql, vendorId, costPlus);
    await untilAnyLockWait(sql);
    await release();
    await switching;
    expect(await settleAgreement(sql, vendorId)).toBe(false);
    expect(await follow(sql, vendorId)).toMatchObject({ isSettled: true });
    expect(await present(sql, offer)).toMatchObject({
      status: 'PendingRepricing',
      pricingModel: 'CostPlusMargin',
      agreementEpoch: 2,
    });
    expect(await vendorRow(sql, vendorId)).toMatchObject({
      agreementEpoch: 2,
      agreementSettledEpoch: 2,
    });
  });

  test('waits 2 s for an offer', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, percentage);
    const release = await holdOffer(sql, offer.id);
    const batch = follow(sql, vendorId).catch((error: unknown) => error);
    await untilAnyLockWait(sql);
    await putInForce(sql, vendorId, costPlus);
    expect(await batch).toSatisfy(isLockTimeout);
    await release();
    expect(await follow(sql, vendorId)).toMatchObject({ offers: 1, isSettled: true });
  });
});

describe('repriceSupplyOptions', () => {
  test('gives the next options of the vendor the prices of the current rate', async ({ sql }) => {
    const [vendorId, other] = [await addVendor(sql), await addVendor(sql)];
    for (let index = 0; index < 5; index += 1) await liveOffer(sql, vendorId);
    await liveOffer(sql, other);
    const others = await optionsOf(sql, other);
    await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(3);
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(2);
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(0);
    expect(await optionsOf(sql, vendorId)).toEqual(
      Array.from({ length: 5 }, () => ({
        net: 10_000,
        sellNet: 10_001,
        payoutNet: 10_000,
        rateBasisPoints: 1,
      })),
    );
    expect(await optionsOf(sql, other)).toEqual(others);
  });

  test('settles after a batch that is not full', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    for (let index = 0; index < 2; index += 1) await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    expect(await follow(sql, vendorId, 2)).toEqual({
      offers: 0,
      supplyOptions: 2,
      remaining: 0,
      isSettled: false,
    });
    expect(await follow(sql, vendorId, 2)).toEqual({
      offers: 0,
      supplyOptions: 0,
      remaining: 0,
      isSettled: true,
    });
  });

  test('keeps the prices of another model', async ({ sql }) => {
    const vendorId = await addVendor(sql);
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
    const vendorId = await addVendor(sql, percentage);
    const offer = await newOffer(sql, vendorId, {
      status: 'Approved',
      pricingModel: 'PercentageOfSale',
      salePrice: { netHalalas: 30, vatHalalas: 5, enteredVatInclusive: false },
      supply: { optionId: uuidv7(), isPaused: true, pricingModel: 'PercentageOfSale' },
    });
    await upsertSupplyOption(sql, offer, percentage);
    expect(await optionsOf(sql, vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 25 }]);
    await putInForce(sql, vendorId, { ...percentage, rateBasisPoints: 10_000 });
    await follow(sql, vendorId);
    expect(await optionsOf(sql, vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 0 }]);
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ isPaused: true });
  });

  test('applies a rate that comes meanwhile', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    const release = await held(sql, (transaction) =>
      repriceSupplyOptions(transaction, vendorId, 10),
    );
    await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 2 });
    await release();
    expect(await messagesTo(sql, vendorId)).toHaveLength(2);
    await follow(sql, vendorId);
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ sellNet: '10002' });
  });
});

// Postgres ends a deadlock after a second with an error in one of the two.
describe('following does not lock against an operator’s command', () => {
  test('on an offer of its last batch', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, percentage);
    // Holds the batch between its look and its write.
    const release = await held(
      sql,
      (transaction) => transaction`lock table offer_status_changes in share mode`,
    );
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

  test('on an offer whose supply option it has just repriced', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId);
    await putInForce(sql, vendorId, { ...costPlus, rateBasisPoints: 1 });
    // Holds it between the prices and the settling.
    const release = await held(
      sql,
      (transaction) => transaction`select from vendors where id = ${vendorId} for share`,
    );
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
