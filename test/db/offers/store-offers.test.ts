import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { connect, type Queryable, type Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import {
  findAnyOffer,
  findOwnOffer,
  insertOffer,
  lockAnyOffer,
} from '../../../db/offers/offers.ts';
import { upsertOperator } from '../../../db/accounts/operators.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { sha256 } from '../../../security/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { offer as offerLike, variant } from '../../domain/offers/offer-builders.ts';
import { addVendor, deferred, someoneWaits } from '../support.ts';

let database: TestDatabase;
let sql: Sql;
let vendorId: string;
let variantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = connect(database.url, { max: 10, name: 'test' });
  vendorId = await addVendor(sql);
  variantId = uuidv7();
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const agreement: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
const since = new Date('2026-02-01T00:00:00.000Z');
const now = new Date('2026-03-01T10:00:00.000Z');
const supplyLike = (isPaused = false) => ({
  optionId: uuidv7(),
  isPaused,
  pricingModel: 'CostPlusMargin' as const,
});

const asFound = (offer: Offer): FoundOffer => ({ stored: offer, offer, switchedAt: since });

/** A stored offer as it is found, Approved and with a supply option unless said otherwise; its creation told no one. */
async function newOffer(given: Partial<Offer> = {}): Promise<FoundOffer> {
  const offer = offerLike({
    id: uuidv7(),
    vendorId,
    variantId,
    vendorExternalId: null,
    status: 'Approved',
    everApproved: true,
    awaitingSince: null,
    supply: supplyLike(),
    ...given,
  });
  await insertOffer(sql, offer);
  if (offer.supply !== null) await upsertSupplyOption(sql, offer, agreement);
  await sql`delete from outbox where subject_id = ${offer.id}`;
  await sql`delete from offer_status_changes where offer_id = ${offer.id}`;
  return asFound(offer);
}

/** The next version of what was found. */
const next = ({ offer }: FoundOffer, given: Partial<Offer> = {}): Offer => ({
  ...offer,
  version: offer.version + 1,
  changedAt: now,
  ...given,
});

const historyOf = (id: string) => sql`
  select from_status, to_status, reason, at from offer_status_changes where offer_id = ${id} order by id`;
const messagesTo = (id: string) => sql`select kind, payload from outbox where subject_id = ${id}`;
const supplyOf = async (id: string) =>
  (
    await sql`
    select is_paused, stock_quantity, in_stock, updated_at, net from supply_options where offer_id = ${id}`
  )[0];
const everythingOf = (id: string) => sql`
  select (select to_jsonb(o) from offers o where id = ${id}) as offer,
    (select to_jsonb(s) from supply_options s where offer_id = ${id}) as supply,
    (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
    (select jsonb_agg(m) from outbox m where subject_id = ${id}) as messages`;

test('every field that may change is stored as it was given, and what is fixed stays', async () => {
  const found = await newOffer();
  const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };
  const after = next(found, {
    status: 'PendingReview',
    variantId: null,
    vendorSku: 'A\\"\'%_😀',
    vendorExternalId: 'key-2',
    barcode: '96385074',
    rawBrandName: null,
    rawProductName: null,
    rawConcentration: 'EDP',
    rawDescription: 'line\nline',
    rawSizeMl: 100_000,
    cost: price,
    pendingCost: { ...price, enteredVatInclusive: false },
    salePrice: price,
    pendingSalePrice: price,
    declaredStockQuantity: null,
    everApproved: false,
    awaitingSince: since,
    reviewedAt: new Date('2026-01-02T03:04:05.678Z'),
    reviewReason: 'why',
  });
  const moved = { ...after, id: found.offer.id, source: 'Manual' as const, createdAt: now };
  expect(await storeOffers(sql, [{ found, after: moved }])).toBe(1);
  expect(await findAnyOffer(sql, found.offer.id)).toEqual(after);
});

test('an offer that is no longer at the version that was found stays as it is: no history, no message, no supply change', async () => {
  const found = await newOffer({ status: 'PendingReview', awaitingSince: since });
  const { id, version } = found.offer;
  const supply = { ...supplyLike(true), optionId: found.offer.supply?.optionId ?? '' };
  for (const stale of [version - 1, version + 1]) {
    const before = await everythingOf(id);
    const late = { ...found, stored: { ...found.stored, version: stale } };
    const after = next(found, {
      status: 'Withdrawn',
      supply,
      declaredStockQuantity: 9,
      awaitingSince: null,
    });
    expect(await storeOffers(sql, [{ found: late, after }])).toBe(0);
    expect(await everythingOf(id)).toEqual(before);
  }
});

test('of twenty changes of one version, made at once, one is stored', async () => {
  const found = await newOffer();
  const stored = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      storeOffers(sql, [
        { found, after: next(found, { status: 'Withdrawn', vendorSku: `S-${index}` }) },
      ]),
    ),
  );
  expect(stored.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 19 }, () => 0), 1]);
  const after = await findAnyOffer(sql, found.offer.id);
  expect(after).toMatchObject({
    vendorSku: `S-${stored.indexOf(1)}`,
    version: found.offer.version + 1,
  });
  expect(await historyOf(found.offer.id)).toHaveLength(1);
});

