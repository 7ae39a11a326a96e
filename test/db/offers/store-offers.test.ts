import { expect, onTestFinished } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { costPlus } from '../../support/api/actors.ts';
import { meets } from '../../support/database/locks.ts';
import { seedOperator } from '../../support/seeds/seed.ts';
import { at, now, supplyLike, test as offerTest } from './offer-rows.ts';

const asFound = (offer: Offer): FoundOffer => ({
  stored: offer,
  offer,
  agreement: costPlus,
  switchedAt: at,
  now,
  changeTime: at.toISOString(),
});

/** The next version of a found offer. */
const next = ({ offer }: FoundOffer, given: Partial<Offer> = {}): Offer => ({
  ...offer,
  version: offer.version + 1,
  changedAt: now,
  ...given,
});

const readRecord = (sql: Sql) => ({
  historyOf: (id: string) => sql`
    select from_status, to_status, reason, at from offer_status_changes
    where offer_id = ${id} order by id`,
  messagesTo: (id: string) => sql`select kind, payload from outbox where subject_id = ${id}`,
  supplyOf: async (id: string) =>
    (
      await sql`
        select is_paused, stock_quantity, in_stock, updated_at, net
        from supply_options where offer_id = ${id}`
    )[0],
  everythingOf: (id: string) => sql`
    select (select to_jsonb(o) from offers o where id = ${id}) as offer,
      (select to_jsonb(s) from supply_options s where offer_id = ${id}) as supply,
      (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
      (select jsonb_agg(m) from outbox m where subject_id = ${id}) as messages`,
});

/**
 * Gives a test `record`, the reads of what is stored, and `newFound`. A new offer is Approved with
 * a supply option, unless the test gives other fields, and its creation leaves no history or
 * message.
 */
const test = offerTest
  .extend('record', { scope: 'file' }, ({ sql }) => readRecord(sql))
  .extend(
    'newFound',
    { scope: 'file' },
    ({ sql, newOffer }) =>
      async (given: Partial<Offer> = {}): Promise<FoundOffer> => {
        const { supply = supplyLike() } = given;
        const fields = { everApproved: true, awaitingSince: null, ...given, supply };
        const offer = await newOffer(fields, supply !== null);
        await sql`delete from outbox where subject_id = ${offer.id}`;
        await sql`delete from offer_status_changes where offer_id = ${offer.id}`;
        return asFound(offer);
      },
  );

const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };

test('stores every field but the fixed ones', async ({ sql, newFound }) => {
  const found = await newFound();
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
    awaitingSince: at,
    reviewedAt: new Date('2026-01-02T03:04:05.678Z'),
    reviewReason: 'why',
  });
  const moved = { ...after, id: found.offer.id, source: 'Manual' as const, createdAt: now };
  expect(await storeOffers(sql, [{ found, after: moved }])).toBe(1);
  expect(await findAnyOffer(sql, found.offer.id)).toEqual(after);
});

test('adds the history row of a switch first', async ({ sql, newFound, record }) => {
  const found = await newFound();
  const { vendorId } = found.offer;
  await sql`update vendors set agreement_epoch = 1 where id = ${vendorId}`;
  onTestFinished(async () => {
    await sql`update vendors set agreement_epoch = 0 where id = ${vendorId}`;
  });
  const switched = next(found, {
    status: 'PendingRepricing',
    pricingModel: 'PercentageOfSale',
    agreementEpoch: 1,
    changedAt: at,
  });
  const after = next(asFound(switched), { status: 'Withdrawn' });
  const change = { found: { ...found, offer: switched }, after, reason: 'Enough.' };
  expect(await storeOffers(sql, [change])).toBe(1);
  expect(await record.historyOf(found.offer.id)).toEqual([
    { fromStatus: 'Approved', toStatus: 'PendingRepricing', reason: null, at },
    { fromStatus: 'PendingRepricing', toStatus: 'Withdrawn', reason: 'Enough.', at: now },
  ]);
  const { version } = after;
  expect(await findAnyOffer(sql, found.offer.id)).toMatchObject({ version });
});

test.for([
  ['is awaited from now on', 'Approved', null, 'Approved', now, 1],
  ['is awaited no longer', 'Approved', at, 'Approved', null, 1],
  ['is awaited in another status', 'Approved', at, 'PendingReview', at, 1],
  ['was awaited already, in the same status', 'Approved', at, 'Approved', at, 0],
  ['was and is not awaited', 'Approved', null, 'Suspended', null, 0],
] as const)(
  'notifies the review when a reviewer %s, from %s since %o to %s since %o: %i messages',
  async (
    [, status, before, statusAfter, awaitingSince, count],
    { sql, newFound, record, vendorId },
  ) => {
    const found = await newFound({ status, awaitingSince: before });
    await storeOffers(sql, [{ found, after: next(found, { status: statusAfter, awaitingSince }) }]);
    const message = { kind: 'offerReview', payload: { vendorId } };
    expect(await record.messagesTo(found.offer.id)).toEqual(
      Array.from({ length: count }, () => message),
    );
  },
);

