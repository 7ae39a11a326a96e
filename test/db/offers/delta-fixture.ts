import { v7 as uuidv7 } from 'uuid';
import type { Queryable, Sql } from '../../../db/core/client.ts';
import { insertOffers } from '../../../db/offers/insert-offers.ts';
import type { OfferFilter } from '../../../db/offers/offer-changes.ts';
import { listOffers } from '../../../db/offers/lists/offer-list.ts';
import { storeStock } from '../../../db/offers/store-push.ts';
import { offer as offerLike } from '../../domain/offers/offer-builders.ts';
import { percentageOfSale } from '../../support/api/actors.ts';
import { putInForce } from '../../support/seeds/agreement.ts';
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
  const [{ agreementEpoch }] = await sql<[{ agreementEpoch: number }]>`
    select agreement_epoch from vendors where id = ${vendorId}`;
  const id = uuidv7();
  const given = { id, vendorId, variantId: null, vendorExternalId: null, vendorSku: 'ONE' };
  const offer = offerLike({ ...given, supply: null, agreementEpoch });
  if ((await insertOffers(sql, [offer])).size === 0) throw new Error('not stored');
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
  const {
    items,
    totalCount: total,
    nextChangedSince,
  } = await listOffers(sql, vendorId, asked, request);
  return { ids: items.map(({ offer }) => offer.id), total, next: nextChangedSince ?? '' };
};

export const push = (sql: Queryable, vendorId: string, offerId: string, quantity: number) =>
  storeStock(
    sql,
    { vendorId, offerId },
    { declaredInStock: true, declaredStockQuantity: quantity },
  );

export const switchTo = (transaction: Queryable, vendorId: string) =>
  putInForce(transaction, vendorId, percentageOfSale);