test('a change of status is one line of history with its reason and time; any other change is none', async () => {
  const found = await newOffer();
  const { id } = found.offer;
  const after = next(found, { status: 'Suspended' });
  await storeOffers(sql, [{ found, after, reason: 'Stop.' }]);
  const line = { fromStatus: 'Approved', toStatus: 'Suspended', reason: 'Stop.', at: now };
  expect(await historyOf(id)).toEqual([line]);
  const again = asFound(after);
  await storeOffers(sql, [
    { found: again, after: next(again, { vendorSku: 'S' }), reason: 'unused' },
  ]);
  expect(await historyOf(id)).toEqual([line]);
});

test('a switch of the agreement that was still to be stored is a line of its own, before the change', async () => {
  const found = await newOffer();
  const { vendorId } = found.offer;
  await sql`update vendors set agreement_epoch = 1 where id = ${vendorId}`;
  onTestFinished(async () => {
    await sql`update vendors set agreement_epoch = 0 where id = ${vendorId}`;
  });
  const switched: Offer = {
    ...found.stored,
    status: 'PendingRepricing',
    pricingModel: 'PercentageOfSale',
    agreementEpoch: 1,
    version: found.stored.version + 1,
    changedAt: since,
  };
  const after = { ...next(asFound(switched)), status: 'Withdrawn' as const };
  const change = { found: { ...found, offer: switched }, after, reason: 'Enough.' };
  expect(await storeOffers(sql, [change])).toBe(1);
  expect(await historyOf(found.offer.id)).toEqual([
    { fromStatus: 'Approved', toStatus: 'PendingRepricing', reason: null, at: since },
    { fromStatus: 'PendingRepricing', toStatus: 'Withdrawn', reason: 'Enough.', at: now },
  ]);
  expect(await findAnyOffer(sql, found.offer.id)).toMatchObject({
    version: found.stored.version + 2,
  });
});

test.each([
  ['is awaited from now on', 'Approved', null, 'Approved', now, 1],
  ['is awaited no longer', 'Approved', since, 'Approved', null, 1],
  ['is awaited in another status', 'Approved', since, 'PendingReview', since, 1],
  ['was awaited already, in the same status', 'Approved', since, 'Approved', since, 0],
  ['was and is not awaited', 'Approved', null, 'Suspended', null, 0],
] as const)(
  'a reviewer %s, from %s since %o to %s since %o: the review is told %i times',
  async (...row) => {
    const [, status, before, statusAfter, awaitingSince, count] = row;
    const found = await newOffer({ status, awaitingSince: before });
    await storeOffers(sql, [{ found, after: next(found, { status: statusAfter, awaitingSince }) }]);
    const message = { kind: 'offerReview', payload: { vendorId } };
    expect(await messagesTo(found.offer.id)).toEqual(Array.from({ length: count }, () => message));
  },
);

test('the supply option follows pause and stock, and keeps its price', async () => {
  const found = await newOffer();
  const supply = { ...supplyLike(true), optionId: found.offer.supply?.optionId ?? '' };
  const stock = { declaredStockQuantity: 0, declaredInStock: false };
  const cost = { netHalalas: 1, vatHalalas: 0, enteredVatInclusive: false };
  await storeOffers(sql, [{ found, after: next(found, { supply, cost, ...stock }) }]);
  expect(await supplyOf(found.offer.id)).toEqual({
    isPaused: true,
    stockQuantity: 0,
    inStock: false,
    updatedAt: now,
    net: 10_000,
  });
});

test('a change that does not concern the supply option leaves its time alone', async () => {
  const found = await newOffer();
  const before = await supplyOf(found.offer.id);
  await storeOffers(sql, [{ found, after: next(found, { vendorSku: 'S' }) }]);
  expect(await supplyOf(found.offer.id)).toEqual(before);
});

test('an offer without a supply option gets none', async () => {
  const found = await newOffer({ supply: null });
  await storeOffers(sql, [{ found, after: next(found, { declaredStockQuantity: 9 }) }]);
  expect(await supplyOf(found.offer.id)).toBeUndefined();
});

test('who reviewed is kept until another one does', async () => {
  const found = await newOffer();
  const [one, two] = [uuidv7(), uuidv7()];
  for (const id of [one, two]) {
    await upsertOperator(sql, {
      id,
      operatorId: id,
      secretSha256: sha256('x'),
      roles: ['Reviewer'],
    });
  }
  let last = found;
  const reviewers: unknown[] = [];
  for (const reviewerId of [one, undefined, two]) {
    const after = next(last);
    await storeOffers(sql, [
      { found: last, after, ...(reviewerId === undefined ? {} : { reviewerId }) },
    ]);
    const [row] = await sql`select reviewed_by from offers where id = ${after.id}`;
    reviewers.push(row?.['reviewedBy']);
    last = asFound(after);
  }
  expect(reviewers).toEqual([one, one, two]);
});

