import type { Offer, OfferStatus } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { valueOf } from '../core/rows.ts';
import { toOfferColumns } from './offer-columns.ts';
import { offerColumnNames, type FoundOffer } from './offer-row.ts';
import { writeMessages } from '../outbox/write-messages.ts';

/**
 * A changed offer. `reviewerId` is the operator who decided. `reason` goes into the history, with
 * the statuses that the offer passes on its way to the new one.
 */
export type OfferChange = {
  readonly found: Pick<FoundOffer, 'stored' | 'offer' | 'switchedAt'>;
  readonly after: Offer;
  readonly passes?: readonly OfferStatus[];
  readonly reviewerId?: string;
  readonly reason?: string | null;
};

/**
 * The status changes from the stored offer to the new one; a pending switch comes first, unless the
 * new offer leaves it pending.
 */
function statusChanges({
  found: { stored, offer, switchedAt },
  after,
  passes = [],
  reason = null,
}: OfferChange) {
  const before = after.agreementEpoch === stored.agreementEpoch ? stored : offer;
  const way = [before.status, ...passes, after.status];
  return [
    { from: stored.status, to: before.status, reason: null, at: switchedAt },
    ...way.slice(1).map((to, index) => ({
      from: way[index] ?? to,
      to,
      reason,
      at: after.changedAt,
    })),
  ]
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, reason, at }, position) => ({
      offer_id: after.id,
      from_status: from,
      to_status: to,
      reason,
      at: at.toISOString(),
      position,
    }));
}

/**
 * Whether the review workflow needs a message: the offer starts or stops waiting for a reviewer, or
 * waits for another reason. A price push on a waiting offer, which is frequent, sends none.
 */
const concernsReview = (before: Offer, after: Offer): boolean =>
  (before.awaitingSince === null) !== (after.awaitingSince === null) ||
  (after.awaitingSince !== null && before.status !== after.status);

const constantColumns: ReadonlySet<string> = new Set(['id', 'vendor_id', 'source', 'created_at']);
const variableColumns = offerColumnNames.filter((name) => !constantColumns.has(name));
const assignments = variableColumns.map((name) => `${name} = input.${name}`).join(', ');

/**
 * Stores changed offers by one statement: the rows, their status changes, the pause and stock of
 * their supply options, and messages to their reviews. It skips an offer with another version than
 * the one found, or whose vendor's agreement was switched since. Returns how many it stored. With
 * `isLowPriority`, the messages of thousands of offers do not delay others. `lockedOf` is the
 * vendor of all the offers if the caller has locked them. `isByReview`: the review's run makes the
 * change and gets no message about it.
 */
