import type { Offer } from '../../domain/offers/offer.ts';
import type { Queryable, Sql } from '../core/client.ts';
import { listStatusChanges } from './offer-history.ts';
import {
  selectOffer,
  selectOfferText,
  toFoundOffer,
  type FoundOffer,
  type OfferRow,
} from './offer-row.ts';
import { onSnapshot } from '../core/transaction.ts';

/** A vendor's own offer; null for an unknown one and for another vendor's. */
export const findOffer = async (sql: Queryable, vendorId: string, id: string) =>
  (await findOwnOffer(sql, vendorId, id))?.offer ?? null;

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
export const findOwnOfferWithHistory = (sql: Sql, vendorId: string, id: string) =>
  onSnapshot(sql, async (snapshot) => {
    const found = await findOwnOffer(snapshot, vendorId, id);
    return found === null ? null : { found, history: await listStatusChanges(snapshot, [found]) };
  });

/**
 * Locks an offer and its vendor's agreement until the transaction ends. These are separate
 * statements: a statement that waits for a lock sees every other row as it was before the wait, and
 * would miss the supply option of a concurrent first approval.
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

/** As {@link findAnyOfferNow}, locked until the transaction ends. */
export async function lockAnyOffer(sql: Queryable, id: string): Promise<FoundOffer | null> {
  await lockOffer(sql, id);
  return findAnyOfferNow(sql, id);
}
