import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../../db/core/client.ts';
import { findAnyOffer } from '../../../../db/offers/offers.ts';
import { storeStock } from '../../../../db/offers/pushes/store-stock.ts';
import { pushStock } from '../../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../../domain/offers/offer.ts';
import { expectValue, variant } from '../../../domain/offers/offer-builders.ts';
import { addVendor } from '../../support.ts';
import { test, at, now, newOffer, snapshotOf, agreement, push } from '../offer-rows.ts';
import { storeOffers } from '../../../../db/offers/store-offers.ts';
import { upsertSupplyOption } from '../../../../db/offers/supply-options.ts';
import { meets } from '../../../support/database/locks.ts';

const restOf = (sql: Sql, { id }: Offer) => sql`
  select (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
    (select jsonb_agg(o) from outbox o where subject_id = ${id}) as messages,
    (select to_jsonb(s) - 'stock_quantity' - 'in_stock' - 'updated_at' from supply_options s
      where offer_id = ${id}) as supply`;

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
async function holdToRule(sql: Sql, before: Offer, declaration: Declaration): Promise<void> {
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
  async (status, { sql, vendorId, variantId }) => {
    for (const barcode of [variant.barcode, null]) {
      for (const stock of stocks) {
        const cases = declarations.flatMap((declaration) =>
          [false, true].map(async (hasSupply) =>
            holdToRule(
              sql,
              await newOffer(
                { sql, vendorId, variantId },
                { status, barcode, ...stock },
                hasSupply,
              ),
              declaration,
            ),
          ),
        );
        await Promise.all(cases);
      }
    }
  },
);

test('keeps a staged price and all else of a live offer', async ({ sql, vendorId, variantId }) => {
  const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };
  const offer = await newOffer(
    { sql, vendorId, variantId },
    { pendingCost: price, everApproved: true, awaitingSince: at },
    true,
  );
  await holdToRule(sql, offer, { declaredInStock: true, declaredStockQuantity: 9 });
});

test("returns null for another vendor's offer", async ({ sql, vendorId, variantId }) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const before = [await findAnyOffer(sql, offer.id), await snapshotOf(sql, offer)];
  const push = { declaredInStock: false, declaredStockQuantity: null };
  expect(await storeStock(sql, { ...push, vendorId, offerId: uuidv7() })).toBeNull();
  const other = await addVendor(sql);
  expect(await storeStock(sql, { ...push, vendorId: other, offerId: offer.id })).toBeNull();
  expect([await findAnyOffer(sql, offer.id), await snapshotOf(sql, offer)]).toEqual(before);
});

test('writes both rows or none', async ({ sql, vendorId, variantId }) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  await sql.unsafe(`
    create function refuse_13() returns trigger language plpgsql as $$
    begin if new.stock_quantity = 13 then raise exception 'no'; end if; return new; end $$;
    create trigger refuse_13 before update on supply_options
      for each row execute function refuse_13()`);
  const push = {
    declaredInStock: true,
    declaredStockQuantity: 13,
    vendorId,
    offerId: offer.id,
  };
  await expect(storeStock(sql, push)).rejects.toThrow('no');
  expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  await storeStock(sql, { ...push, declaredStockQuantity: 14 });
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({ version: 4 });
  await sql`drop function refuse_13 cascade`;
});

// The switch is in force, and what is stored has yet to follow it: the rule is asked about the
// offer as it stands.
const switched = ['Approved', 'PendingReview', 'Draft', 'Rejected'] as const;
test.for(switched)(
  'stores the stock of a %s offer behind a switch of the agreement as the rule does',
  async (status, { sql, vendorId, variantId }) => {
    const owner = await addVendor(sql);
    const made = await newOffer(
      { sql, vendorId, variantId },
      { status, vendorId: owner, everApproved: true },
      true,
    );
    await sql`
      update vendors set pricing_model = 'PercentageOfSale', agreement_epoch = 1,
        agreement_changed_at = '2026-02-20T00:00:00Z' where id = ${owner}`;
    const before = await findAnyOffer(sql, made.id);
    if (before === null) throw new Error('the offer is gone');
    expect(before.agreementEpoch).toBe(1);
    const declaration = { declaredInStock: true, declaredStockQuantity: 9 };
    const pushed = await storeStock(sql, {
      ...declaration,
      vendorId: owner,
      offerId: made.id,
    });
    const stored = await findAnyOffer(sql, made.id);
    const after = expectValue(pushStock(before, declaration, stored?.changedAt ?? now));
    expect(pushed?.isRefused).toBe(false);
    expect(after).toMatchObject(pushed?.offer ?? { id: null });
    expect(stored).toEqual(after);
  },
);