export async function storeOffers(
  sql: Queryable,
  changes: readonly OfferChange[],
  {
    isLowPriority = false,
    lockedOf = null,
    isByReview = false,
  }: {
    readonly isLowPriority?: boolean;
    readonly lockedOf?: string | null;
    readonly isByReview?: boolean;
  } = {},
): Promise<number> {
  const [only] = changes;
  if (only !== undefined && changes.length === 1 && isPlain(only)) {
    const stored = await storePlainChange(sql, only);
    if (stored !== null) return stored;
  }
  const rows = changes.map(({ found, after, reviewerId = null }) => ({
    id: after.id,
    columns: toOfferColumns(after, found.stored),
    found_version: found.stored.version,
    found_epoch: found.offer.agreementEpoch,
    reviewer_id: reviewerId,
    is_paused: after.supply?.isPaused ?? null,
    notifies_review: !isByReview && concernsReview(found.stored, after),
  }));
  if (rows.length === 0) return 0;
  const messages = writeMessages(sql, 'offerReview', {
    from: sql`changed where notifies_review`,
    payload: { vendorId: sql`vendor_id` },
    isLowPriority,
  });
  // One call for all offers: it costs more than the update of a row. The offers must be locked
  // before, because the statement must wait for no other writer afterwards. Without it, the trigger
  // gives each offer its time.
  const begun =
    lockedOf === null
      ? sql``
      : sql`, begun as materialized (select offer_change_time(${lockedOf}) as at)`;
  const changeTime =
    lockedOf === null
      ? sql``
      : sql`, change_time = begun.at + input.position * interval '1 microsecond'`;
  return valueOf(sql`
    with input as materialized (
      select record.*, row_number() over () as position, sent.found_version, sent.found_epoch,
        sent.reviewer_id, sent.is_paused, sent.notifies_review
      from jsonb_to_recordset(${sql.json(rows)}) as sent(
        id uuid, columns jsonb, found_version integer, found_epoch integer, reviewer_id uuid,
        is_paused boolean, notifies_review boolean
      )
      join offers on offers.id = sent.id and offers.version = sent.found_version
      cross join lateral jsonb_populate_record(offers, sent.columns) as record
    ), agreed as materialized (
      -- The lock orders this change and a concurrent switch.
      select vendor_id, lock_agreement_shared(vendor_id) as epoch
      from (select distinct vendor_id from input) as each_once
    )${begun}, changed as (
      update offers set ${sql.unsafe(assignments)},
        reviewed_by = coalesce(input.reviewer_id, offers.reviewed_by)
        ${changeTime}
      from input join agreed
        on agreed.vendor_id = input.vendor_id and agreed.epoch = input.found_epoch
      ${lockedOf === null ? sql`` : sql`cross join begun`}
      where offers.id = input.id and offers.version = input.found_version
      returning offers.id, offers.vendor_id, offers.declared_stock_quantity,
        offers.declared_in_stock, offers.changed_at, input.is_paused, input.notifies_review
    ), history as (
      insert into offer_status_changes (offer_id, from_status, to_status, reason, at)
      select change.offer_id, change.from_status, change.to_status, change.reason, change.at
      from jsonb_to_recordset(${sql.json(changes.flatMap(statusChanges))})
        as change(offer_id uuid, from_status text, to_status text, reason text, at timestamptz,
          position integer)
      join changed on changed.id = change.offer_id
      order by change.at, change.position
    ), supply as (
      update supply_options set is_paused = changed.is_paused,
        stock_quantity = changed.declared_stock_quantity, in_stock = changed.declared_in_stock,
        updated_at = changed.changed_at
      from changed
      where supply_options.offer_id = changed.id and changed.is_paused is not null
        and (supply_options.is_paused, supply_options.stock_quantity, supply_options.in_stock)
          is distinct from (changed.is_paused, changed.declared_stock_quantity,
            changed.declared_in_stock)
    )
    select count(*)::int, ${messages} from changed`);
}

/** Whether a change writes the offer's row only: no history, no message, no supply option. */
function isPlain(change: OfferChange): boolean {
  const {
    found: { stored },
    after,
    reviewerId,
  } = change;
  return (
    reviewerId === undefined &&
    statusChanges(change).length === 0 &&
    !concernsReview(stored, after) &&
    stored.supply?.isPaused === after.supply?.isPaused &&
    stored.declaredInStock === after.declaredInStock &&
    stored.declaredStockQuantity === after.declaredStockQuantity
  );
}

/** Each connection prepares a statement for each set of columns, so their number has a limit. */
const columnSetsMax = 100;
const columnSets = new Map<string, string>();

/**
 * Stores a plain change, such as a price push, by an update of the changed columns: two thirds of
 * the time of the statement for many offers. Null when there are too many sets of columns.
 */
async function storePlainChange(sql: Queryable, { found: { stored }, after }: OfferChange) {
  const next = toOfferColumns(after, stored);
  const names = variableColumns.filter((name) => name in next);
  const text = plainChangeText(names);
  if (text === null) return null;
  const { id, vendorId, agreementEpoch } = after;
  const values = [vendorId, id, stored.version, agreementEpoch];
  const { count } = await sql.unsafe(
    text,
    [...values, ...names.map((name) => next[name] ?? null)],
    { prepare: true },
  );
  return count;
}

function plainChangeText(names: readonly string[]): string | null {
  const key = names.join();
  const known = columnSets.get(key);
  if (known !== undefined) return known;
  if (names.length === 0 || columnSets.size >= columnSetsMax) return null;
  const text = `
    with agreed as materialized (
      -- The lock orders this change and a concurrent switch.
      select lock_agreement_shared($1) as epoch
    )
    update offers set ${names.map((name, index) => `${name} = $${index + 5}`).join(', ')}
    from agreed
    where offers.id = $2 and offers.version = $3 and agreed.epoch = $4`;
  columnSets.set(key, text);
  return text;
}
