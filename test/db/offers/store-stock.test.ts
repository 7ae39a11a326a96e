import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { type Queryable, type Sql } from '../../../db/core/client.ts';
import { findAnyOffer, insertOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { storeStock } from '../../../db/offers/store-stock.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import { pushStock } from '../../../domain/offers/edit-offer.ts';
import { offerStatuses, type Offer } from '../../../domain/offers/offer.ts';
import { statusesInReview } from '../../../domain/offers/offer-status.ts';
import {
  expectFailure,
  expectValue,
  offer as offerLike,
  variant,
} from '../../domain/offers/offer-builders.ts';
import { addVendor, deferred, someoneWaits } from '../support.ts';
import { databaseTest } from '../../support/database-test.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = { readonly sql: Sql; readonly vendorId: string; readonly variantId: string };

const test = databaseTest
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql))
  .extend('variantId', { scope: 'file' }, () => uuidv7());

test.beforeAll(async ({ sql, variantId }) => {
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});

const agreement: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
const at = new Date('2026-02-01T00:00:00.000Z');
const now = new Date('2026-03-01T10:00:00.000Z');

/** A stored offer; with `supply` it has a supply option of the stock that the offer has. */
async function newOffer(
  { sql, vendorId, variantId }: Pick<Fixtures, 'sql' | 'vendorId' | 'variantId'>,
  given: Partial<Offer> = {},
  hasSupply = false,
): Promise<Offer> {
  const status = given.status ?? 'Approved';
  const offer = offerLike({
    id: uuidv7(),
    vendorId,
    variantId,
    vendorExternalId: null,
    barcode: variant.barcode,
    status,
    awaitingSince: statusesInReview.includes(status) ? at : null,
    supply: hasSupply
      ? { optionId: uuidv7(), isPaused: status !== 'Approved', pricingModel: 'CostPlusMargin' }
      : null,
    ...given,
  });
  expect(await insertOffer(sql, offer)).toBe(true);
  if (hasSupply) await upsertSupplyOption(sql, offer, agreement);
  return offer;
}

const snapshotOf = async (sql: Sql, { id }: Offer) =>
  (
    await sql`select stock_quantity, in_stock, updated_at from supply_options where offer_id = ${id}`
  )[0];
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

