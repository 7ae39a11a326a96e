import { describe, expect } from 'vitest';
import {
  countOutdatedOffers,
  lockOutdatedOffers,
  activateAgreement,
} from '../../../db/accounts/agreements.ts';
import { lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { findSupplyOption } from '../../../db/offers/supply-options.ts';
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
import { held, untilAnyLockWait } from '../../support/database/locks.ts';

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
