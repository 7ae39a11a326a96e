import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import {
  countOutdatedOffers,
  lockOutdatedOffers,
  activateAgreement,
  repriceSupplyOptions,
  settleAgreement,
} from '../../../db/accounts/agreements.ts';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import { listOffers } from '../../../db/offers/offer-list.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import {
  findAnyOffer,
  findOwnOffer,
  insertOffer,
  lockAnyOffer,
} from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { findSupplyOption, upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { editOffer } from '../../../domain/offers/edit-offer.ts';
import { moveOffer, type OfferMove } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { expectValue, offer as offerLike, variant } from '../../domain/offers/offer-builders.ts';
import { addVendor, deferred, someoneWaits } from '../support.ts';

let database: TestDatabase;
let sql: Sql;
const variantId = uuidv7();

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});
afterAll(async () => {
  await sql.end({ timeout: 5 });
  await database.drop();
});

const costPlus: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
const percentage: Agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 };

async function newOffer(vendorId: string, given: Partial<Offer> = {}): Promise<Offer> {
  const id = uuidv7();
  const offer = offerLike({ id, vendorId, variantId, vendorExternalId: id, version: 1, ...given });
  if (!(await insertOffer(sql, offer))) throw new Error('not stored');
  return offer;
}
async function liveOffer(vendorId: string, given: Partial<Offer> = {}): Promise<Offer> {
  const supply = { optionId: uuidv7(), isPaused: false, pricingModel: 'CostPlusMargin' } as const;
  const offer = await newOffer(vendorId, {
    status: 'Approved',
    everApproved: true,
    awaitingSince: null,
    supply,
    ...given,
  });
  await upsertSupplyOption(sql, offer, costPlus);
  return offer;
}

/** As the route does; answers how many offers move. */
const putInForce = (vendorId: string, agreement: Agreement, at = new Date(), by: Sql = sql) =>
  by.begin(async (transaction) => {
    const before = await lockVendor(transaction, vendorId);
    const isSwitch = before?.agreement.pricingModel !== agreement.pricingModel;
    return activateAgreement(transaction, vendorId, agreement, { isSwitch, now: at });
  });
const follow = (vendorId: string, limit = 100) =>
  createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit });
const vendorRow = async (vendorId: string) =>
  (await sql`select * from vendors where id = ${vendorId}`)[0];
const messagesTo = (subjectId: string) =>
  sql`select kind, payload from outbox where subject_id = ${subjectId}`;
const found = async (offer: Offer, by: Queryable = sql): Promise<FoundOffer> => {
  const look = await findOwnOffer(by, offer.vendorId, offer.id);
  if (look === null) throw new Error('no offer');
  return look;
};
const present = async ({ id }: Offer): Promise<Offer> => {
  const offer = await findAnyOffer(sql, id);
  if (offer === null) throw new Error('no offer');
  return offer;
};
const statusChangesOf = ({ id }: Offer) => sql<
  { fromStatus: string; toStatus: string; at: Date }[]
>`
  select from_status, to_status, at from offer_status_changes where offer_id = ${id} order by id`;
const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

const optionsOf = (vendorId: string) => sql`
  select net, sell_net::int as sell_net, payout_net, rate_basis_points from supply_options
  where vendor_id = ${vendorId} order by id`;

/** An operator's command as the routes make it: all under the locks of `lockAnyOffer`. */
const command = (offer: Offer) =>
  sql.begin(async (transaction) => {
    const looked = await lockAnyOffer(transaction, offer.id);
    if (looked === null) throw new Error('no offer');
    const after = { ...looked.offer, declaredStockQuantity: 99, version: looked.offer.version + 1 };
    return storeOffers(transaction, [{ found: looked, after }]);
  });