test('keeps a concurrent change', async ({ sql, vendorId, variantId }) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const ahead = new Date(Date.now() + 60_000);
  const after = { ...offer, vendorSku: 'S', version: offer.version + 1, changedAt: ahead };
  const pushed = await meets(
    sql,
    (transaction) =>
      storeOffers(transaction, [{ found: { stored: offer, offer, switchedAt: at }, after }]),
    push(sql, vendorId, offer, 9),
  );
  // The push has the later time of the two, although the clock was set back.
  const changedAt = new Date(ahead.getTime() + 1);
  const both = { ...after, declaredStockQuantity: 9, version: offer.version + 2, changedAt };
  expect(both).toMatchObject(pushed?.offer ?? { id: null });
  expect(await findAnyOffer(sql, offer.id)).toEqual(both);
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9 });
});

test('applies the rule after a concurrent rejection', async ({ sql, vendorId, variantId }) => {
  const offer = await newOffer(
    { sql, vendorId, variantId },
    { status: 'PendingReview', barcode: null },
  );
  const pushed = await meets(
    sql,
    (transaction) => transaction`update offers set status = 'Rejected' where id = ${offer.id}`,
    push(sql, vendorId, offer, 9),
  );
  expect(pushed).toMatchObject({
    isRefused: true,
    offer: { status: 'Rejected', declaredStockQuantity: 5 },
  });
  expect(await findAnyOffer(sql, offer.id)).toMatchObject({ declaredStockQuantity: 5, version: 3 });
});

test.for([
  ['creates the supply option', false],
  ['updates it', true],
] as const)(
  'updates the stock beside an approval that %s',
  async ([, hasSupply], { sql, vendorId, variantId }) => {
    const given = { status: 'PendingReview', everApproved: hasSupply } as const;
    const offer = await newOffer({ sql, vendorId, variantId }, given, hasSupply);
    const { optionId } = offer.supply ?? { optionId: uuidv7() };
    const approved: Offer = {
      ...offer,
      status: 'Approved',
      everApproved: true,
      supply: { optionId, isPaused: false, pricingModel: 'CostPlusMargin' },
      version: offer.version + 1,
      changedAt: at,
    };
    const found = { stored: offer, offer, switchedAt: at };
    const pushed = await meets(
      sql,
      async (transaction) => {
        await storeOffers(transaction, [{ found, after: approved }]);
        await upsertSupplyOption(transaction, approved, agreement);
      },
      push(sql, vendorId, offer, 9),
    );
    expect(pushed?.offer).toMatchObject({ status: 'Approved', declaredStockQuantity: 9 });
    expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9, inStock: true });
  },
);

test('stores concurrent pushes without a deadlock', async ({ sql, vendorId, variantId }) => {
  const offers = [
    await newOffer({ sql, vendorId, variantId }, {}, true),
    await newOffer({ sql, vendorId, variantId }, {}, true),
    await newOffer({ sql, vendorId, variantId }, {}, true),
  ];
  const pushes = Array.from({ length: 60 }, (_, index) => {
    const offer = offers[index % 3];
    if (offer === undefined) throw new Error('no offer');
    return push(sql, vendorId, offer, index + 10)();
  });
  for (const pushed of await Promise.all(pushes)) expect(pushed?.isRefused).toBe(false);
  for (const offer of offers) {
    const after = await findAnyOffer(sql, offer.id);
    expect(after?.version).toBe(offer.version + 20);
    expect(await snapshotOf(sql, offer)).toMatchObject({
      stockQuantity: after?.declaredStockQuantity,
    });
  }
});