/** What the statement makes of an offer must be what the rule makes of it: the answer, the row, and the snapshot. */
async function holdToRule(
  sql: Sql,
  vendorId: string,
  before: Offer,
  declaration: Declaration,
): Promise<void> {
  const say = JSON.stringify({ before, declaration });
  const [snapshot, rest] = [await snapshotOf(sql, before), await restOf(sql, before)];
  const ruled = pushStock(before, declaration, now);
  const pushed = await storeStock(sql, { ...declaration, vendorId, offerId: before.id, now });
  const after = ruled.ok ? expectValue(ruled) : before;
  expect(pushed, say).toEqual({ isRefused: !ruled.ok, offer: after });
  expect(await findAnyOffer(sql, before.id), say).toEqual(after);
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
  'the statement says what the rule says, for all stock of a %s offer',
  async (status, { sql, vendorId, variantId }) => {
    for (const barcode of [variant.barcode, null]) {
      for (const stock of stocks) {
        const cases = declarations.flatMap((declaration) =>
          [false, true].map(async (hasSupply) =>
            holdToRule(
              sql,
              vendorId,
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

test('the grid has refusals, no-ops and changes', () => {
  const outcomes = offerStatuses.flatMap((status) =>
    stocks.flatMap((stock) =>
      declarations.map((declaration) => {
        const before = offerLike({ status, barcode: null, ...stock });
        const ruled = pushStock(before, declaration, now);
        if (!ruled.ok) return expectFailure(ruled).code;
        return expectValue(ruled) === before ? 'no-op' : 'change';
      }),
    ),
  );
  expect(new Set(outcomes)).toEqual(new Set(['VALIDATION_ERRORS', 'no-op', 'change']));
});

test('a price staged on a live offer, and whatever else is stored, stays as it is', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };
  const offer = await newOffer(
    { sql, vendorId, variantId },
    { pendingCost: price, everApproved: true, awaitingSince: at },
    true,
  );
  await holdToRule(sql, vendorId, offer, { declaredInStock: true, declaredStockQuantity: 9 });
});

test('an unknown offer and one of another vendor are null alike, and nothing changes', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const before = [await findAnyOffer(sql, offer.id), await snapshotOf(sql, offer)];
  const push = { declaredInStock: false, declaredStockQuantity: null, now };
  expect(await storeStock(sql, { ...push, vendorId, offerId: uuidv7() })).toBeNull();
  const stranger = await addVendor(sql);
  expect(await storeStock(sql, { ...push, vendorId: stranger, offerId: offer.id })).toBeNull();
  expect([await findAnyOffer(sql, offer.id), await snapshotOf(sql, offer)]).toEqual(before);
});

test('offer and snapshot are written together or not at all', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  await sql.unsafe(`
    create function refuse_13() returns trigger language plpgsql as $$
    begin if new.stock_quantity = 13 then raise exception 'no'; end if; return new; end $$;
    create trigger refuse_13 before update on supply_options for each row execute function refuse_13()`);
  const push = {
    declaredInStock: true,
    declaredStockQuantity: 13,
    vendorId,
    offerId: offer.id,
    now,
  };
  await expect(storeStock(sql, push)).rejects.toThrow('no');
  expect(await findAnyOffer(sql, offer.id)).toEqual(offer);
  expect((await storeStock(sql, { ...push, declaredStockQuantity: 14 }))?.offer.version).toBe(4);
  await sql`drop function refuse_13 cascade`;
});

// The switch is in force, and what is stored has yet to follow it: the rule is asked about the offer as it stands.
test.for(['Approved', 'PendingReview', 'Draft', 'Rejected'] as const)(
  'of a %s offer that has yet to follow a switch of the agreement, the statement says what the rule says',
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
    const after = expectValue(pushStock(before, declaration, now));
    const pushed = await storeStock(sql, {
      ...declaration,
      vendorId: owner,
      offerId: made.id,
      now,
    });
    expect(pushed).toEqual({ isRefused: false, offer: after });
    expect(await findAnyOffer(sql, made.id)).toEqual(after);
  },
);

/** Runs `work` in a transaction, and `push` so that it finds the transaction's lock; answers what the push answered. */
async function meets<T>(
  sql: Sql,
  work: (sql: Queryable) => Promise<unknown>,
  push: () => Promise<T>,
): Promise<T> {
  const worked = deferred<void>();
  const released = deferred<void>();
  const change = sql.begin(async (transaction) => {
    await work(transaction);
    worked.resolve();
    await released.promise;
  });
  await worked.promise;
  const pushing = push();
  await someoneWaits(sql);
  released.resolve();
  await change;
  return pushing;
}

const push = (sql: Sql, vendorId: string, offer: Offer, declaredStockQuantity: number) => () =>
  storeStock(sql, {
    declaredInStock: true,
    declaredStockQuantity,
    vendorId,
    offerId: offer.id,
    now,
  });

test('a push that meets another change of the offer waits for it, and both survive', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, {}, true);
  const after = { ...offer, vendorSku: 'S', version: offer.version + 1, changedAt: now };
  const pushed = await meets(
    sql,
    (transaction) =>
      storeOffers(transaction, [{ found: { stored: offer, offer, switchedAt: at }, after }]),
    push(sql, vendorId, offer, 9),
  );
  // The push has the later time of the two, although it came at the same instant.
  const changedAt = new Date(now.getTime() + 1);
  const both = { ...after, declaredStockQuantity: 9, version: offer.version + 2, changedAt };
  expect(pushed?.offer).toEqual(both);
  expect(await findAnyOffer(sql, offer.id)).toEqual(both);
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9 });
});

test('a push that meets a rejection is judged by it', async ({ sql, vendorId, variantId }) => {
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

test('a push that meets the first approval reaches the supply option that the approval makes', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer({ sql, vendorId, variantId }, { status: 'PendingReview' });
  const supply = { optionId: uuidv7(), isPaused: false, pricingModel: 'CostPlusMargin' as const };
  const approved: Offer = {
    ...offer,
    status: 'Approved',
    everApproved: true,
    supply,
    version: offer.version + 1,
    changedAt: at,
  };
  const pushed = await meets(
    sql,
    async (transaction) => {
      await storeOffers(transaction, [
        { found: { stored: offer, offer, switchedAt: at }, after: approved },
      ]);
      await upsertSupplyOption(transaction, approved, agreement);
    },
    push(sql, vendorId, offer, 9),
  );
  expect(pushed?.offer).toMatchObject({ status: 'Approved', declaredStockQuantity: 9 });
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9, inStock: true });
});

test('a push that meets a later approval reaches the supply option that is there', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const offer = await newOffer(
    { sql, vendorId, variantId },
    { status: 'PendingReview', everApproved: true },
    true,
  );
  const supply = offer.supply === null ? null : { ...offer.supply, isPaused: false };
  const approved: Offer = {
    ...offer,
    status: 'Approved',
    everApproved: true,
    supply,
    version: offer.version + 1,
    changedAt: at,
  };
  await meets(
    sql,
    async (transaction) => {
      await storeOffers(transaction, [
        { found: { stored: offer, offer, switchedAt: at }, after: approved },
      ]);
      await upsertSupplyOption(transaction, approved, agreement);
    },
    push(sql, vendorId, offer, 9),
  );
  expect(await snapshotOf(sql, offer)).toMatchObject({ stockQuantity: 9, inStock: true });
});

test('pushes at once on offers of one vendor do not wait for ever for each other', async ({
  sql,
  vendorId,
  variantId,
}) => {
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
