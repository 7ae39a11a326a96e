import { expect } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { restagePrice } from '../../../../db/offers/pushes/restage-price.ts';
import { pushPrice } from '../../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import type { PriceDeclaration, PriceField } from '../../../../domain/offers/offer-prices.ts';
import { priceFromDeclaration } from '../../../../domain/vat.ts';
import { addVendor } from '../../support.ts';
import { at, now, snapshotOf, test } from '../offer-rows.ts';
import { meets } from '../../../support/database/locks.ts';

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
  sql: Sql,
  before: Offer,
  field: PriceField,
  declared: PriceDeclaration,
): Promise<boolean> {
  const say = JSON.stringify({ before, field, declared });
  const rest = await restOf(sql, before);
  const { vendorId, id: offerId } = before;
  const key = { vendorId, offerId, field };
  const pushed = await restagePrice(sql, { ...key, price: priceOf(declared) });
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
  expect(await restOf(sql, before), say).toEqual(rest);
  return isStored;
}

const models = { cost: 'CostPlusMargin', salePrice: 'PercentageOfSale' } as const;

test.for(offerStatuses)(
  'stores a price of a %s offer as the rule does, or nothing',
  async (status, { sql, newOffer }) => {
    const vendorId = await addVendor(sql);
    const stored = new Set<string>();
    for (const field of ['cost', 'salePrice'] as const) {
      for (const stagedPrice of [null, priceOf(staged)]) {
        for (const declared of declarations) {
          const before = await newOffer(
            {
              vendorId,
              status,
              pricingModel: models[field],
              everApproved: status === 'Approved' || stagedPrice !== null,
              [field]: priceOf(live),
              [field === 'cost' ? 'pendingCost' : 'pendingSalePrice']: stagedPrice,
              ...(status === 'Approved' && stagedPrice !== null ? { awaitingSince: at } : {}),
            },
            true,
          );
          if (await holdToRule(sql, before, field, declared)) stored.add(field);
          const other = field === 'cost' ? 'salePrice' : 'cost';
          expect(
            await restagePrice(sql, {
              vendorId,
              offerId: before.id,
              field: other,
              price: priceOf(declared),
            }),
          ).toHaveProperty('found');
        }
      }
    }
    expect([...stored]).toEqual(status === 'Approved' ? ['cost', 'salePrice'] : []);
  },
);

test('stores nothing behind an agreement switch', async ({ sql, newOffer }) => {
  const vendorId = await addVendor(sql);
  const pendingCost = priceOf(staged);
  const given = { vendorId, pendingCost, everApproved: true, awaitingSince: at };
  const made = await newOffer(given, true);
  await sql`
    update vendors set agreement_epoch = 1, agreement_changed_at = '2026-02-20T00:00:00Z'
    where id = ${vendorId}`;
  const before = await findAnyOffer(sql, made.id);
  const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
  const key = { vendorId, offerId: made.id, field: 'cost', price } as const;
  expect(await restagePrice(sql, key)).toMatchObject({ found: { offer: before } });
  expect(await findAnyOffer(sql, made.id)).toEqual(before);
});

test('gives a push that waited the later time', async ({ sql, vendorId, newOffer }) => {
  const given = { pendingCost: priceOf(staged), everApproved: true, awaitingSince: at };
  const offer = await newOffer(given, true);
  const later = new Date(Date.now() + 60_000);
  const price = priceOf({ amountHalalas: 1, isVatInclusive: false });
  const pushed = await meets(
    sql,
    (transaction) => transaction`
      update offers set vendor_sku = 'S', version = version + 1, changed_at = ${later}
      where id = ${offer.id}`,
    () => restagePrice(sql, { vendorId, offerId: offer.id, field: 'cost', price }),
  );
  expect(pushed).toMatchObject({ stored: { vendorSku: 'S', pendingCost: price } });
  const changed = await findAnyOffer(sql, offer.id);
  expect(changed).toMatchObject({ version: offer.version + 2 });
  expect(changed?.changedAt.getTime()).toBeGreaterThan(later.getTime());
});
