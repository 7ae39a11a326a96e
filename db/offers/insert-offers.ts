import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Offer, Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { changeTimes } from './change-time.ts';
import {
  offerColumnNames,
  selectOffer,
  toOffer,
  toOfferColumns,
  type OfferRow,
} from './offer-row.ts';
import { findVariants } from './variants.ts';

type Agreement = {
  readonly pricingModel: PricingModel;
  readonly agreementEpoch: number;
  readonly agreementVersion: number;
};

/** The stored facts for many creates of a vendor. */
export type ManyCreationFacts = {
  readonly agreement: Agreement;
  /** The variants that the declarations name, by id. */
  readonly variants: ReadonlyMap<string, Variant>;
  /** The vendor's offers of source Api with these external ids, by external id (D77). */
  readonly existing: ReadonlyMap<string, Offer>;
};

/** Locks the vendor's agreement until the transaction ends, so that no switch comes in between. */
export async function findCreationFactsOf(
  sql: Queryable,
  vendorId: string,
  declarations: readonly Pick<Offer, 'variantId' | 'vendorExternalId'>[],
): Promise<ManyCreationFacts> {
  const variantIds = declarations.flatMap(({ variantId }) => variantId ?? []);
  const externalIds = declarations.flatMap(({ vendorExternalId }) => vendorExternalId ?? []);
  await sql`select lock_agreement_shared(${vendorId})`;
  const [agreement] = await sql<Agreement[]>`
    select pricing_model, agreement_epoch, agreement_version from vendors where id = ${vendorId}`;
  if (agreement === undefined) throw new Error('the vendor of a job is gone');
  const existing =
    externalIds.length === 0
      ? []
      : await sql<OfferRow[]>`
          ${selectOffer(sql)} where offers.vendor_id = ${vendorId} and offers.source = 'Api'
            and offers.vendor_external_id = any(${externalIds}::text[])`;
  return {
    agreement,
    variants: await findVariants(sql, variantIds),
    existing: new Map(existing.map(toOffer).map((offer) => [offer.vendorExternalId ?? '', offer])),
  };
}

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
