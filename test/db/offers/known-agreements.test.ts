import { expect } from 'vitest';
import { createKnownAgreements } from '../../../api/offers/known-agreements.ts';
import { submitOffer } from '../../../api/offers/submit-offer.ts';
import { activateAgreement } from '../../../db/accounts/agreements.ts';
import type { Sql } from '../../../db/core/client.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import type { PricingModel } from '../../../domain/accounts/agreement.ts';
import type { OfferDeclaration } from '../../../domain/offers/create-offer.ts';
import { declaration, expectValue } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';
import { databaseTest } from '../../support/database/database-test.ts';

/** A pool that counts its statements. */
const counting = (sql: Sql) => {
  const counts = { statements: 0 };
  const count = <T>(statement: T): T => {
    counts.statements += 1;
    return statement;
  };
  const pool = new Proxy(sql, {
    apply: (target, self, given) => count(Reflect.apply(target, self, given) as unknown),
    get: (target, key) =>
      key === 'unsafe'
        ? (...given: Parameters<Sql['unsafe']>) => count(target.unsafe(...given))
        : (Reflect.get(target, key) as unknown),
  });
  return { pool, counts };
};

const test = databaseTest.extend('creations', async ({ sql }) => {
  const vendorId = await addVendor(sql);
  const { pool, counts } = counting(sql);
  const known = createKnownAgreements();
  const submit = async (given: Partial<OfferDeclaration> = {}) => {
    counts.statements = 0;
    const submitted = await submitOffer(pool, {
      vendorId,
      source: 'Api',
      declaration: declaration(given),
      vatRateBasisPoints: 1500,
      known,
    });
    return { submitted, statements: counts.statements };
  };
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

test('after the first creation of a vendor, each takes one statement', async ({ creations }) => {
  expect((await creations.submit()).statements).toBe(2);
  for (let count = 0; count < 3; count += 1) {
    const { submitted, statements } = await creations.submit({ vendorExternalId: `key ${count}` });
    expect(expectValue(submitted).isNew).toBe(true);
    expect(statements).toBe(1);
  }
});

test('a creation after a switch that this process has not seen obeys the new agreement', async ({
  creations: { submit, switchTo },
  sql,
}) => {
  await submit();
  await switchTo('PercentageOfSale');
  const free = { costHalalas: 0 };
  const priced = { salePriceHalalas: 5000, salePriceIsVatInclusive: false };
  for (const given of [{}, free, priced]) {
    const { offer } = expectValue((await submit(given)).submitted);
    expect(offer.pricingModel).toBe('PercentageOfSale');
    expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  }

  await switchTo('CostPlusMargin');
  expect((await submit(free)).submitted).toMatchObject({ ok: false });
  expect((await submit(priced)).submitted).toMatchObject({
    failure: { code: 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT' },
  });
  expect(expectValue((await submit()).submitted).offer.pricingModel).toBe('CostPlusMargin');
});

test('a known vendorExternalId answers its offer, whatever the rest of the declaration says', async ({
  creations: { submit },
}) => {
  const first = expectValue((await submit({ vendorExternalId: 'key' })).submitted);
  for (const given of [{}, { costHalalas: 0 }, { rawBrandName: 'Another' }]) {
    const again = expectValue((await submit({ vendorExternalId: 'key', ...given })).submitted);
    expect(again).toEqual({ offer: first.offer, isNew: false });
  }
});

test('the agreement that was read longest ago is forgotten first', () => {
  const known = createKnownAgreements(2);
  const agreement = {
    agreement: { pricingModel: 'CostPlusMargin', rateBasisPoints: 1500 },
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
