import { expect } from 'vitest';
import { changeOffer } from '../../../api/offers/change-offer.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { fail, ok } from '../../../domain/errors.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { expectFailure, expectValue } from '../../domain/offers/offer-builders.ts';
import { newOfferFixture, recordOf } from './offer-fixture.ts';
import { unknownId, type Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { meets } from '../../support/database/locks.ts';
import { rowOf } from './offer-record.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const edited = (offer: Offer, given: Partial<Offer>): Offer => ({
  ...offer,
  ...given,
  version: offer.version + 1,
  changedAt: now,
});

const broken = () => {
  throw new Error('a bug');
};

async function newOffer(gateway: Gateway) {
  const fixture = await newOfferFixture(gateway);
  const offerId = await fixture.create();
  return { offerId, vendorId: fixture.vendor.vendorId };
}

/** Changes the offer while another writer has written it and not committed yet. */
const late = (gateway: Gateway, offerId: string, change: () => ReturnType<typeof changeOffer>) =>
  meets(
    gateway.sql,
    (sql) =>
      sql`update offers set vendor_sku = 'meanwhile', version = version + 1 where id = ${offerId}`,
    change,
  );

test('the rule of an undisturbed command is asked once, and its result is stored', async ({
  gateway,
}) => {
  const key = await newOffer(gateway);
  const seen: Offer[] = [];
  const changed = await changeOffer(gateway.sql, key, (offer) => {
    seen.push(offer);
    return ok(edited(offer, { rawSizeMl: 5 }));
  });
  expect(seen).toHaveLength(1);
  expect(expectValue(changed)).toMatchObject({ rawSizeMl: 5, version: 2 });
  expect(await findAnyOffer(gateway.sql, key.offerId)).toEqual(expectValue(changed));
});

test('what lost its race is judged again on what the winner made, and both are stored', async ({
  gateway,
}) => {
  const key = await newOffer(gateway);
  const seen: Offer[] = [];
  const changed = await late(gateway, key.offerId, () =>
    changeOffer(gateway.sql, key, (offer) => {
      seen.push(offer);
      return ok(edited(offer, { rawSizeMl: 5 }));
    }),
  );
  expect(seen.map(({ version, vendorSku }) => [version, vendorSku])).toEqual([
    [1, null],
    [2, 'meanwhile'],
  ]);
  const both = { vendorSku: 'meanwhile', rawSizeMl: 5, version: 3 };
  expect(expectValue(changed)).toMatchObject(both);
  expect(await findAnyOffer(gateway.sql, key.offerId)).toEqual(expectValue(changed));
});

test('what lost its race may be refused, or be nothing to do, by what the winner made', async ({
  gateway,
}) => {
  for (const second of [fail('BUSINESS_OFFER_INVALID_TRANSITION'), null]) {
    const key = await newOffer(gateway);
    const changed = await late(gateway, key.offerId, () =>
      changeOffer(gateway.sql, key, (offer) => {
        if (offer.version === 1) return ok(edited(offer, { rawSizeMl: 5 }));
        return second ?? ok(offer);
      }),
    );
    if (second === null)
      expect(expectValue(changed)).toMatchObject({ version: 2, rawSizeMl: null });
    else expect(expectFailure(changed).code).toBe('BUSINESS_OFFER_INVALID_TRANSITION');
    expect(await findAnyOffer(gateway.sql, key.offerId)).toMatchObject({
      version: 2,
      rawSizeMl: null,
    });
  }
});

test('the very same offer is nothing to store, and a refusal neither', async ({ gateway }) => {
  const key = await newOffer(gateway);
  const before = await recordOf(gateway, key.offerId);
  expect(expectValue(await changeOffer(gateway.sql, key, ok)).id).toBe(key.offerId);
  const refused = await changeOffer(gateway.sql, key, () =>
    fail('BUSINESS_OFFER_NO_PENDING_PRICE'),
  );
  expect(expectFailure(refused).code).toBe('BUSINESS_OFFER_NO_PENDING_PRICE');
  expect(await recordOf(gateway, key.offerId)).toBe(before);
});

test("an unknown offer and another vendor's are not found, and the rule is not asked", async ({
  gateway,
}) => {
  const key = await newOffer(gateway);
  const { vendorId } = await newOffer(gateway);
  for (const wrong of [
    { ...key, vendorId },
    { ...key, offerId: unknownId() },
  ]) {
    const changed = await changeOffer(gateway.sql, wrong, broken);
    expect(expectFailure(changed).code).toBe('NOT_FOUND_VENDOR_OFFER');
  }
});

test('a lost race against a taken vendorExternalId names the field, and leaves no lock', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const offerId = await fixture.create();
  await fixture.create({ declared: { vendorExternalId: 'taken' } });
  const key = { offerId, vendorId: fixture.vendor.vendorId };
  const changed = await late(gateway, offerId, () =>
    changeOffer(gateway.sql, key, (offer) => ok(edited(offer, { vendorExternalId: 'taken' }))),
  );
  expect(expectFailure(changed)).toMatchObject({
    code: 'VALIDATION_ERRORS',
    details: { errors: [{ field: 'VendorExternalId', code: 'taken' }] },
  });
  expect((await fixture.patch(offerId, { rawSizeMl: 5 })).status).toBe(200);
});

test('a rule that breaks down stores nothing and holds nothing', async ({ gateway }) => {
  const key = await newOffer(gateway);
  const before = await recordOf(gateway, key.offerId);
  await expect(changeOffer(gateway.sql, key, broken)).rejects.toThrow('a bug');
  expect(await recordOf(gateway, key.offerId)).toBe(before);
  expect(expectValue(await changeOffer(gateway.sql, key, ok)).version).toBe(1);
});

test('in twenty rounds of concurrent updates and pushes all survive, each as one version', async ({
  gateway,
}) => {
  const { create, patch, send, read } = await newOfferFixture(gateway);
  const id = await create();
  for (let round = 1; round <= 20; round += 1) {
    const answers = await Promise.all([
      patch(id, { vendorSku: `S-${round}` }),
      patch(id, { rawDescription: `Text ${round}` }),
      patch(id, { rawSizeMl: round }),
      patch(id, { vendorExternalId: `key-${round}` }),
      send('PATCH', `/${id}/cost`, { cost: round, costIsVatInclusive: false }),
      send('PATCH', `/${id}/stock`, { declaredInStock: true, declaredStockQuantity: round }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await read(id)).payload).toMatchObject({
      vendorExternalId: `key-${round}`,
      product: { vendorSku: `S-${round}`, rawDescription: `Text ${round}`, rawSizeMl: round },
      cost: { amount: round },
      stock: { declaredQuantity: round },
    });
    expect(await rowOf(gateway.sql, id)).toMatchObject({ version: 1 + 6 * round });
  }
});
