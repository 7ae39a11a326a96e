import { expect } from 'vitest';
import { completePush } from '../../../api/offers/change-offer.ts';
import type { Sql } from '../../../db/core/client.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { restagePrice, storeStock } from '../../../db/offers/store-push.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { pushPrice, pushStock } from '../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import type { PriceDeclaration, PriceField } from '../../../domain/offers/offer-prices.ts';
import { priceFromDeclaration } from '../../../domain/vat.ts';
import { expectValue, variant } from '../../domain/offers/offer-builders.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { meets } from '../../support/database/locks.ts';
import { changeAgreement } from '../../support/seeds/agreement.ts';
import { addVendor } from '../support.ts';
import { at, now, test } from './offer-rows.ts';

// The statement of each push makes of an offer what the rule of the domain makes of it.

/** What is stored of an offer apart from its row. */
const restOf = async (sql: Sql, { id }: Offer) => {
  const [rest] = await sql`
    select (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
      (select jsonb_agg(o) from outbox o where subject_id = ${id}) as messages,
      (select to_jsonb(s) - array['stock_quantity', 'in_stock', 'updated_at']
        from supply_options s where offer_id = ${id}) as supply`;
  return rest;
};
const snapshotOf = async (sql: Sql, { id }: Offer) => {
  const [snapshot] = await sql`
    select stock_quantity, in_stock, updated_at from supply_options where offer_id = ${id}`;
  return snapshot;
};

type Stock = Pick<Offer, 'declaredInStock' | 'declaredStockQuantity'>;
const stockOf = (declaredInStock: boolean, declaredStockQuantity: number | null): Stock => ({
  declaredInStock,
  declaredStockQuantity,
});
const storedStocks = [
  stockOf(false, null),
  stockOf(false, 0),
  stockOf(true, null),
  stockOf(true, 7),
];
const declaredStocks = [...storedStocks, stockOf(true, 1), stockOf(true, 1_000_000)];

async function pushStockOf(sql: Sql, { vendorId, id: offerId }: Offer, stock: Stock) {
  const key = { vendorId, offerId };
  const pushed = await storeStock(sql, key, stock);
  return completePush(sql, key, pushed, (offer, at) => pushStock(offer, stock, at));
}

async function expectRuledStock(sql: Sql, before: Offer, declared: Stock): Promise<void> {
  const { id: offerId } = before;
  const say = JSON.stringify({ before, declared });
  const [snapshot, rest] = [await snapshotOf(sql, before), await restOf(sql, before)];
  const pushed = await pushStockOf(sql, before, declared);
  const stored = await findAnyOffer(sql, offerId);
  const ruled = pushStock(before, declared, stored?.changedAt ?? now);
  const after = ruled.ok ? ruled.value : before;
  expect(pushed.ok, say).toBe(ruled.ok);
  if (pushed.ok) expect(after, say).toMatchObject(pushed.value);
  expect(stored, say).toEqual(after);
  const written = {
    stockQuantity: after.declaredStockQuantity,
    inStock: after.declaredInStock,
    updatedAt: after.changedAt,
  };
  // Nothing has changed: the snapshot is the very same, its time included.
  const expected = after === before || before.supply === null ? snapshot : written;
  expect(await snapshotOf(sql, before), say).toEqual(expected);
  expect(await restOf(sql, before), say).toEqual(rest);
}

test.for(offerStatuses)(
  'stores every stock of a %s offer as the rule does',
  async (status, { sql, newOffer }) => {
    for (const barcode of [variant.barcode, null])
      for (const stock of storedStocks)
        await Promise.all(
          declaredStocks.flatMap((declared) =>
            [false, true].map(async (hasSupply) => {
              const before = await newOffer({ status, barcode, ...stock }, hasSupply);
              await expectRuledStock(sql, before, declared);
            }),
          ),
        );
  },
);

/** An offer, as it is read, of a vendor whose switch is in force and not stored. */
async function behindSwitch(
  sql: Sql,
  newOffer: (given: Partial<Offer>, hasSupply: boolean) => Promise<Offer>,
  given: Partial<Offer>,
): Promise<Offer> {
  const vendorId = await addVendor(sql);
  const { id } = await newOffer({ vendorId, everApproved: true, ...given }, true);
  await changeAgreement(sql, vendorId, percentageOfSale);
  const found = await findAnyOffer(sql, id);
  if (found?.agreementEpoch !== 1) throw new Error('the switch is not in force');
  return found;
}

test.for(['Approved', 'PendingReview', 'Draft', 'Rejected'] as const)(
  'stores the stock of a %s offer during an agreement switch as the rule does',
  async (status, { sql, newOffer }) => {
    await expectRuledStock(sql, await behindSwitch(sql, newOffer, { status }), stockOf(true, 9));
  },
);

const pushNine = (sql: Sql, offer: Offer) => pushStockOf(sql, offer, stockOf(true, 9));

test('keeps a concurrent change beside a stock push', async ({ sql, newOffer }) => {
  const offer = await newOffer({}, true);
  const ahead = new Date(Date.now() + 60_000);
  const after = { ...offer, vendorSku: 'S', version: offer.version + 1, changedAt: ahead };
  const pushed = await meets(
    sql,
    (transaction) =>
      storeOffers(transaction, [{ found: { stored: offer, offer, switchedAt: at }, after }]),
    () => pushNine(sql, offer),
  );
  // The push has the later time of the two, although the clock was set back.
  const changedAt = new Date(ahead.getTime() + 1);
  const both = { ...after, declaredStockQuantity: 9, version: offer.version + 2, changedAt };
  expect(both).toMatchObject(expectValue(pushed));
  expect(await findAnyOffer(sql, offer.id)).toEqual(both);
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9 });
});

