import type { Fragment } from 'postgres';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { businessNowOf } from '../core/clock.ts';
import { parts, statementOf } from '../core/statements/statement-parts.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { givenColumns, insertedAt, toOfferColumns } from './offer-columns.ts';

const namesOf = (prefix: string): Fragment =>
  parts.unsafe(givenColumns.map(({ name }) => `${prefix}${name}`).join(', '));
const [names, inputNames, recordNames] = [namesOf(''), namesOf('input.'), namesOf('record.')];

/**
 * The text around the values of an offer's columns. Postgres reads values in a fraction of the time
 * of a JSON object with them.
 */
const oneTexts = ['', ...givenColumns.map(({ name, type }) => `::${type} as ${name}, `)];
const oneStrings = Object.assign(oneTexts, { raw: oneTexts });

/** The rows of the insert: their given columns, `is_awaiting` and `position`. */
function inputOf(offers: readonly Offer[]): Fragment {
  const rows = offers.map((offer) => toOfferColumns(offer));
  const [first] = rows;
  if (first !== undefined && rows.length === 1) {
    const values = givenColumns.map(({ name }) => first[name] ?? null);
    return parts`
      select ${parts(oneStrings, ...values)}${offers[0]?.awaitingSince !== null}::boolean as is_awaiting,
        1 as position`;
  }
  return parts`
    select ${recordNames}, record.awaiting_since is not null as is_awaiting, position
    from rows from (jsonb_array_elements(${JSON.stringify(rows)}::text::jsonb))
      with ordinality as sent(columns, position)
    cross join lateral jsonb_populate_record(null::offers, sent.columns) as record`;
}

/**
 * Stores new offers of one vendor and agreement, each with its first status change and, if it waits
 * for a reviewer, the message to its workflow, by one statement. Returns the offers that it stored,
 * by their ids, with the instant of the insert. It stores none if the agreement has been switched
 * since the read of its facts, and no offer whose vendorExternalId is taken. The caller then reads
 * the facts again. With `isLowPriority`, the messages of thousands of offers do not delay others.
 */
export async function insertOffers(
  sql: Queryable,
  offers: readonly Offer[],
  { isLowPriority = false } = {},
): Promise<ReadonlyMap<string, Offer>> {
  const [first] = offers;
  if (first === undefined) return new Map();
  const { vendorId, agreementEpoch } = first;
  const message = writeMessages(parts, 'offerReview', {
    from: parts`created where awaiting_since is not null`,
    payload: { vendorId: parts`vendor_id` },
    isLowPriority,
  });
  const statement = parts`
    with agreed as materialized (
      -- The lock orders the new offers and a concurrent switch.
      select lock_agreement_shared(${vendorId}) as epoch,
        ${businessNowOf(parts, parts`${vendorId}`)} as now
    ), begun as materialized (
      -- The change times are a microsecond apart, so that a page may end between any two.
      select now, offer_change_time(${vendorId}) as at from agreed where epoch = ${agreementEpoch}
    ), created as (
      -- Columns by name: a later version may have more of them, with defaults.
      insert into offers (${names}, change_time, created_at, changed_at, awaiting_since)
      select ${inputNames}, begun.at + input.position * interval '1 microsecond', now, now,
        case when is_awaiting then now end
      from begun cross join (${inputOf(offers)}) as input
      on conflict (vendor_id, vendor_external_id, source) where vendor_external_id is not null
        do nothing
      returning id, vendor_id, status, created_at, awaiting_since
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    )
    select array_agg(id) as ids, min(created_at) as at, ${message} as messages from created`;
  const [row] = await statementOf(sql, statement);
  const { ids, at } = row as { readonly ids: readonly string[] | null; readonly at: Date };
  const stored = new Set(ids);
  return new Map(
    offers.flatMap((offer) => (stored.has(offer.id) ? [[offer.id, insertedAt(offer, at)]] : [])),
  );
}
