import { v7 as uuidv7 } from 'uuid';
import { activateAgreement } from '../../../db/accounts/agreements.ts';
import type { Pool, Queryable, Sql } from '../../../db/core/client.ts';
import { toOfferColumns } from '../../../db/offers/offer-columns.ts';
import { lockVendor } from '../../../db/accounts/vendors.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offer as builtOffer, price, supply } from '../../domain/offers/offer-builders.ts';
import { holdLock } from '../database/locks.ts';

/**
 * Puts an agreement in force, as the operator's route does; returns how many offers it moves to
 * PendingRepricing.
 */
export const changeAgreement = (
  sql: Sql,
  vendorId: string,
  agreement: Agreement,
): Promise<number> => sql.begin((transaction) => putInForce(transaction, vendorId, agreement));

/** The same in a transaction. */
export async function putInForce(
  transaction: Queryable,
  vendorId: string,
  agreement: Agreement,
): Promise<number> {
  const before = await lockVendor(transaction, vendorId);
  if (before === null) throw new Error('no such vendor');
  const isSwitch = before.agreement.pricingModel !== agreement.pricingModel;
  return activateAgreement(transaction, vendorId, agreement, { isSwitch });
}

export async function isSettled(sql: Sql, vendorId: string): Promise<boolean> {
  const [row] = await sql<{ isSettled: boolean }[]>`
    select agreement_settled_epoch = agreement_epoch as is_settled from vendors
    where id = ${vendorId}`;
  return row?.isSettled === true;
}

const awaitingSince = new Date('2026-02-01T00:00:00.000Z');
const pendingCost = price(12_000, 1800);
const staged = { pendingCost, awaitingSince };
const live = { everApproved: true, supply: supply() };
const paused = { everApproved: true, supply: supply({ isPaused: true }) };

/** An offer of each kind that an agreement switch may meet, under Model 1. */
const kinds = {
  approved: { status: 'Approved', ...live },
  approvedWithStagedPrice: { status: 'Approved', ...live, ...staged },
  inFirstReview: { status: 'PendingReview', awaitingSince },
  inReviewAgain: { status: 'PendingReview', ...live, ...staged },
  unmatched: { status: 'PendingMatch', variantId: null, awaitingSince },
  draft: { status: 'Draft' },
  rejected: { status: 'Rejected', reviewReason: 'No' },
  rejectedWithStagedPrice: { status: 'Rejected', ...paused, pendingCost },
  withdrawn: { status: 'Withdrawn', ...paused },
  suspended: { status: 'Suspended', ...paused, pendingCost },
  repricing: { status: 'PendingRepricing', ...paused },
} as const satisfies Record<string, Partial<Offer>>;

export type OfferKind = keyof typeof kinds;
export const offerKinds = Object.keys(kinds) as readonly OfferKind[];

function offerOf(kind: OfferKind, vendorId: string, variantId: string): Offer {
  const given: Partial<Offer> = { variantId, awaitingSince: null, ...kinds[kind] };
  const id = uuidv7();
  const own = given.supply ? { ...given.supply, optionId: uuidv7() } : null;
  const known = { id, vendorId, vendorExternalId: id, barcode: '4006381333931' };
  return builtOffer({ ...known, ...given, supply: own });
}

/**
 * Stores a given number of offers of each kind, by one statement for all, without reviews of their
 * own. The kinds are mixed, so that every batch meets each; returns them in the order in which a
 * switch takes them.
 */
export async function seedManyOffers(
  sql: Sql,
  { vendorId, variantId }: { readonly vendorId: string; readonly variantId: string },
  counts: Partial<Record<OfferKind, number>>,
): Promise<readonly Offer[]> {
  const wanted = Object.entries(counts) as [OfferKind, number][];
  const offers = wanted
    .flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, index) => ({ kind, position: (index + 0.5) / count })),
    )
    .toSorted((one, other) => one.position - other.position)
    .map(({ kind }) => offerOf(kind, vendorId, variantId));
  const rows = offers.map((offer) => toOfferColumns(offer));
  const names = sql.unsafe(Object.keys(rows[0] ?? {}).join(', '));
  await sql`
    insert into offers (${names}) select ${names}
    from jsonb_populate_recordset(null::offers, ${sql.json(rows)})`;
  const options = offers.flatMap(({ id, supply }) =>
    supply === null ? [] : [{ offer_id: id, ...supply }],
  );
  await sql`
    insert into supply_options (id, offer_id, vendor_id, variant_id, net, sell_net, payout_net,
      pricing_model, rate_basis_points, stock_quantity, in_stock, is_paused, updated_at)
    select option."optionId", offer_id, offers.vendor_id, variant_id, cost_net,
      cost_net + cost_net / 4, cost_net, option."pricingModel", 2500, declared_stock_quantity,
      declared_in_stock, option."isPaused", changed_at
    from jsonb_to_recordset(${sql.json(options)})
      as option("optionId" uuid, offer_id uuid, "pricingModel" text, "isPaused" boolean)
    join offers on offers.id = offer_id`;
  return offers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/** Locks an offer's row, so that every writer waits. Resolves to the function that unlocks it. */
export const holdOffer = (sql: Pool, offerId: string): Promise<() => Promise<void>> =>
  holdLock(sql, sql`select from offers where id = ${offerId} for update`);

/** The same for the row of its supply option. */
export const holdSupplyOption = (sql: Pool, offerId: string): Promise<() => Promise<void>> =>
  holdLock(sql, sql`select from supply_options where offer_id = ${offerId} for update`);

const waitingWorker = (sql: Sql) => sql`
  datname = current_database() and application_name = 'vendor-gateway worker'
    and wait_event_type = 'Lock'`;

/** Whether a step of a worker waits for a row that is held. */
export async function isHeldUp(sql: Sql): Promise<boolean> {
  return (await sql`select from pg_stat_activity where ${waitingWorker(sql)}`).length > 0;
}

/** Cuts the connection of the step that waits for a row that is held. */
export async function cutHeldUp(sql: Sql): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waitingWorker(sql)}`;
}
