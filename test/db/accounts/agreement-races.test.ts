import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { countOutdatedOffers } from '../../../db/accounts/agreements.ts';
import type { Queryable } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { insertOffers } from '../../../db/offers/insert-offers.ts';
import { findAnyOffer, findOwnOffer, lockAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { upsertSupplyOptions } from '../../../db/offers/supply-options.ts';
import { editOffer } from '../../../domain/offers/edit-offer.ts';
import { moveOffer } from '../../../domain/offers/move-offer.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { expectValue, offer as offerLike } from '../../domain/offers/offer-builders.ts';
import * as rows from './agreements-fixture.ts';
import { costPlus, percentageOfSale } from '../../support/api/actors.ts';
import { changeAgreement, putInForce } from '../../support/seeds/agreement.ts';
import { meets } from '../../support/database/locks.ts';

const test = rows.agreementTest;

const edit = ({ offer }: FoundOffer) => {
  const edited = { description: { vendorSku: 'NEW' }, prices: [], stock: null };
  return expectValue(editOffer(offer, edited, { vatRateBasisPoints: 1500, now: new Date() }));
};
const move = ({ offer }: FoundOffer, action: 'submit' | 'withdraw') =>
  expectValue(moveOffer(offer, { action }, new Date()));

/** A look at an offer with a lock. */
type Look = (by: Queryable, offer: Offer) => Promise<FoundOffer | null>;
const looks: readonly (readonly [string, Look])[] = [
  ['findOwnOffer', (by, { vendorId, id }) => findOwnOffer(by, vendorId, id, { isLocked: true })],
  ['lockAnyOffer', (by, { id }) => lockAnyOffer(by, id)],
];

describe.for(looks)('a transaction that waited for an offer in %s', ([, look]) => {
  test('reads the supply option of an approval', async ({ sql, vendorId }) => {
    const offer = await rows.newOffer(sql, vendorId);
    const before = await rows.found(sql, offer);
    // The first approval of the offer, so its supply option is new.
    const supply = { optionId: uuidv7(), isPaused: false, pricingModel: 'CostPlusMargin' } as const;
    const live = { status: 'Approved', everApproved: true, awaitingSince: null } as const;
    const after: Offer = { ...offer, ...live, supply, version: 2 };
    const approve = async (transaction: Queryable) => {
      await storeOffers(transaction, [{ found: before, after }]);
      await upsertSupplyOptions(transaction, [{ after, agreement: costPlus }]);
    };
    const looked = await meets(sql, approve, () => sql.begin((by) => look(by, offer)));
    expect(looked).toMatchObject({ offer: await rows.present(sql, offer) });
  });

  test('reads the pause of a withdrawal', async ({ sql, vendorId }) => {
    const offer = await rows.liveOffer(sql, vendorId);
    const before = await rows.found(sql, offer);
    const withdraw = (by: Queryable) =>
      storeOffers(by, [{ found: before, after: move(before, 'withdraw') }]);
    const looked = await meets(sql, withdraw, () => sql.begin((by) => look(by, offer)));
    const supply = { isPaused: true };
    expect(looked).toMatchObject({ offer: { status: 'Withdrawn', supply } });
    expect(looked).toMatchObject({ offer: await rows.present(sql, offer) });
  });
});

describe('a vendor’s command that read an offer before the switch', () => {
  test('stores nothing at first; a second write follows the switch', async ({ sql, vendorId }) => {
    const offer = await rows.liveOffer(sql, vendorId, { barcode: '4006381333931' });
    const before = await rows.found(sql, offer);
    await changeAgreement(sql, vendorId, percentageOfSale);
    const switched = await rows.present(sql, offer);
    expect(await storeOffers(sql, [{ found: before, after: edit(before) }])).toBe(0);
    expect(await rows.present(sql, offer)).toEqual(switched);

    const again = await rows.found(sql, offer);
    expect(await storeOffers(sql, [{ found: again, after: edit(again) }])).toBe(1);
    const standing = await rows.present(sql, offer);
    const supply = { isPaused: true };
    const edited = { vendorSku: 'NEW', status: 'PendingRepricing', version: 3, supply };
    expect(standing).toMatchObject(edited);
    expect(await rows.follow(sql, vendorId)).toMatchObject({ offers: 0, isSettled: true });
    expect(await rows.present(sql, offer)).toEqual(standing);
  });

  test('leaves a history in time order', async ({ sql, vendorId }) => {
    const offer = await rows.newOffer(sql, vendorId, { status: 'Draft', awaitingSince: null });
    const before = await rows.found(sql, offer);
    await storeOffers(sql, [{ found: before, after: move(before, 'submit') }]);
    await delay(5);
    await changeAgreement(sql, vendorId, percentageOfSale);
    await delay(5);
    const looked = await rows.found(sql, offer);
    await storeOffers(sql, [{ found: looked, after: move(looked, 'withdraw') }]);
    await rows.follow(sql, vendorId);
    const times = (await rows.statusChangesOf(sql, offer)).map(({ at }) => at.getTime());
    expect(times).toHaveLength(4);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
  });

  test.for([
    ['submit', 'Draft'],
    ['withdraw', 'PendingReview'],
  ] as const)(
    'is counted by the switch if the switch moves its offer: %s',
    async ([action, status], { sql, vendorId }) => {
      const offer = await rows.newOffer(sql, vendorId, { status });
      const before = await rows.found(sql, offer);
      const counted = await changeAgreement(sql, vendorId, percentageOfSale);
      if ((await storeOffers(sql, [{ found: before, after: move(before, action) }])) === 0) {
        const again = await rows.found(sql, offer);
        await storeOffers(sql, [{ found: again, after: move(again, action) }]);
      }
      await rows.follow(sql, vendorId);
      const moves = await rows.statusChangesOf(sql, offer);
      expect(moves.filter(({ toStatus }) => toStatus === 'PendingRepricing')).toHaveLength(counted);
    },
  );
});

const given = (vendorId: string): Offer => {
  const id = uuidv7();
  return offerLike({ id, vendorId, variantId: rows.variantId, vendorExternalId: id, version: 1 });
};

describe('an offer that is created during an agreement switch', () => {
  test('waits for the switch, and is not stored under the old one', async ({ sql, vendorId }) => {
    const offer = given(vendorId);
    const inserted = await meets(
      sql,
      (transaction) => putInForce(transaction, vendorId, percentageOfSale),
      () => insertOffers(sql, [offer]),
    );
    expect(inserted.size).toBe(0);
    expect(await findAnyOffer(sql, offer.id)).toBeNull();
  });

  test('is counted by a switch that had to wait for it', async ({ sql, vendorId }) => {
    const offer = given(vendorId);
    const counted = await meets(
      sql,
      (transaction) => insertOffers(transaction, [offer]),
      () => changeAgreement(sql, vendorId, percentageOfSale),
    );
    expect(counted).toBe(1);
    expect(await rows.present(sql, offer)).toMatchObject({
      status: 'PendingRepricing',
      version: 2,
    });
  });

  test('is refused under an older epoch', async ({ sql, vendorId }) => {
    await changeAgreement(sql, vendorId, percentageOfSale);
    await changeAgreement(sql, vendorId, costPlus);
    const offer = given(vendorId);
    expect((await insertOffers(sql, [offer])).size).toBe(0);
    expect((await insertOffers(sql, [{ ...offer, agreementEpoch: 2 }])).size).toBe(1);
    expect(await countOutdatedOffers(sql, vendorId)).toBe(0);
  });
});
