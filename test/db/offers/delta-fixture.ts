import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { activateAgreement, lockOutdatedOffers } from '../../../db/accounts/agreements.ts';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { findCreationFacts } from '../../../db/offers/creation-facts.ts';
import { insertOffer } from '../../../db/offers/offers.ts';
import type { OfferFilter } from '../../../db/offers/lists/offer-filter.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { storeStock } from '../../../db/offers/pushes/store-stock.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';

/** A vendor's offers that a client polls by change time. */

export const longAgo = '2000-01-01T00:00:00.000000Z';

export const everything: OfferFilter = {
  status: null,
  vendorSku: null,
  vendorExternalId: null,
  changedSince: longAgo,
  createdFrom: null,
  createdTo: null,
  tokenId: 'token',
};

export async function addOffer(sql: Queryable, vendorId: string): Promise<string> {
  const asked = { variantId: null, vendorExternalId: null, source: 'Api' } as const;
  const facts = await findCreationFacts(sql, vendorId, asked);
  const id = uuidv7();
  const given = { id, vendorId, variantId: null, vendorExternalId: null, vendorSku: 'ONE' };
  const agreementEpoch = facts?.agreement.agreementEpoch ?? 0;
  if (!(await insertOffer(sql, offerLike({ ...given, supply: null, agreementEpoch }))))
    throw new Error('not stored');
  return id;
}

export async function newOffers(sql: Sql, count: number) {
  const vendorId = await addVendor(sql);
  const ids: string[] = [];
  while (ids.length < count) ids.push(await addOffer(sql, vendorId));
  return { vendorId, ids };
}

/** A vendor with many offers of one SKU, in the order of their changes. */
export async function manyOffers(sql: Sql, count: number) {
  const { vendorId, ids } = await newOffers(sql, 1);
  await sql`
    insert into offers select made.* from offers, generate_series(2, ${count}) as n,
      jsonb_populate_record(offers, jsonb_build_object(
        'id', gen_random_uuid(), 'change_time', change_time + n * interval '1 microsecond'
      )) as made
    where offers.id = ${ids[0] ?? ''}`;
  await sql`analyze offers`;
  const rows = await sql<{ id: string }[]>`
    select id from offers where vendor_id = ${vendorId} order by change_time`;
  return { vendorId, ids: rows.map(({ id }) => id) };
}

export const poll = async (
  sql: Sql,
  vendorId: string,
  changedSince: string,
  request = { page: 1, pageSize: 100 },
  filter: Partial<OfferFilter> = {},
) => {
  const asked = { ...everything, ...filter, changedSince };
  const page = await listOffers(sql, vendorId, asked, request);
  return {
    ids: page.items.map(({ offer }) => offer.id),
    total: page.totalCount,
    next: page.nextChangedSince ?? '',
  };
};

export const push = (sql: Queryable, vendorId: string, offerId: string, quantity: number) =>
  storeStock(sql, {
    vendorId,
    offerId,
    declaredInStock: true,
    declaredStockQuantity: quantity,
  });

/** Waits until that many backends of the database wait for an advisory lock. */
export const untilWaiting = (sql: Sql, count: number) =>
  expect
    .poll(async () => {
      const [row] = await sql<[{ count: number }]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event = 'advisory'`;
      return row.count;
    })
    .toBe(count);

export const switchTo = (transaction: Queryable, vendorId: string) =>
  activateAgreement(
    transaction,
    vendorId,
    { pricingModel: 'PercentageOfSale', rateBasisPoints: 1000 },
    { isSwitch: true },
  );

/** Stores the switch of so many offers. */
export const follow = (sql: Sql, vendorId: string, limit: number) =>
  sql.begin(async (transaction) => {
    const found = await lockOutdatedOffers(transaction, vendorId, limit);
    return storeOffers(
      transaction,
      found.map((each) => ({ found: each, after: each.offer })),
    );
  });
