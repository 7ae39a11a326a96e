import { expect } from 'vitest';
import { changeOffer } from '../../../api/offers/change-offer.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { fail, ok, type Result } from '../../../domain/errors.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { newOfferFixture, recordOf } from './offer-fixture.ts';
import type { Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { meets } from '../../support/database/locks.ts';

const edited = (offer: Offer, given: Partial<Offer>): Result<Offer> =>
  ok({ ...offer, ...given, version: offer.version + 1, changedAt: new Date() });

async function newOffer(gateway: Gateway) {
  const fixture = await newOfferFixture(gateway);
  const offerId = await fixture.create();
  return { offerId, vendorId: fixture.vendor.vendorId };
}

const broken = () => {
  throw new Error('a bug');
};

/** Changes the offer while another writer has written it and not committed yet. */
const late = (gateway: Gateway, offerId: string, change: () => ReturnType<typeof changeOffer>) =>
  meets(
    gateway.sql,
    (sql) =>
      sql`update offers set vendor_sku = 'meanwhile', version = version + 1 where id = ${offerId}`,
    change,
  );

const sized = (offer: Offer) => edited(offer, { rawSizeMl: 5 });
const code = 'BUSINESS_OFFER_INVALID_TRANSITION';

test.for<readonly [string, (offer: Offer) => Result<Offer>, object, Partial<Offer>]>([
  ['stores', sized, { ok: true }, { rawSizeMl: 5, version: 3 }],
  ['leaves', ok, { ok: true, value: { version: 2 } }, { rawSizeMl: null, version: 2 }],
  ['refuses', () => fail(code), { failure: { code } }, { rawSizeMl: null, version: 2 }],
])('judges a command again after a concurrent change, and %s it', async (row, { gateway }) => {
  const [, second, result, stored] = row;
  const key = await newOffer(gateway);
  const seen: unknown[] = [];
  const changed = await late(gateway, key.offerId, () =>
    changeOffer(gateway.sql, key, (offer) => {
      seen.push([offer.version, offer.vendorSku]);
      return offer.version === 1 ? sized(offer) : second(offer);
    }),
  );
  expect(seen).toEqual([
    [1, null],
    [2, 'meanwhile'],
  ]);
  expect(changed).toMatchObject(result);
  const offer = await findAnyOffer(gateway.sql, key.offerId);
  expect(offer).toMatchObject({ ...stored, vendorSku: 'meanwhile' });
  if (changed.ok) expect(changed.value).toEqual(offer);
});

test('names a taken vendorExternalId after a concurrent change, and leaves no lock', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const offerId = await fixture.create();
  await fixture.create({ declared: { vendorExternalId: 'taken' } });
  const key = { offerId, vendorId: fixture.vendor.vendorId };
  const changed = await late(gateway, offerId, () =>
    changeOffer(gateway.sql, key, (offer) => edited(offer, { vendorExternalId: 'taken' })),
  );
  expect(changed).toMatchObject({
    failure: {
      code: 'VALIDATION_ERRORS',
      details: { errors: [{ field: 'VendorExternalId', code: 'taken' }] },
    },
  });
  expect((await fixture.patch(offerId, { rawSizeMl: 5 })).status).toBe(200);
});

test('stores nothing and holds no lock when a rule throws', async ({ gateway }) => {
  const key = await newOffer(gateway);
  const before = await recordOf(gateway, key.offerId);
  await expect(changeOffer(gateway.sql, key, broken)).rejects.toThrow('a bug');
  expect(await recordOf(gateway, key.offerId)).toBe(before);
  expect(await changeOffer(gateway.sql, key, ok)).toMatchObject({ value: { version: 1 } });
});
