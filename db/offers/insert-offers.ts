import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { changeTimes } from './change-time.ts';
import { offerColumnNames, toOfferColumns } from './offer-row.ts';

/**
 * As `insertOffer`, for many offers of one vendor by one statement, with messages of low priority.
 * Returns the ids of the offers that it stored: a concurrent call may have taken the
 * vendorExternalId of another.
 */
export async function insertOffers(
  sql: Queryable,
  vendorId: string,
  offers: readonly Offer[],
): Promise<ReadonlySet<string>> {
  if (offers.length === 0) return new Set();
  const names = (prefix: string) =>
    sql.unsafe(offerColumnNames.map((name) => `${prefix}${name}`).join(', '));
  const message = writeMessages(sql, 'offerReview', {
    from: sql`created where awaiting_since is not null`,
    payload: { vendorId: sql`vendor_id` },
    isLowPriority: true,
  });
  const times = changeTimes(sql, vendorId);
  const rows = offers.map((offer) => toOfferColumns(offer));
  const [row] = await sql<[{ ids: readonly string[] | null }]>`
    with given as materialized (
      select record.*, position
      from rows from (jsonb_array_elements(${sql.json(rows)}))
        with ordinality as sent(columns, position)
      cross join lateral jsonb_populate_record(null::offers, sent.columns) as record
    )${times.begun}, created as (
      insert into offers (${names('')}, change_time)
      select ${names('given.')}, begun.at + given.position * interval '1 microsecond'
      from given ${times.join} order by given.position
      on conflict (vendor_id, vendor_external_id, source) where vendor_external_id is not null
        do nothing
      returning id, vendor_id, status, created_at, awaiting_since
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    )
    select (select array_agg(id) from created) as ids, ${message} as messages`;
  return new Set(row.ids);
}
