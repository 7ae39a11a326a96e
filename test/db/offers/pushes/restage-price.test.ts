import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../../db/core/client.ts';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { restagePrice } from '../../../../db/offers/pushes/restage-price.ts';
import { createPriceStore } from '../../../../db/offers/pushes/share-price-pushes.ts';
import { insertVariant } from '../../../../db/offers/variants.ts';
import { pushPrice } from '../../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import type { PriceDeclaration, PriceField } from '../../../../domain/offers/offer-prices.ts';
import { priceFromDeclaration } from '../../../../domain/vat.ts';
import { variant } from '../../../domain/offers/offer-builders.ts';
import { addVendor } from '../../support.ts';
import {
  at,
  meets,
  newOffer,
  now,
  snapshotOf,
  test,
  transactionsOf,
  ways,
} from './store-stock-fixture.ts';

test.beforeAll(async ({ sql, variantId }) => {
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});

/** The two ways to store a push: alone, and by the statement that pushes of a vendor share. */
type PriceStore = ReturnType<typeof createPriceStore>;
const priceStores = {
  alone:
    (sql: Sql): PriceStore =>
    (push) =>
      restagePrice(sql, push),
  shared: createPriceStore,
};

const vatRateBasisPoints = 1500;
const priceOf = ({ amountHalalas, isVatInclusive }: PriceDeclaration) =>
  priceFromDeclaration(amountHalalas, isVatInclusive, vatRateBasisPoints);
const live = { amountHalalas: 11_500, isVatInclusive: true };
const staged = { amountHalalas: 23_000, isVatInclusive: true };
/** The live and the staged price, either way, others, and prices of equal net and other VAT. */
const declarations: readonly PriceDeclaration[] = [
  live,
  staged,
  { amountHalalas: 10_000, isVatInclusive: false },
  { amountHalalas: 20_000, isVatInclusive: false },
  { amountHalalas: 20_001, isVatInclusive: false },
  { amountHalalas: 999_999_999, isVatInclusive: true },
];

const restOf = async (sql: Sql, offer: Offer) => [
  await snapshotOf(sql, offer),
  await sql`
    select (select jsonb_agg(h) from offer_status_changes h where offer_id = ${offer.id}) as history,
      (select jsonb_agg(o) from outbox o where subject_id = ${offer.id}) as messages`,
];

/** What the statement stores must be what the rule makes of it; otherwise it stores nothing. */
async function holdToRule(
  { sql, store }: { readonly sql: Sql; readonly store: PriceStore },
  before: Offer,
  field: PriceField,
  declared: PriceDeclaration,
): Promise<boolean> {
  const say = JSON.stringify({ before, field, declared });
  const rest = await restOf(sql, before);
  const ruled = pushPrice(before, { field, declared }, { vatRateBasisPoints, now });
  const { vendorId, id: offerId } = before;
  const key = { vendorId, offerId, field };
  const pushed = await store({ ...key, price: priceOf(declared), now });
  if (pushed === null) throw new Error('the offer is gone');
  const isStored = 'stored' in pushed;
  const after = isStored && ruled.ok ? ruled.value : before;
  expect(isStored && after === before, say).toBe(false);
  if (isStored) expect(after, say).toMatchObject(pushed.stored);
  else expect(pushed.found.offer, say).toEqual(before);
  expect(await findAnyOffer(sql, offerId), say).toEqual(after);
  expect(await restOf(sql, before), say).toEqual(rest);
  return isStored;
}

const models = { cost: 'CostPlusMargin', salePrice: 'PercentageOfSale' } as const;

test.for(offerStatuses.flatMap((status) => ways.map((way) => [status, way] as const)))(
  'the statement stores a price of an offer that is %s as the rule does, or nothing (%s)',
  async ([status, way], { sql, variantId }) => {
    const store = priceStores[way](sql);
    const vendorId = await addVendor(sql);
    const stored = new Set<string>();
    for (const field of ['cost', 'salePrice'] as const) {
      for (const stagedPrice of [null, priceOf(staged)]) {
        for (const declared of declarations) {
          const before = await newOffer(
            { sql, vendorId, variantId },
            {
              status,
              pricingModel: models[field],
              everApproved: status === 'Approved' || stagedPrice !== null,
              [field]: priceOf(live),
              [field === 'cost' ? 'pendingCost' : 'pendingSalePrice']: stagedPrice,
              ...(status === 'Approved' && stagedPrice !== null ? { awaitingSince: at } : {}),
            },
            true,
          );
          if (await holdToRule({ sql, store }, before, field, declared)) stored.add(field);
          const other = field === 'cost' ? 'salePrice' : 'cost';
          expect(
            await store({
              vendorId,
              offerId: before.id,
              field: other,
              price: priceOf(declared),
              now,
            }),
          ).toHaveProperty('found');
        }
      }
    }
    expect([...stored]).toEqual(status === 'Approved' ? ['cost', 'salePrice'] : []);
  },
);

