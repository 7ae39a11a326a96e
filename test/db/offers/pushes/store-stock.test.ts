import { expect } from 'vitest';
import type { Sql } from '../../../../db/core/client.ts';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { storeStock } from '../../../../db/offers/pushes/store-stock.ts';
import { pushStock } from '../../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import { expectValue, variant } from '../../../domain/offers/offer-builders.ts';
import { at, now, snapshotOf, test } from '../offer-rows.ts';
import { storeOffers } from '../../../../db/offers/store-offers.ts';
import { meets } from '../../../support/database/locks.ts';

const restOf = (sql: Sql, { id }: Offer) => sql`
  select (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
    (select jsonb_agg(o) from outbox o where subject_id = ${id}) as messages,
    (select to_jsonb(s) - 'stock_quantity' - 'in_stock' - 'updated_at' from supply_options s
      where offer_id = ${id}) as supply`;

const push = (sql: Sql, { vendorId, id: offerId }: Offer) =>
  storeStock(sql, { vendorId, offerId, declaredInStock: true, declaredStockQuantity: 9 });

const stocks = [
  { declaredInStock: false, declaredStockQuantity: null },
  { declaredInStock: false, declaredStockQuantity: 0 },
  { declaredInStock: true, declaredStockQuantity: null },
  { declaredInStock: true, declaredStockQuantity: 7 },
];
const declarations = [
  { declaredInStock: false, declaredStockQuantity: null },
  { declaredInStock: false, declaredStockQuantity: 0 },
  { declaredInStock: true, declaredStockQuantity: null },
  { declaredInStock: true, declaredStockQuantity: 1 },
  { declaredInStock: true, declaredStockQuantity: 7 },
  { declaredInStock: true, declaredStockQuantity: 1_000_000 },
];
type Declaration = (typeof declarations)[number];

/**
 * What the statement makes of an offer must be what the rule makes of it: the answer, the row, and
 * the snapshot.
 */
async function expectRuled(sql: Sql, before: Offer, declaration: Declaration): Promise<void> {
  const { vendorId } = before;
  const say = JSON.stringify({ before, declaration });
  const [snapshot, rest] = [await snapshotOf(sql, before), await restOf(sql, before)];
  const pushed = await storeStock(sql, { ...declaration, vendorId, offerId: before.id });
  const stored = await findAnyOffer(sql, before.id);
  const ruled = pushStock(before, declaration, stored?.changedAt ?? now);
  const after = ruled.ok ? expectValue(ruled) : before;
  expect(pushed?.isRefused, say).toBe(!ruled.ok);
  expect(after, say).toMatchObject(pushed?.offer ?? { id: null });
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
    for (const barcode of [variant.barcode, null]) {
      for (const stock of stocks) {
        const cases = declarations.flatMap((declaration) =>
          [false, true].map(async (hasSupply) =>
            expectRuled(sql, await newOffer({ status, barcode, ...stock }, hasSupply), declaration),
          ),
        );
        await Promise.all(cases);
      }
    }
  },
);

test('keeps a concurrent change', async ({ sql, newOffer }) => {
  const offer = await newOffer({}, true);
  const ahead = new Date(Date.now() + 60_000);
  const after = { ...offer, vendorSku: 'S', version: offer.version + 1, changedAt: ahead };
  const pushed = await meets(
    sql,
    (transaction) =>
      storeOffers(transaction, [{ found: { stored: offer, offer, switchedAt: at }, after }]),
    () => push(sql, offer),
  );
  // The push has the later time of the two, although the clock was set back.
  const changedAt = new Date(ahead.getTime() + 1);
  const both = { ...after, declaredStockQuantity: 9, version: offer.version + 2, changedAt };
  expect(both).toMatchObject(pushed?.offer ?? { id: null });
  expect(await findAnyOffer(sql, offer.id)).toEqual(both);
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9 });
});

test('applies the rule after a concurrent rejection', async ({ sql, newOffer }) => {
  const offer = await newOffer({ status: 'PendingReview', barcode: null });
  const pushed = await meets(
    sql,
    (transaction) => transaction`update offers set status = 'Rejected' where id = ${offer.id}`,
    () => push(sql, offer),
  );
  expect(pushed).toMatchObject({
    isRefused: true,
    offer: { status: 'Rejected', declaredStockQuantity: 5 },
  });
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({ declaredStockQuantity: 5, version: 3 });
});
