import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { changeTimes } from './change-time.ts';
import { givenColumns, insertedAt, toOfferColumns } from './offer-columns.ts';

/**
 * As `insertOffer`, for many offers of one vendor by one statement, with messages of low priority.
 * Returns the offers that it stored, by their ids, with the instant of the insert: a concurrent
 * call may have taken the vendorExternalId of another.
 */
export async function insertOffers(
  sql: Queryable,
  vendorId: string,
  offers: readonly Offer[],
): Promise<ReadonlyMap<string, Offer>> {
  if (offers.length === 0) return new Map();
  const names = (prefix: string) =>
    sql.unsafe(givenColumns.map(({ name }) => `${prefix}${name}`).join(', '));
  const message = writeMessages(sql, 'offerReview', {
    from: sql`created where awaiting_since is not null`,
    payload: { vendorId: sql`vendor_id` },
    isLowPriority: true,
  });
  const times = changeTimes(sql, vendorId);
  const rows = offers.map((offer) => toOfferColumns(offer));
  const [row] = await sql<[{ ids: readonly string[] | null; at: Date }]>`
    with input as materialized (
      select record.*, position
      from rows from (jsonb_array_elements(${sql.json(rows)}))
        with ordinality as sent(columns, position)
      cross join lateral jsonb_populate_record(null::offers, sent.columns) as record
    ), clock as materialized (
      select business_now(clock_offset, clock_stands_at) as now from vendors where id = ${vendorId}
    )${times.begun}, created as (
      insert into offers (${names('')}, change_time, created_at, changed_at, awaiting_since)
      select ${names('input.')}, begun.at + input.position * interval '1 microsecond', now, now,
        case when input.awaiting_since is not null then now end
      from input cross join clock ${times.join} order by input.position
      on conflict (vendor_id, vendor_external_id, source) where vendor_external_id is not null
        do nothing
      returning id, vendor_id, status, created_at, awaiting_since
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    )
    select (select array_agg(id) from created) as ids, (select now from clock) as at,
      ${message} as messages`;
  const ids = new Set(row.ids);
  return new Map(
    offers.flatMap((offer) => (ids.has(offer.id) ? [[offer.id, insertedAt(offer, row.at)]] : [])),
  );
}