test('two offers in one call are stored each with its own, in one statement', async () => {
  const [one, two] = [
    await newOffer(),
    await newOffer({ status: 'PendingReview', awaitingSince: since }),
  ];
  const other = await newOffer();
  const before = await everythingOf(other.offer.id);
  const paused = { ...supplyLike(true), optionId: one.offer.supply?.optionId ?? '' };
  const changes = [
    { found: one, after: next(one, { status: 'Suspended', supply: paused }), reason: 'One.' },
    { found: two, after: next(two, { status: 'Rejected', awaitingSince: null }), reason: 'Two.' },
  ];
  expect(await storeOffers(sql, changes)).toBe(2);
  for (const { found, after } of changes)
    expect(await findAnyOffer(sql, found.offer.id)).toEqual(after);
  expect(await historyOf(one.offer.id)).toMatchObject([{ toStatus: 'Suspended', reason: 'One.' }]);
  expect(await historyOf(two.offer.id)).toMatchObject([{ toStatus: 'Rejected', reason: 'Two.' }]);
  expect(
    [await messagesTo(one.offer.id), await messagesTo(two.offer.id)].map(({ length }) => length),
  ).toEqual([0, 1]);
  expect(await supplyOf(one.offer.id)).toMatchObject({ isPaused: true });
  expect(await supplyOf(two.offer.id)).toMatchObject({ isPaused: false });
  expect(await everythingOf(other.offer.id)).toEqual(before);
});

test('of two offers in one call the one that lost its race stays as it is, the other is stored', async () => {
  const [one, two] = [await newOffer(), await newOffer()];
  const late = { ...one, stored: { ...one.stored, version: 1 } };
  const before = await everythingOf(one.offer.id);
  const changes = [
    { found: late, after: next(one, { status: 'Withdrawn' }) },
    { found: two, after: next(two, { status: 'Withdrawn' }) },
  ];
  expect(await storeOffers(sql, changes)).toBe(1);
  expect(await everythingOf(one.offer.id)).toEqual(before);
  expect(await historyOf(two.offer.id)).toHaveLength(1);
});

test('of two offers in one call neither is stored when one cannot be', async () => {
  const [one, two] = [await newOffer(), await newOffer()];
  const key = uuidv7();
  const changes = [one, two].map((found) => ({
    found,
    after: next(found, { vendorExternalId: key }),
  }));
  const before = [await everythingOf(one.offer.id), await everythingOf(two.offer.id)];
  await expect(storeOffers(sql, changes)).rejects.toThrow('offers_external_id');
  expect([await everythingOf(one.offer.id), await everythingOf(two.offer.id)]).toEqual(before);
});

test('nothing to store is no statement at all', async () => {
  expect(await storeOffers(sql, [])).toBe(0);
});

/** Approves for the first time in a transaction of its own; meanwhile `look` waits for the offer's lock. */
async function lookDuringApproval<T>(
  found: FoundOffer,
  look: (sql: Queryable) => Promise<T>,
): Promise<T> {
  const decided = deferred<void>();
  const released = deferred<void>();
  const approving = sql.begin(async (transaction) => {
    const after = next(found, { status: 'Approved', supply: supplyLike(), awaitingSince: null });
    await storeOffers(transaction, [{ found, after }]);
    await upsertSupplyOption(transaction, after, agreement);
    decided.resolve();
    await released.promise;
  });
  await decided.promise;
  const looking = sql.begin(look);
  await someoneWaits(sql);
  released.resolve();
  await approving;
  return looking as Promise<T>;
}

const inReview = {
  status: 'PendingReview',
  awaitingSince: since,
  supply: null,
  everApproved: false,
} as const;

// Whoever moves the offer next must know its supply option, or a suspended offer sells on.
test('a look that waited for the first approval sees the supply option that the approval made', async () => {
  const own = await newOffer(inReview);
  const seen = await lookDuringApproval(own, (transaction) =>
    findOwnOffer(transaction, vendorId, own.offer.id, { isLocked: true }),
  );
  expect(seen?.offer).toMatchObject({ status: 'Approved', supply: { isPaused: false } });
  const any = await newOffer(inReview);
  const locked = await lookDuringApproval(any, (transaction) =>
    lockAnyOffer(transaction, any.offer.id),
  );
  expect(locked?.offer).toMatchObject({ status: 'Approved', supply: { isPaused: false } });
});

/** An offer that was awaited for, withdrawn. */
const withdrawn = async () => {
  const found = await newOffer({ awaitingSince: since });
  return { found, after: next(found, { status: 'Withdrawn', awaitingSince: null }) };
};

test('reviews that may wait are told as such, all others at once', async () => {
  const [inNoHurry, atOnce] = [await withdrawn(), await withdrawn()];
  await storeOffers(sql, [inNoHurry], { isLowPriority: true });
  await storeOffers(sql, [atOnce]);
  const mayWait = async ({ found }: { readonly found: FoundOffer }) => {
    const [row] = await sql<[{ isLowPriority: boolean }]>`
      select is_low_priority from outbox where subject_id = ${found.offer.id}`;
    return row.isLowPriority;
  };
  expect([await mayWait(inNoHurry), await mayWait(atOnce)]).toEqual([true, false]);
});