test.for(ways)(
  'an offer that has yet to follow its agreement stays as it is (%s)',
  async (way, { sql, variantId }) => {
    const store = priceStores[way](sql);
    const vendorId = await addVendor(sql);
    const pendingCost = priceOf(staged);
    const given = { pendingCost, everApproved: true, awaitingSince: at };
    const made = await newOffer({ sql, vendorId, variantId }, given, true);
    await sql`
    update vendors set agreement_epoch = 1, agreement_changed_at = '2026-02-20T00:00:00Z'
    where id = ${vendorId}`;
    const before = await findAnyOffer(sql, made.id);
    const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
    const key = { vendorId, offerId: made.id, field: 'cost', price, now } as const;
    expect(await store(key)).toMatchObject({ found: { offer: before } });
    expect(await findAnyOffer(sql, made.id)).toEqual(before);
  },
);

test.for(ways)(
  'an unknown offer and one of another vendor are null alike (%s)',
  async (way, { sql, vendorId, variantId }) => {
    const store = priceStores[way](sql);
    const given = { pendingCost: priceOf(staged), everApproved: true, awaitingSince: at };
    const offer = await newOffer({ sql, vendorId, variantId }, given, true);
    const push = { field: 'cost', price: priceOf(live), now } as const;
    expect(await store({ ...push, vendorId, offerId: uuidv7() })).toBeNull();
    const stranger = await addVendor(sql);
    expect(await store({ ...push, vendorId: stranger, offerId: offer.id })).toBeNull();
    expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  },
);

test('a price push that waits for another change has the later time of the two', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const given = { pendingCost: priceOf(staged), everApproved: true, awaitingSince: at };
  const offer = await newOffer({ sql, vendorId, variantId }, given, true);
  const later = new Date(now.getTime() + 1000);
  const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
  const pushed = await meets(
    sql,
    (transaction) => transaction`
      update offers set vendor_sku = 'S', version = version + 1, changed_at = ${later}
      where id = ${offer.id}`,
    () => restagePrice(sql, { vendorId, offerId: offer.id, field: 'cost', price, now }),
  );
  expect(pushed).toMatchObject({ stored: { vendorSku: 'S', pendingCost: price } });
  const changed = await findAnyOffer(sql, offer.id);
  expect(changed).toMatchObject({ version: offer.version + 2 });
  expect(changed?.changedAt.getTime()).toBeGreaterThan(later.getTime());
});

/** Approved offers with a staged cost. */
const newStagedOffers = (owner: Parameters<typeof newOffer>[0], count: number) => {
  const given = { pendingCost: priceOf(staged), everApproved: true, awaitingSince: at };
  return Promise.all(Array.from({ length: count }, () => newOffer(owner, given, true)));
};

test('price pushes that arrive during three statements share one transaction', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offers = await newStagedOffers({ sql, vendorId, variantId }, 10);
  const store = createPriceStore(sql);
  const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
  const pushed = await Promise.all(
    offers.map(({ id }) => store({ vendorId, offerId: id, field: 'cost', price, now })),
  );
  for (const [index, { id }] of offers.entries())
    expect(pushed[index]).toMatchObject({ stored: { id, pendingCost: price } });
  expect(await transactionsOf(sql, offers)).toBe(4);
});

test('a shared push that meets another change waits for nothing, and gets the offer', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offers = await newStagedOffers({ sql, vendorId, variantId }, 5);
  const [, , , , locked] = offers;
  const store = createPriceStore(sql);
  const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
  await sql.begin(async (transaction) => {
    await transaction`select from offers where id = ${locked?.id ?? null} for update`;
    // The first three each have a statement, and the others share one.
    const pushed = await Promise.all(
      offers.map(({ id }) => store({ vendorId, offerId: id, field: 'cost', price, now })),
    );
    expect(pushed.at(-1)).toMatchObject({ found: { offer: locked } });
    for (const each of pushed.slice(0, -1)) expect(each).toHaveProperty('stored');
  });
});