test('updates stock, not the price, of the option', async ({ sql, newFound, record }) => {
  const found = await newFound();
  const before = await record.supplyOf(found.offer.id);
  await storeOffers(sql, [{ found, after: next(found, { vendorSku: 'S' }) }]);
  expect(await record.supplyOf(found.offer.id)).toEqual(before);

  const other = await newFound();
  const supply = { ...supplyLike(true), optionId: other.offer.supply?.optionId ?? '' };
  const stock = { declaredStockQuantity: 0, declaredInStock: false };
  const cost = { netHalalas: 1, vatHalalas: 0, enteredVatInclusive: false };
  await storeOffers(sql, [{ found: other, after: next(other, { supply, cost, ...stock }) }]);
  const written = { isPaused: true, stockQuantity: 0, inStock: false, updatedAt: now };
  expect(await record.supplyOf(other.offer.id)).toEqual({ ...written, net: 10_000 });
});

test('keeps the reviewer until another one reviews', async ({ sql, newFound }) => {
  const [one, two] = [await seedOperator(sql), await seedOperator(sql)];
  let found = await newFound();
  for (const [reviewer, status, expected] of [
    [{ reviewerId: one.id }, 'Suspended', one.id],
    [{}, 'Approved', one.id],
    [{ reviewerId: two.id }, 'Approved', two.id],
  ] as const) {
    const after = next(found, { status });
    await storeOffers(sql, [{ found, after, ...reviewer }]);
    const [row] = await sql`select reviewed_by from offers where id = ${after.id}`;
    expect(row).toEqual({ reviewedBy: expected });
    found = asFound(after);
  }
});

test.for([true, false])(
  'writes messages with low priority if the call has it: %s',
  async (isLowPriority, { sql, newFound }) => {
    const found = await newFound({ awaitingSince: at });
    const after = next(found, { status: 'Withdrawn', awaitingSince: null });
    await storeOffers(sql, [{ found, after }], isLowPriority ? { isLowPriority } : {});
    const messages = await sql`
      select is_low_priority from outbox where subject_id = ${found.offer.id}`;
    expect(messages).toEqual([{ isLowPriority }]);
  },
);

test.for([-1, 1])(
  'writes only the other offers beside one with another version: %i',
  async (difference, { sql, newFound, record }) => {
    const found = await newFound({ status: 'PendingReview', awaitingSince: at });
    const other = await newFound();
    const { id, version } = found.offer;
    const before = await record.everythingOf(id);
    const late = { ...found, stored: { ...found.stored, version: version + difference } };
    const supply = { ...supplyLike(true), optionId: found.offer.supply?.optionId ?? '' };
    const withdrawn = { status: 'Withdrawn', supply, declaredStockQuantity: 9 } as const;
    const changes = [
      { found: late, after: next(found, { ...withdrawn, awaitingSince: null }) },
      { found: other, after: next(other, { status: 'Withdrawn' }) },
    ];
    expect(await storeOffers(sql, changes)).toBe(1);
    const plain = next(found, { vendorSku: 'S' });
    expect(await storeOffers(sql, [{ found: late, after: plain }])).toBe(0);
    expect(await record.everythingOf(id)).toEqual(before);
    expect(await record.historyOf(other.offer.id)).toHaveLength(1);
  },
);

test('stores nothing after a wait for another change', async ({ sql, newFound, record }) => {
  const found = await newFound();
  const change = (status: 'Withdrawn' | 'Suspended') => [{ found, after: next(found, { status }) }];
  const stored = await meets(
    sql,
    (transaction) => storeOffers(transaction, change('Withdrawn')),
    () => storeOffers(sql, change('Suspended')),
  );
  expect(stored).toBe(0);
  expect(await record.historyOf(found.offer.id)).toMatchObject([{ toStatus: 'Withdrawn' }]);
});

test('stores a plain change alone as among others', async ({ sql, newFound, record }) => {
  const [alone, among, other] = [await newFound(), await newFound(), await newFound()];
  const given = {
    vendorSku: 'A\\"\'%_😀',
    rawBrandName: null,
    rawSizeMl: 7,
    pendingCost: price,
    salePrice: null,
    reviewedAt: now,
    judgedVersion: 9,
  };
  const changes = [alone, among, other].map((found) => ({ found, after: next(found, given) }));
  const stored = () =>
    Promise.all(
      changes.map(async ({ after: { id } }) => {
        const [{ offer: _offer, ...rest } = {}] = await record.everythingOf(id);
        return rest;
      }),
    );
  const before = await stored();
  expect(await storeOffers(sql, changes.slice(0, 1))).toBe(1);
  expect(await storeOffers(sql, changes.slice(1))).toBe(2);
  for (const { after } of changes) expect(await findAnyOffer(sql, after.id)).toEqual(after);
  expect(await stored()).toEqual(before);
});

test('stores any set of changed columns', async ({ sql, newFound }) => {
  const fields = [
    'vendorSku',
    'barcode',
    'rawBrandName',
    'rawProductName',
    'rawConcentration',
    'rawDescription',
    'reviewReason',
  ];
  let found = await newFound();
  for (let set = 0; set < 2 ** fields.length; set += 1) {
    const changed = fields.filter((_, bit) => (set & (1 << bit)) !== 0);
    const given = Object.fromEntries(changed.map((field) => [field, `${field} ${set}`]));
    const after = next(found, given);
    expect(await storeOffers(sql, [{ found, after }])).toBe(1);
    expect(await findAnyOffer(sql, after.id)).toEqual(after);
    found = asFound(after);
  }
});
