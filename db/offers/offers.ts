import type { Agreement } from '../../domain/accounts/agreement.ts';
import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { businessNowOf } from '../core/clock.ts';
import type { StatusHistories } from '../lists/status-history.ts';
import { givenColumns, insertedAt, toOfferColumns } from './offer-columns.ts';
import { listStatusChanges } from './offer-history.ts';
import {
  offerRowColumns,
  offerRowTables,
  selectOffer,
  selectOfferText,
  toFoundOffer,
  type FoundOffer,
  type OfferRow,
} from './offer-row.ts';
import { parts, statementOf } from '../core/statements/statement-parts.ts';
import { onSnapshot } from '../core/transaction.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/**
 * The text around the values of an offer's columns: the type of each, and a comma. Postgres reads
 * values in a fraction of the time of a JSON object with them.
 */
const givenTexts = ['', ...givenColumns.map(({ type }) => `::${type}, `)];
const givenStrings = Object.assign(givenTexts, { raw: givenTexts });
const offerColumnsText = parts.unsafe(givenColumns.map(({ name }) => name).join(', '));

/**
 * Stores a new offer with its first status change and, if it waits for a reviewer, the message to
 * its workflow, by one statement. Returns the offer with the instant of the insert. Null when the
 * vendorExternalId is taken or the agreement has been switched since the read of its facts: the
 * caller reads the facts again.
 */
export async function insertOffer(sql: Queryable, offer: Offer): Promise<Offer | null> {
  const message = writeMessages(parts, 'offerReview', {
    from: parts`created where awaiting_since is not null`,
    payload: { vendorId: parts`vendor_id` },
  });
  const values = toOfferColumns(offer);
  const given = parts(givenStrings, ...givenColumns.map(({ name }) => values[name] ?? null));
  const statement = parts`
    with agreed as materialized (
      -- The lock orders the new offer and a concurrent switch.
      select lock_agreement_shared(${offer.vendorId}) as epoch,
        ${businessNowOf(parts, parts`${offer.vendorId}`)} as now
    ), created as (
      -- Columns by name: a later version may have more of them, with defaults.
      insert into offers (${offerColumnsText}, change_time, created_at, changed_at, awaiting_since)
      select ${given}offer_change_time(${offer.vendorId}), now, now,
        case when ${offer.awaitingSince !== null} then now end
      from agreed where agreed.epoch = ${offer.agreementEpoch}
      on conflict (vendor_id, vendor_external_id, source) where vendor_external_id is not null
        do nothing
      returning id, vendor_id, status, created_at, awaiting_since
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    )
    select min(created_at) as at, ${message} as messages from created`;
  const [row] = await statementOf(sql, statement);
  const at = (row?.['at'] ?? null) as Date | null;
  return at === null ? null : insertedAt(offer, at);
}

/** A vendor's own offer; null for an unknown one and for another vendor's. */
export async function findOffer(
  sql: Queryable,
  vendorId: string,
  id: string,
): Promise<Offer | null> {
  return (await findOwnOffer(sql, vendorId, id))?.offer ?? null;
}

const ownOfferText = `${selectOfferText} where offers.id = $1 and offers.vendor_id = $2`;

/** As {@link findOffer}, with the stored offer; `isLocked` until the transaction ends. */
export async function findOwnOffer(
  sql: Queryable,
  vendorId: string,
  id: string,
  { isLocked = false } = {},
): Promise<FoundOffer | null> {
  if (isLocked) await lockOffer(sql, id);
  const [row] = await sql.unsafe<OfferRow[]>(ownOfferText, [id, vendorId], { prepare: true });
  return row === undefined ? null : toFoundOffer(row);
}

/** As {@link findOwnOffer}, with its status changes. */
export const findOwnOfferWithHistory = (
  sql: Sql,
  vendorId: string,
  id: string,
): Promise<{ readonly found: FoundOffer; readonly history: StatusHistories } | null> =>
  onSnapshot(sql, async (snapshot) => {
    const found = await findOwnOffer(snapshot, vendorId, id);
    return found === null ? null : { found, history: await listStatusChanges(snapshot, [found]) };
  });

/**
 * Locks an offer and its vendor's agreement until the transaction ends. These are separate
 * statements, because a statement that waits for a lock sees every other row as it was before the
 * wait, and would miss the supply option of a concurrent first approval.
 */
async function lockOffer(sql: Queryable, id: string): Promise<void> {
  await sql`select lock_agreement_shared(vendor_id) from offers where id = ${id}`;
  await sql`select from offers where id = ${id} for update`;
}

/** Any vendor's offer, for operators and workflows, with the instant of the read. */
export async function findAnyOfferNow(sql: Queryable, id: string): Promise<FoundOffer | null> {
  const [row] = await sql<OfferRow[]>`${selectOffer(sql)} where offers.id = ${id}`;
  return row === undefined ? null : toFoundOffer(row);
}

/** As {@link findAnyOfferNow}, some offers by their ids. */
export async function findOffersById(
  sql: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundOffer>> {
  const rows = await sql<OfferRow[]>`
    ${selectOffer(sql)} where offers.id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map((row) => [row.id, toFoundOffer(row)]));
}

/** As {@link findAnyOfferNow}, only the offer. */
export const findAnyOffer = async (sql: Queryable, id: string): Promise<Offer | null> =>
  (await findAnyOfferNow(sql, id))?.offer ?? null;

/** Locks any vendor's offer, and returns it with the agreement that prices it. */
export async function lockAnyOffer(
  sql: Queryable,
  id: string,
): Promise<(FoundOffer & { readonly agreement: Agreement }) | null> {
  await lockOffer(sql, id);
  const [row] = await sql<(OfferRow & { readonly rateBasisPoints: number })[]>`
    select ${offerRowColumns(sql)}, vendors.rate_basis_points from ${offerRowTables(sql)}
    where offers.id = ${id}`;
  if (row === undefined) return null;
  const { rateBasisPoints, ...rest } = row;
  const found = toFoundOffer(rest);
  return { ...found, agreement: { pricingModel: found.offer.pricingModel, rateBasisPoints } };
}