test('refuses a stock push after a concurrent rejection', async ({ sql, newOffer }) => {
  const offer = await newOffer({ status: 'PendingReview', barcode: null });
  const pushed = await meets(
    sql,
    (transaction) => transaction`
      update offers set status = 'Rejected', version = version + 1 where id = ${offer.id}`,
    () => pushNine(sql, offer),
  );
  expect(pushed).toMatchObject({ failure: { code: 'VALIDATION_ERRORS' } });
  const kept = { status: 'Rejected', declaredStockQuantity: 5, version: offer.version + 1 };
  expect(await findAnyOffer(sql, offer.id)).toMatchObject(kept);
});

const vatRateBasisPoints = 1500;
const net = (amountHalalas: number) => ({ amountHalalas, isVatInclusive: false });
const gross = (amountHalalas: number) => ({ amountHalalas, isVatInclusive: true });
const priceOf = ({ amountHalalas, isVatInclusive }: PriceDeclaration) =>
  priceFromDeclaration(amountHalalas, isVatInclusive, vatRateBasisPoints);
const live = gross(11_500);
const staged = gross(23_000);
/** The live and the staged price, either way, others, and prices of equal net and other VAT. */
const declaredPrices = [live, staged, net(10_000), net(20_000), net(20_001), gross(999_999_999)];
const withStagedCost = { pendingCost: priceOf(staged), everApproved: true, awaitingSince: at };

/** Otherwise the statement stores nothing and returns the offer that it found. */
async function expectRuledPrice(
  sql: Sql,
  before: Offer,
  field: PriceField,
  declared: PriceDeclaration,
): Promise<boolean> {
  const say = JSON.stringify({ before, field, declared });
  const rest = [await restOf(sql, before), await snapshotOf(sql, before)];
  const { vendorId, id: offerId } = before;
  const pushed = await restagePrice(sql, { vendorId, offerId }, field, priceOf(declared));
  if (pushed === null) throw new Error('the offer is gone');
  const isStored = 'stored' in pushed;
  const stored = await findAnyOffer(sql, offerId);
  const context = { vatRateBasisPoints, now: stored?.changedAt ?? now };
  const ruled = pushPrice(before, { field, declared }, context);
  const after = isStored && ruled.ok ? ruled.value : before;
  expect(isStored && after === before, say).toBe(false);
  if (isStored) expect(after, say).toMatchObject(pushed.stored);
  else expect(pushed.found.offer, say).toEqual(before);
  expect(stored, say).toEqual(after);
  expect([await restOf(sql, before), await snapshotOf(sql, before)], say).toEqual(rest);
  return isStored;
}

const models = [
  ['CostPlusMargin', 'cost', 'pendingCost', 'salePrice'],
  ['PercentageOfSale', 'salePrice', 'pendingSalePrice', 'cost'],
] as const;

test.for(offerStatuses)(
  'stores a price of a %s offer as the rule does, or nothing',
  async (status, { sql, newOffer }) => {
    const stored = new Set<string>();
    for (const [pricingModel, field, pending, other] of models)
      for (const stagedPrice of [null, priceOf(staged)])
        for (const declared of declaredPrices) {
          const isAwaited = status === 'Approved' && stagedPrice !== null;
          const given = {
            status,
            pricingModel,
            everApproved: status === 'Approved' || stagedPrice !== null,
            [field]: priceOf(live),
            [pending]: stagedPrice,
            ...(isAwaited && { awaitingSince: at }),
          };
          const before = await newOffer(given, true);
          if (await expectRuledPrice(sql, before, field, declared)) stored.add(field);
          const { vendorId, id: offerId } = before;
          const otherPush = restagePrice(sql, { vendorId, offerId }, other, priceOf(declared));
          expect(await otherPush).toHaveProperty('found');
        }
    expect([...stored]).toEqual(status === 'Approved' ? ['cost', 'salePrice'] : []);
  },
);

test('stores no price during an agreement switch', async ({ sql, newOffer }) => {
  const before = await behindSwitch(sql, newOffer, withStagedCost);
  expect(await expectRuledPrice(sql, before, 'cost', net(1))).toBe(false);
});

test('gives a later time to a price push that waited', async ({ sql, newOffer }) => {
  const { id: offerId, vendorId, version } = await newOffer(withStagedCost, true);
  const later = new Date(Date.now() + 60_000);
  const price = priceOf(net(1));
  const pushed = await meets(
    sql,
    (transaction) => transaction`
      update offers set vendor_sku = 'S', version = version + 1, changed_at = ${later}
      where id = ${offerId}`,
    () => restagePrice(sql, { vendorId, offerId }, 'cost', price),
  );
  expect(pushed).toMatchObject({ stored: { vendorSku: 'S', pendingCost: price } });
  const changed = await findAnyOffer(sql, offerId);
  expect(changed).toMatchObject({ version: version + 2 });
  expect(changed?.changedAt.getTime()).toBeGreaterThan(later.getTime());
});
