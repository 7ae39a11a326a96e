import { expect } from 'vitest';
import { createKnownAgreements } from '../../../api/offers/known-agreements.ts';
import { submitOffer } from '../../../api/offers/submit-offer.ts';
import { activateAgreement } from '../../../db/accounts/agreements.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import type { PricingModel } from '../../../domain/accounts/agreement.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import { declaration, expectValue } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

const test = databaseTest.extend('creations', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const known = createKnownAgreements();
  const submit = (given: Partial<OfferDeclaration> = {}) =>
    submitOffer(sql, {
      vendorId,
      source: 'Api',
      declaration: declaration(given),
      vatRateBasisPoints: 1500,
      known,
    });
  const switchTo = (pricingModel: PricingModel) =>
    sql.begin((transaction) =>
      activateAgreement(
        transaction,
        vendorId,
        { pricingModel, rateBasisPoints: 1500 },
        { isSwitch: true, now: new Date() },
      ),
    );
  return { submit, switchTo };
});

test('creates under an agreement not seen yet', async ({
  creations: { submit, switchTo },
  sql,
}) => {
  await submit();
  await switchTo('PercentageOfSale');
  const free = { costHalalas: 0 };
  const priced = { salePriceHalalas: 5000, salePriceIsVatInclusive: false };
  for (const given of [{}, free, priced]) {
    const { offer } = expectValue(await submit(given));
    expect(offer.pricingModel).toBe('PercentageOfSale');
    expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  }

  await switchTo('CostPlusMargin');
  expect(await submit(free)).toMatchObject({ ok: false });
  expect(await submit(priced)).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' },
  });
  expect(expectValue(await submit()).offer.pricingModel).toBe('CostPlusMargin');
});

test('returns the offer of a known vendorExternalId', async ({ creations: { submit } }) => {
  const first = expectValue(await submit({ vendorExternalId: 'key' }));
  for (const given of [{}, { costHalalas: 0 }, { rawBrandName: 'Another' }]) {
    const again = expectValue(await submit({ vendorExternalId: 'key', ...given }));
    expect(again).toEqual({ offer: first.offer, isNew: false });
  }
});

test('forgets the agreement that was read longest ago first', () => {
  const known = createKnownAgreements(2);
  const agreement = {
    pricingModel: 'CostPlusMargin',
    agreementEpoch: 0,
    agreementVersion: 0,
  } as const;
  for (const vendorId of ['a', 'b', 'a', 'c']) known.set(vendorId, agreement);
  expect(['a', 'b', 'c'].map((vendorId) => known.get(vendorId) !== null)).toEqual([
    true,
    false,
    true,
  ]);
});