const waiters = (count: number) =>
  expect
    .poll(
      async () => {
        const [row] = await sql<[{ count: number }]>`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row.count;
      },
      { timeout: 10_000, interval: 5 },
    )
    .toBe(count);

/** Runs `work` in a transaction that stays open until it is let go. */
async function held(work: (transaction: Queryable) => Promise<unknown>) {
  const done = deferred<void>();
  const released = deferred<void>();
  const transaction = sql.begin(async (transaction) => {
    await work(transaction);
    done.resolve();
    await released.promise;
  });
  await Promise.race([done.promise, transaction]);
  return async () => {
    released.resolve();
    await transaction;
  };
}

/** An approval that is made and yet to be committed: the offer's first, so its supply option is new. */
async function heldApproval(offer: Offer) {
  const before = await found(offer);
  const supply = { optionId: uuidv7(), isPaused: false, pricingModel: 'CostPlusMargin' } as const;
  const after: Offer = {
    ...offer,
    status: 'Approved',
    everApproved: true,
    awaitingSince: null,
    supply,
    version: 2,
  };
  return held(async (transaction) => {
    await storeOffers(transaction, [{ found: before, after }]);
    await upsertSupplyOption(transaction, after, costPlus);
  });
}

const edit = (offer: Offer, now: Date) =>
  expectValue(
    editOffer(
      offer,
      { description: { vendorSku: 'NEW' }, prices: [], stock: null },
      { vatRateBasisPoints: 1500, now },
    ),
  );
const move = (offer: Offer, action: Extract<OfferMove['action'], 'submit' | 'withdraw'>) =>
  expectValue(moveOffer(offer, { action }, new Date()));

describe('putAgreementInForce', () => {
  test('a switch counts those that it moves, begins an epoch, and tells the workflow', async () => {
    const vendorId = await addVendor(sql);
    await liveOffer(vendorId);
    await newOffer(vendorId);
    for (const status of [
      'Draft',
      'PendingMatch',
      'Rejected',
      'Withdrawn',
      'Suspended',
      'PendingRepricing',
    ] as const) {
      await newOffer(vendorId, { status });
    }
    await liveOffer(await addVendor(sql));
    const at = new Date('2026-05-01T00:00:00.123Z');
    expect(await putInForce(vendorId, percentage, at)).toBe(2);
    expect(await vendorRow(vendorId)).toMatchObject({
      pricingModel: 'PercentageOfSale',
      rateBasisPoints: 1500,
      agreementEpoch: 1,
      agreementChangedAt: at,
      agreementSettledEpoch: 0,
    });
    expect(await messagesTo(vendorId)).toEqual([{ kind: 'agreementSwitch', payload: {} }]);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(8);
  });

  test('another rate begins no epoch, and tells the workflow', async () => {
    const vendorId = await addVendor(sql);
    await liveOffer(vendorId);
    const before = await vendorRow(vendorId);
    expect(await putInForce(vendorId, { ...costPlus, rateBasisPoints: 1 })).toBe(0);
    expect(await vendorRow(vendorId)).toEqual({ ...before, rateBasisPoints: 1 });
    expect(await messagesTo(vendorId)).toHaveLength(1);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(0);
  });

  test('a second switch counts none twice, whether the first is stored, in part or not at all', async () => {
    const vendorId = await addVendor(sql);
    for (let index = 0; index < 4; index += 1) await liveOffer(vendorId);
    expect(await putInForce(vendorId, percentage)).toBe(4);
    await follow(vendorId, 2);
    const late = await newOffer(vendorId, { pricingModel: 'PercentageOfSale', agreementEpoch: 1 });
    expect(await putInForce(vendorId, costPlus)).toBe(1);
    expect(await present(late)).toMatchObject({
      status: 'PendingRepricing',
      pricingModel: 'CostPlusMargin',
    });
    expect(await countOutdatedOffers(sql, vendorId)).toBe(5);
  });

  test('a switch waits for a decision on an offer of the vendor, and a decision for a switch', async () => {
    const vendorId = await addVendor(sql);
    const offer = await newOffer(vendorId);
    const release = await held((transaction) => lockAnyOffer(transaction, offer.id));
    const switching = putInForce(vendorId, percentage);
    await someoneWaits(sql);
    await release();
    expect(await switching).toBe(1);

    const letSwitchGo = await held(async (transaction) => {
      await lockVendor(transaction, vendorId);
      await activateAgreement(transaction, vendorId, costPlus, { isSwitch: true, now: new Date() });
    });
    const deciding = sql.begin((transaction) => lockAnyOffer(transaction, offer.id));
    await someoneWaits(sql);
    await letSwitchGo();
    expect(await deciding).toMatchObject({ agreement: costPlus, offer: { agreementEpoch: 2 } });
  });
});

describe('lockOffersBehind', () => {
  test('takes the vendor’s own that are behind, at most so many, the furthest behind first', async () => {
    const vendorId = await addVendor(sql);
    const [first, second] = [
      await liveOffer(vendorId),
      await newOffer(vendorId, { status: 'Draft' }),
    ];
    await putInForce(vendorId, percentage);
    await follow(vendorId, 1);
    await putInForce(vendorId, costPlus);
    const current = await newOffer(vendorId, { agreementEpoch: 2 });
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
    expect((await found(current)).offer).toEqual(current);
  });

  test('followed by two at once, each offer follows once', async () => {
    const vendorId = await addVendor(sql);
    const offers = await Promise.all(Array.from({ length: 20 }, () => liveOffer(vendorId)));
    await putInForce(vendorId, percentage);
    const batches = await Promise.all([
      follow(vendorId, 7),
      follow(vendorId, 7),
      follow(vendorId, 7),
    ]);
    while (!(await follow(vendorId, 7)).isSettled);
    expect(batches.every(({ offers }) => offers <= 7)).toBe(true);
    for (const offer of offers) {
      expect(await present(offer)).toMatchObject({ version: 2, status: 'PendingRepricing' });
      expect(await statusChangesOf(offer)).toHaveLength(2);
    }
  });

  test('an offer that is withdrawn while a batch waits for it stays so and does not sell', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId);
    await putInForce(vendorId, percentage);
    const before = await found(offer);
    const after = expectValue(moveOffer(before.offer, { action: 'withdraw' }, new Date()));
    const release = await held((transaction) =>
      storeOffers(transaction, [{ found: before, after }]),
    );
    const following = follow(vendorId);
    await someoneWaits(sql);
    await release();
    await following;
    expect(await present(offer)).toMatchObject({ status: 'Withdrawn', agreementEpoch: 1 });
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ isPaused: true });
  });
});

const looks = [
  {
    name: 'findOwnOffer',
    look: (by: Queryable, { vendorId, id }: Offer): Promise<FoundOffer | null> =>
      findOwnOffer(by, vendorId, id, { isLocked: true }),
  },
  {
    name: 'lockAnyOffer',
    look: (by: Queryable, { id }: Offer): Promise<FoundOffer | null> => lockAnyOffer(by, id),
  },
];

describe('whoever waits for an offer sees it whole', () => {
  test.each(looks)(
    '$name, after an approval that it waited for, knows what the offer sells as',
    async ({ look }) => {
      const offer = await newOffer(await addVendor(sql));
      const release = await heldApproval(offer);
      const looking = sql.begin((transaction) => look(transaction, offer));
      await someoneWaits(sql);
      await release();
      expect(await looking).toMatchObject({ offer: await present(offer) });
    },
  );

  test.each(looks)(
    '$name, after a withdrawal that it waited for, knows that the offer is paused',
    async ({ look }) => {
      const offer = await liveOffer(await addVendor(sql));
      const before = await found(offer);
      const after = expectValue(moveOffer(before.offer, { action: 'withdraw' }, new Date()));
      const release = await held((transaction) =>
        storeOffers(transaction, [{ found: before, after }]),
      );
      const looking = sql.begin((transaction) => look(transaction, offer));
      await someoneWaits(sql);
      await release();
      expect(await looking).toMatchObject({ offer: await present(offer) });
      expect(await looking).toMatchObject({
        offer: { status: 'Withdrawn', supply: { isPaused: true } },
      });
    },
  );
});

describe('a vendor’s command that read an offer before the switch', () => {
  test('and writes after it: it is told to look again, and what it stores then follows the switch', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId, { barcode: '4006381333931' });
    const before = await found(offer);
    await putInForce(vendorId, percentage);
    const switched = await present(offer);
    expect(await storeOffers(sql, [{ found: before, after: edit(before.offer, new Date()) }])).toBe(
      0,
    );
    expect(await present(offer)).toEqual(switched);

    const again = await found(offer);
    expect(await storeOffers(sql, [{ found: again, after: edit(again.offer, new Date()) }])).toBe(
      1,
    );
    const standing = await present(offer);
    expect(standing).toMatchObject({ vendorSku: 'NEW', status: 'PendingRepricing', version: 3 });
    expect(standing).toMatchObject({ supply: { isPaused: true } });
    expect(await follow(vendorId)).toMatchObject({ offers: 0, isSettled: true });
    expect(await present(offer)).toEqual(standing);
  });

  test('and writes after the switch was stored: it is told to look again, and nothing is lost', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId, { barcode: '4006381333931' });
    const before = await found(offer);
    await putInForce(vendorId, percentage);
    await follow(vendorId);
    const stored = await present(offer);
    expect(await storeOffers(sql, [{ found: before, after: edit(before.offer, new Date()) }])).toBe(
      0,
    );
    expect(await present(offer)).toEqual(stored);
  });

  test('is seen by whoever polls for changes since the switch', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId, { barcode: '4006381333931' });
    await putInForce(vendorId, percentage);
    await pause();
    const changedSince = new Date().toISOString();
    await pause();
    const looked = await found(offer);
    await storeOffers(sql, [{ found: looked, after: edit(looked.offer, new Date()) }]);
    const filter = {
      status: null,
      vendorSku: null,
      vendorExternalId: null,
      changedSince,
      createdFrom: null,
      createdTo: null,
    };
    const list = () => listOffers(sql, vendorId, filter, { page: 1, pageSize: 10 });
    expect((await list()).items.map(({ offer }) => offer.vendorSku)).toEqual(['NEW']);
    await follow(vendorId);
    expect((await list()).items.map(({ offer }) => offer.vendorSku)).toEqual(['NEW']);
  });

  test('leaves a history in the order of its times', async () => {
    const vendorId = await addVendor(sql);
    const offer = await newOffer(vendorId, { status: 'Draft', awaitingSince: null });
    const before = await found(offer);
    await storeOffers(sql, [{ found: before, after: move(before.offer, 'submit') }]);
    await pause();
    await putInForce(vendorId, percentage);
    await pause();
    const looked = await found(offer);
    await storeOffers(sql, [{ found: looked, after: move(looked.offer, 'withdraw') }]);
    await follow(vendorId);
    const times = (await statusChangesOf(offer)).map(({ at }) => at.getTime());
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test.each([
    ['submit', 'Draft'],
    ['withdraw', 'PendingReview'],
  ] as const)(
    'and then writes a %s: the switch’s count is right all the same',
    async (action, status) => {
      const vendorId = await addVendor(sql);
      const offer = await newOffer(vendorId, { status });
      const before = await found(offer);
      const counted = await putInForce(vendorId, percentage);
      if ((await storeOffers(sql, [{ found: before, after: move(before.offer, action) }])) === 0) {
        const again = await found(offer);
        await storeOffers(sql, [{ found: again, after: move(again.offer, action) }]);
      }
      await follow(vendorId);
      const moved = (await statusChangesOf(offer)).filter(
        ({ toStatus }) => toStatus === 'PendingRepricing',
      );
      expect(counted).toBe(moved.length);
    },
  );
});

describe('an offer that is inserted while the agreement is switched', () => {
  test('waits for the switch, and is not stored under the old agreement', async () => {
    const vendorId = await addVendor(sql);
    const release = await held(async (transaction) => {
      await lockVendor(transaction, vendorId);
      await activateAgreement(transaction, vendorId, percentage, {
        isSwitch: true,
        now: new Date(),
      });
    });
    const id = uuidv7();
    const inserting = insertOffer(
      sql,
      offerLike({ id, vendorId, variantId, vendorExternalId: id }),
    );
    await someoneWaits(sql);
    await release();
    expect(await inserting).toBe(false);
    expect(await findAnyOffer(sql, id)).toBeNull();
  });

  test('is counted by a switch that had to wait for it', async () => {
    const vendorId = await addVendor(sql);
    const id = uuidv7();
    const offer = offerLike({ id, vendorId, variantId, vendorExternalId: id, version: 1 });
    const release = await held((transaction) => insertOffer(transaction, offer));
    const switching = putInForce(vendorId, percentage);
    await someoneWaits(sql);
    await release();
    expect(await switching).toBe(1);
    expect(await present(offer)).toMatchObject({ status: 'PendingRepricing', version: 2 });
  });

  test('does not follow when another switch has brought the old model back: its epoch is another', async () => {
    const vendorId = await addVendor(sql);
    await putInForce(vendorId, percentage);
    await putInForce(vendorId, costPlus);
    const id = uuidv7();
    const offer = offerLike({ id, vendorId, variantId, vendorExternalId: id });
    expect(await insertOffer(sql, offer)).toBe(false);
    expect(await insertOffer(sql, { ...offer, agreementEpoch: 2 })).toBe(true);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(0);
  });
});

describe('settleAgreement', () => {
  test('is refused while an offer is behind, and settles when none is', async () => {
    const vendorId = await addVendor(sql);
    await newOffer(vendorId, { status: 'Draft' });
    await putInForce(vendorId, percentage);
    expect(await settleAgreement(sql, vendorId)).toBe(false);
    expect(await vendorRow(vendorId)).toMatchObject({ agreementSettledEpoch: 0 });
    expect(await follow(vendorId)).toEqual({
      offers: 1,
      supplyOptions: 0,
      remaining: 0,
      isSettled: true,
    });
    expect(await vendorRow(vendorId)).toMatchObject({ agreementSettledEpoch: 1 });
  });

  test('a second switch waits for the batch under way, leaves it unsettled, and both are followed in the end', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId);
    await putInForce(vendorId, percentage);
    const release = await held((transaction) => lockOutdatedOffers(transaction, vendorId, 10));
    const switching = putInForce(vendorId, costPlus);
    await someoneWaits(sql);
    await release();
    await switching;
    expect(await settleAgreement(sql, vendorId)).toBe(false);
    expect(await follow(vendorId)).toMatchObject({ isSettled: true });
    expect(await present(offer)).toMatchObject({
      status: 'PendingRepricing',
      pricingModel: 'CostPlusMargin',
      agreementEpoch: 2,
    });
    expect(await vendorRow(vendorId)).toMatchObject({
      agreementEpoch: 2,
      agreementSettledEpoch: 2,
    });
  });

  test('an unknown vendor is never settled', async () => {
    expect(await settleAgreement(sql, uuidv7())).toBe(false);
    expect(await countOutdatedOffers(sql, uuidv7())).toBe(0);
  });
});

describe('repriceSupplyOptions', () => {
  test('gives the next so many options the present rate’s prices, and no other vendor’s', async () => {
    const [vendorId, other] = [await addVendor(sql), await addVendor(sql)];
    for (let index = 0; index < 5; index += 1) await liveOffer(vendorId);
    await liveOffer(other);
    const others = await optionsOf(other);
    await putInForce(vendorId, { ...costPlus, rateBasisPoints: 1 });
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(3);
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(2);
    expect(await repriceSupplyOptions(sql, vendorId, 3)).toBe(0);
    expect(await optionsOf(vendorId)).toEqual(
      Array.from({ length: 5 }, () => ({
        net: 10_000,
        sellNet: 10_001,
        payoutNet: 10_000,
        rateBasisPoints: 1,
      })),
    );
    expect(await optionsOf(other)).toEqual(others);
  });

  test('a full batch may not be the last: it is not settled, and the next one is', async () => {
    const vendorId = await addVendor(sql);
    for (let index = 0; index < 2; index += 1) await liveOffer(vendorId);
    await putInForce(vendorId, { ...costPlus, rateBasisPoints: 1 });
    expect(await follow(vendorId, 2)).toEqual({
      offers: 0,
      supplyOptions: 2,
      remaining: 0,
      isSettled: false,
    });
    expect(await follow(vendorId, 2)).toEqual({
      offers: 0,
      supplyOptions: 0,
      remaining: 0,
      isSettled: true,
    });
  });

  test('an option of the other model keeps its prices; one that an earlier version priced gets its rate', async () => {
    const vendorId = await addVendor(sql);
    const [kept, unknown] = [await liveOffer(vendorId), await liveOffer(vendorId)];
    await sql`update supply_options set pricing_model = 'PercentageOfSale', rate_basis_points = 5
      where offer_id = ${kept.id}`;
    await sql`update supply_options set rate_basis_points = null, sell_net = 0 where offer_id = ${unknown.id}`;
    expect(await repriceSupplyOptions(sql, vendorId, 10)).toBe(1);
    expect(await optionsOf(vendorId)).toMatchObject([
      { sellNet: 12_000, rateBasisPoints: 5 },
      { sellNet: 12_000, rateBasisPoints: 2000 },
    ]);
  });

  test('under Model 2 the commission is taken from what is paid out, rounded half up', async () => {
    const vendorId = await addVendor(sql, percentage);
    const offer = await newOffer(vendorId, {
      status: 'Approved',
      pricingModel: 'PercentageOfSale',
      salePrice: { netHalalas: 30, vatHalalas: 5, enteredVatInclusive: false },
      supply: { optionId: uuidv7(), isPaused: true, pricingModel: 'PercentageOfSale' },
    });
    await upsertSupplyOption(sql, offer, percentage);
    expect(await optionsOf(vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 25 }]);
    await putInForce(vendorId, { ...percentage, rateBasisPoints: 10_000 });
    await follow(vendorId);
    expect(await optionsOf(vendorId)).toMatchObject([{ sellNet: 30, payoutNet: 0 }]);
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ isPaused: true });
  });

  test('another rate while the options are priced is told to the workflow, whose next look has it', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId);
    await putInForce(vendorId, { ...costPlus, rateBasisPoints: 1 });
    const release = await held((transaction) => repriceSupplyOptions(transaction, vendorId, 10));
    await putInForce(vendorId, { ...costPlus, rateBasisPoints: 2 });
    await release();
    expect(await messagesTo(vendorId)).toHaveLength(2);
    await follow(vendorId);
    expect(await findSupplyOption(sql, offer.id)).toMatchObject({ sellNet: '10002' });
  });
});

// Postgres tells of a deadlock after a second, by failing one of the two.
describe('following does not lock against an operator’s command', () => {
  test('on an offer of its last batch', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId);
    await putInForce(vendorId, percentage);
    // Holds the batch between its look and its write.
    const release = await held(
      (transaction) => transaction`lock table offer_status_changes in share mode`,
    );
    const both: Promise<unknown>[] = [];
    try {
      both.push(follow(vendorId));
      await waiters(1);
      both.push(command(offer));
      await waiters(2);
    } finally {
      await release();
    }
    expect(await Promise.all(both)).toMatchObject([{ offers: 1, isSettled: true }, 1]);
  });

  test('on an offer whose supply option it has just priced anew', async () => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(vendorId);
    await putInForce(vendorId, { ...costPlus, rateBasisPoints: 1 });
    // Holds it between the prices and the settling.
    const release = await held(
      (transaction) => transaction`select from vendors where id = ${vendorId} for share`,
    );
    const following = follow(vendorId);
    try {
      await waiters(1);
      expect(await command(offer)).toBe(1);
    } finally {
      await release();
    }
    expect(await following).toMatchObject({ supplyOptions: 1, isSettled: true });
  });
});
