import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import {
  lockOutdatedOffers,
  repriceSupplyOptions,
  settleAgreement,
} from '../../../db/accounts/agreements.ts';
import { type Sql } from '../../../db/core/client.ts';
import { isLockTimeout } from '../../../db/core/failure.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { findSupplyOption, upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { addVendor, messagesTo } from '../support.ts';
import {
  costPlus,
  percentage,
  newOffer,
  liveOffer,
  putInForce,
  follow,
  vendorRow,
  present,
  agreementTest as test,
} from './agreements-fixture.ts';
import { held, untilAnyLockWait, untilLockWaits } from '../../support/database/locks.ts';
import { holdOffer } from '../../support/seeds/agreement.ts';

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
