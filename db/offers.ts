import type { Agreement, PricingModel } from '../domain/agreement.ts';
import type { Offer, Variant } from '../domain/offer.ts';
import type { Queryable } from './client.ts';
import { offerColumns, selectOffer, toOffer, type OfferRow } from './offer-row.ts';

/** What create-offer needs to know first, in one statement. */
export type CreationFacts = {
  readonly agreement: Agreement;
  readonly variant: Variant | null;
  /** The vendor's offer that already has this vendorExternalId. */
  readonly existing: Offer | null;
};

type CreationRow = {
  readonly pricingModel: PricingModel;
  readonly rateBasisPoints: number;
  readonly variant: Variant | null;
  readonly existingId: string | null;
};

/** Null when there is no such vendor. */
export async function findCreationFacts(
  sql: Queryable,
  vendorId: string,
  variantId: string | null,
  vendorExternalId: string | null,
): Promise<CreationFacts | null> {
  const [row] = await sql<CreationRow[]>`
    select vendors.pricing_model, vendors.rate_basis_points, offers.id as existing_id,
      case when variants.id is not null then jsonb_build_object(
        'id', variants.id, 'sku', variants.sku, 'brandName', variants.brand_name,
        'productName', variants.product_name, 'concentration', variants.concentration,
        'sizeMl', variants.size_ml, 'barcode', variants.barcode, 'isActive', variants.is_active
      ) end as variant
    from vendors
    left join variants on variants.id = ${variantId}
    left join offers on offers.vendor_id = vendors.id and offers.vendor_external_id = ${vendorExternalId}
    where vendors.id = ${vendorId}`;
  if (row === undefined) return null;
  const { pricingModel, rateBasisPoints, variant, existingId } = row;
  return {
    agreement: { pricingModel, rateBasisPoints },
    variant,
    existing: existingId === null ? null : await findOffer(sql, vendorId, existingId),
  };
}

/**
 * Stores a new offer with its first status change and, when a reviewer is awaited, the message to its workflow: one
 * statement, so all or nothing. False when the vendorExternalId is taken or the agreement is no longer the one that
 * the offer was made under: look again.
 */
export async function insertOffer(sql: Queryable, offer: Offer): Promise<boolean> {
  const columns = offerColumns(offer);
  const names = Object.keys(columns);
  const [{ count }] = await sql<[{ count: number }]>`
    with agreed as (
      -- Held until the end: an agreement switch and a new offer see each other in some order.
      select pricing_model from vendors where id = ${offer.vendorId} for share
    ), created as (
      -- Columns by name: a later version may have more of them, with defaults.
      insert into offers (${sql.unsafe(names.join(', '))})
      select ${sql.unsafe(names.map((name) => `given.${name}`).join(', '))}
      from agreed, jsonb_populate_record(null::offers, ${sql.json(columns)}) as given
      where given.pricing_model = agreed.pricing_model
      on conflict (vendor_id, vendor_external_id) where vendor_external_id is not null do nothing
      returning id, vendor_id, status, created_at, awaiting_since
    ), changed as (
      insert into offer_status_changes (offer_id, from_status, to_status, at)
      select id, null, status, created_at from created
    ), told as (
      insert into outbox (kind, subject_id, input)
      select 'offerReview', id, jsonb_build_object('vendorId', vendor_id) from created
      where awaiting_since is not null
    )
    select count(*)::int as count from created`;
  return count === 1;
}

/** A vendor's own offer; null for an unknown one and for another vendor's alike. */
export async function findOffer(sql: Queryable, vendorId: string, id: string): Promise<Offer | null> {
  const [row] = await sql<OfferRow[]>`
    ${selectOffer(sql)} where offers.id = ${id} and offers.vendor_id = ${vendorId}`;
  return row === undefined ? null : toOffer(row);
}

/** The operator's and the workflows' view: any vendor's offer. */
export async function findAnyOffer(sql: Queryable, id: string): Promise<Offer | null> {
  const [row] = await sql<OfferRow[]>`${selectOffer(sql)} where offers.id = ${id}`;
  return row === undefined ? null : toOffer(row);
}

/** The same, locked until the transaction ends. */
export async function lockAnyOffer(sql: Queryable, id: string): Promise<Offer | null> {
  const [row] = await sql<OfferRow[]>`
    ${selectOffer(sql)} where offers.id = ${id} for update of offers`;
  return row === undefined ? null : toOffer(row);
}

/**
 * Stores what a decision made of an offer that is locked: the row, and the status change if there is one.
 * `reviewerId` is the operator who decided.
 */
export async function updateReviewedOffer(
  sql: Queryable,
  before: Offer,
  after: Offer,
  reviewerId: string,
): Promise<void> {
  await sql`
    update offers set ${sql({ ...offerColumns(after), reviewed_by: reviewerId })}
    where id = ${after.id}`;
  if (before.status !== after.status) {
    await sql`
      insert into offer_status_changes (offer_id, from_status, to_status, reason, at)
      values (${after.id}, ${before.status}, ${after.status}, ${after.reviewReason}, ${after.changedAt})`;
  }
}
