import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { countOutdatedOffers, activateAgreement } from '../../../db/accounts/agreements.ts';
import { type Queryable, type Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import {
  findAnyOffer,
  findOwnOffer,
  insertOffer,
  lockAnyOffer,
} from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import { editOffer } from '../../../domain/offers/edit-offer.ts';
import { moveOffer, type OfferMove } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { expectValue, offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';
import {
  variantId,
  costPlus,
  percentage,
  newOffer,
  liveOffer,
  putInForce,
  follow,
  found,
  present,
  statusChangesOf,
  agreementTest as test,
} from './agreements-fixture.ts';
import { held, untilAnyLockWait } from '../../support/database/locks.ts';

const pause = () =>
  new Promise((resolve) => {
    setTimeout(resolve, 5);
  });

/**
 * An approval that is made and yet to be committed: the offer's first, so its supply option is new.
 */
async function heldApproval(sql: Sql, offer: Offer) {
  const before = await found(sql, offer);
  const supply = { optionId: uuidv7(), isPaused: false, pricingModel: 'CostPlusMargin' } as const;
  const after: Offer = {
    ...offer,
    status: 'Approved',
    everApproved: true,
    awaitingSince: null,
    supply,
    version: 2,
  };
  return held(sql, async (transaction) => {
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

describe('a transaction that waited for an offer sees the whole change', () => {
  test.for(looks)(
    '$name reads the supply option of an approval that it waited for',
    async ({ look }, { sql }) => {
      const offer = await newOffer(sql, await addVendor(sql));
      const release = await heldApproval(sql, offer);
      const looking = sql.begin((transaction) => look(transaction, offer));
      await untilAnyLockWait(sql);
      await release();
      expect(await looking).toMatchObject({ offer: await present(sql, offer) });
    },
  );

  test.for(looks)(
    '$name reads the pause of a withdrawal that it waited for',
    async ({ look }, { sql }) => {
      const offer = await liveOffer(sql, await addVendor(sql));
      const before = await found(sql, offer);
      const after = expectValue(moveOffer(before.offer, { action: 'withdraw' }, new Date()));
      const release = await held(sql, (transaction) =>
        storeOffers(transaction, [{ found: before, after }]),
      );
      const looking = sql.begin((transaction) => look(transaction, offer));
      await untilAnyLockWait(sql);
      await release();
      expect(await looking).toMatchObject({ offer: await present(sql, offer) });
      expect(await looking).toMatchObject({
        offer: { status: 'Withdrawn', supply: { isPaused: true } },
      });
    },
  );
});

describe('a vendor’s command that read an offer before the switch', () => {
  test('stores nothing at first, and its second write follows the switch', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await liveOffer(sql, vendorId, { barcode: '4006381333931' });
    const before = await found(sql, offer);
    await putInForce(sql, vendorId, percentage);
    const switched = await present(sql, offer);
    expect(await storeOffers(sql, [{ found: before, after: edit(before.offer, new Date()) }])).toBe(
      0,
    );
    expect(await present(sql, offer)).toEqual(switched);

    const again = await found(sql, offer);
    expect(await storeOffers(sql, [{ found: again, after: edit(again.offer, new Date()) }])).toBe(
      1,
    );
    const standing = await present(sql, offer);
    expect(standing).toMatchObject({ vendorSku: 'NEW', status: 'PendingRepricing', version: 3 });
    expect(standing).toMatchObject({ supply: { isPaused: true } });
    expect(await follow(sql, vendorId)).toMatchObject({ offers: 0, isSettled: true });
    expect(await present(sql, offer)).toEqual(standing);
  });

  test('leaves a history in the order of its times', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const offer = await newOffer(sql, vendorId, { status: 'Draft', awaitingSince: null });
    const before = await found(sql, offer);
    await storeOffers(sql, [{ found: before, after: move(before.offer, 'submit') }]);
    await pause();
    await putInForce(sql, vendorId, percentage);
    await pause();
    const looked = await found(sql, offer);
    await storeOffers(sql, [{ found: looked, after: move(looked.offer, 'withdraw') }]);
    await follow(sql, vendorId);
    const times = (await statusChangesOf(sql, offer)).map(({ at }) => at.getTime());
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test.for([
    ['submit', 'Draft'],
    ['withdraw', 'PendingReview'],
  ] as const)(
    'the switch counts the offer that it moves beside a %s',
    async ([action, status], { sql }) => {
      const vendorId = await addVendor(sql);
      const offer = await newOffer(sql, vendorId, { status });
      const before = await found(sql, offer);
      const counted = await putInForce(sql, vendorId, percentage);
      if ((await storeOffers(sql, [{ found: before, after: move(before.offer, action) }])) === 0) {
        const again = await found(sql, offer);
        await storeOffers(sql, [{ found: again, after: move(again.offer, action) }]);
      }
      await follow(sql, vendorId);
      const moved = (await statusChangesOf(sql, offer)).filter(
        ({ toStatus }) => toStatus === 'PendingRepricing',
      );
      expect(counted).toBe(moved.length);
    },
  );
});

describe('an offer that is inserted while the agreement is switched', () => {
  test('waits for the switch, and is not stored under the old agreement', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const release = await held(sql, async (transaction) => {
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
    await untilAnyLockWait(sql);
    await release();
    expect(await inserting).toBeNull();
    expect(await findAnyOffer(sql, id)).toBeNull();
  });

  test('is counted by a switch that had to wait for it', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    const id = uuidv7();
    const offer = offerLike({ id, vendorId, variantId, vendorExternalId: id, version: 1 });
    const release = await held(sql, (transaction) => insertOffer(transaction, offer));
    const switching = putInForce(sql, vendorId, percentage);
    await untilAnyLockWait(sql);
    await release();
    expect(await switching).toBe(1);
    expect(await present(sql, offer)).toMatchObject({ status: 'PendingRepricing', version: 2 });
  });

  test('is refused under an older epoch', async ({ sql }) => {
    const vendorId = await addVendor(sql);
    await putInForce(sql, vendorId, percentage);
    await putInForce(sql, vendorId, costPlus);
    const id = uuidv7();
    const offer = offerLike({ id, vendorId, variantId, vendorExternalId: id });
    expect(await insertOffer(sql, offer)).toBeNull();
    expect(await insertOffer(sql, { ...offer, agreementEpoch: 2 })).not.toBeNull();
    expect(await countOutdatedOffers(sql, vendorId)).toBe(0);
  });
});
