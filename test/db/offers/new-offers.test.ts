import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { submitOffer } from '../../../commands/offers/submit-offers.ts';
import { findCreationFacts } from '../../../db/offers/creation-facts.ts';
import type { CreationAgreement } from '../../../domain/offers/create-offer.ts';
import { findAnyOffer, findOffer } from '../../../db/offers/offers.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import {
  declaration,
  expectValue,
  offer as offerLike,
} from '../../domain/offers/offer-builders.ts';
import { costPlus, percentageOfSale } from '../../support/api/actors.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { meets } from '../../support/database/locks.ts';
import { changeAgreement, putInForce } from '../../support/seeds/agreement.ts';
import { addVendor, insertGivenOffer } from '../support.ts';

const test = databaseTest
  .extend('vendorId', ({ sql }) => addVendor(sql))
  .extend('submit', ({ sql, vendorId }) => {
    const known = new Map<string, CreationAgreement>();
    const given = { vendorId, source: 'Api', vatRateBasisPoints: 1500, known } as const;
    return (declared: Partial<OfferDeclaration> = {}) =>
      submitOffer(sql, given, declaration(declared));
  });

test('reads an offer back as it was stored, for its vendor only', async ({ sql, vendorId }) => {
  const price = { netHalalas: 999_999_999, vatHalalas: 150_000_000, enteredVatInclusive: true };
  const stored = offerLike({
    id: uuidv7(),
    vendorId,
    variantId: null,
    status: 'PendingMatch',
    vendorSku: 'A\\"\'%_😀',
    barcode: '96385074',
    rawSizeMl: 100_000,
    cost: price,
    pendingCost: price,
    salePrice: price,
    pendingSalePrice: { ...price, enteredVatInclusive: false },
    declaredStockQuantity: 1_000_000,
    reviewedAt: new Date('2026-01-02T03:04:05.678Z'),
    reviewReason: 'why',
  });
  await insertGivenOffer(sql, stored);
  expect(await findAnyOffer(sql, stored.id)).toEqual(stored);
  expect(await findOffer(sql, vendorId, stored.id)).toEqual(stored);
  expect(await findOffer(sql, await addVendor(sql), stored.id)).toBeNull();
});

test('creates under the agreement of a concurrent switch', async ({ sql, vendorId, submit }) => {
  const created = await meets(
    sql,
    (transaction) => putInForce(transaction, vendorId, percentageOfSale),
    () => submit(),
  );
  const { offer } = expectValue(created);
  expect(offer.pricingModel).toBe('PercentageOfSale');
  expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
});

test('creates under the present agreement, not a cached one', async ({ sql, vendorId, submit }) => {
  const first = expectValue(await submit({ vendorExternalId: 'key' }));
  await changeAgreement(sql, vendorId, percentageOfSale);
  const free = { costHalalas: 0 };
  const priced = { salePriceHalalas: 5000, salePriceIsVatInclusive: false };
  for (const given of [{}, free, priced]) {
    const { offer } = expectValue(await submit(given));
    expect(offer.pricingModel).toBe('PercentageOfSale');
    expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  }
  await changeAgreement(sql, vendorId, costPlus);
  expect(await submit(free)).toMatchObject({ ok: false });
  expect(await submit(priced)).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' },
  });
  expect(expectValue(await submit()).offer.pricingModel).toBe('CostPlusMargin');
  for (const given of [{}, free, { rawBrandName: 'Another' }])
    expect(await submit({ vendorExternalId: 'key', ...given })).toMatchObject({
      value: { offer: { id: first.offer.id }, isNew: false },
    });
});

test('finds no facts of an unknown vendor', async ({ sql }) => {
  expect(await findCreationFacts(sql, uuidv7(), 'Api', [])).toBeNull();
});
