import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { submitOffer } from '../../../api/offers/submit-offer.ts';
import { activateAgreement } from '../../../db/accounts/agreements.ts';
import { type Queryable, type Sql } from '../../../db/core/client.ts';
import { findCreationFacts } from '../../../db/offers/creation-facts.ts';
import { findAnyOffer, findOffer } from '../../../db/offers/offers.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import {
  declaration,
  expectValue,
  offer as offerLike,
} from '../../domain/offers/offer-builders.ts';
import { addVendor, insertGivenOffer } from '../support.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';
import { meets } from '../../support/database/locks.ts';

const submit = async (sql: Sql, vendorId: string, given: Partial<OfferDeclaration> = {}) =>
  expectValue(
    await submitOffer(sql, {
      vendorId,
      source: 'Api',
      declaration: declaration(given),
      vatRateBasisPoints: 1500,
    }),
  );

test('an offer reads back as it was stored', async ({ sql }) => {
  const vendorId = await addVendor(sql);
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
  expect(await insertGivenOffer(sql, stored)).toBe(true);
  expect(await findAnyOffer(sql, stored.id)).toEqual(stored);
  expect(await findOffer(sql, vendorId, stored.id)).toEqual(stored);
  expect(await findOffer(sql, await addVendor(sql), stored.id)).toBeNull();
});

const putPercentageInForce = (transaction: Queryable, vendorId: string) => {
  const agreement = { pricingModel: 'PercentageOfSale', rateBasisPoints: 1500 } as const;
  return activateAgreement(transaction, vendorId, agreement, { isSwitch: true, now: new Date() });
};

test('creates under the agreement of a switch that it meets', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const { offer } = await meets(
    sql,
    (transaction) => putPercentageInForce(transaction, vendorId),
    () => submit(sql, vendorId),
  );
  expect(offer.pricingModel).toBe('PercentageOfSale');
  expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
});

const freeForm = { variantId: null, vendorExternalId: null, source: 'Api' } as const;
test('an unknown vendor has no facts', async ({ sql }) => {
  expect(await findCreationFacts(sql, uuidv7(), freeForm)).toBeNull();
});
