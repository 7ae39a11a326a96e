import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Offer, Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { selectOffer, toOffer, type OfferRow } from './offer-row.ts';
import { findOffer } from './offers.ts';
import { findVariants } from './variants.ts';

/** What a new offer copies from its vendor's agreement. */
export type CreationAgreement = {
  readonly pricingModel: PricingModel;
  readonly agreementEpoch: number;
  readonly agreementVersion: number;
};

/** The stored facts for creations of one vendor. */
export type CreationFacts = {
  readonly agreement: CreationAgreement;
  /** The variants that the declarations name, by id. */
  readonly variants: ReadonlyMap<string, Variant>;
  /** The vendor's offers of the same source with these external ids, by external id. */
  readonly existing: ReadonlyMap<string, Offer>;
};

type CreationRow = CreationAgreement & {
  readonly variant: Variant | null;
  readonly existingId: string | null;
};

type OfferIdentity = Pick<Offer, 'variantId' | 'vendorExternalId' | 'source'>;

/** The facts for one offer, by one statement. Null when there is no such vendor. */
export async function findCreationFacts(
  sql: Queryable,
  vendorId: string,
  { variantId, vendorExternalId, source }: OfferIdentity,
): Promise<CreationFacts | null> {
  const [row] = await sql<CreationRow[]>`
    select vendors.pricing_model, vendors.agreement_epoch, vendors.agreement_version,
      offers.id as existing_id,
      case when variants.id is not null then jsonb_build_object(
        'id', variants.id, 'sku', variants.sku, 'brandName', variants.brand_name,
        'productName', variants.product_name, 'concentration', variants.concentration,
        'sizeMl', variants.size_ml, 'barcode', variants.barcode, 'isActive', variants.is_active
      ) end as variant
    from vendors
    left join variants on variants.id = ${variantId}
      and (variants.vendor_id is null or variants.vendor_id = vendors.id)
    -- Each source has external ids of its own.
    left join offers on offers.vendor_id = vendors.id and offers.source = ${source}
      and offers.vendor_external_id = ${vendorExternalId}
    where vendors.id = ${vendorId}`;
  if (row === undefined) return null;
  const { existingId, variant, ...agreement } = row;
  const existing = existingId === null ? null : await findOffer(sql, vendorId, existingId);
  return {
    agreement,
    variants: new Map(variant === null ? [] : [[variant.id, variant]]),
    existing: byExternalId(existing === null ? [] : [existing]),
  };
}

const byExternalId = (offers: readonly Offer[]): ReadonlyMap<string, Offer> =>
  new Map(offers.map((offer) => [offer.vendorExternalId ?? '', offer]));

/**
 * The facts for many offers of source Api. Locks the vendor's agreement until the transaction ends,
 * so that no switch comes in between.
 */
export async function findCreationFactsOf(
  sql: Queryable,
  vendorId: string,
  declarations: readonly Pick<Offer, 'variantId' | 'vendorExternalId'>[],
): Promise<CreationFacts> {
  const variantIds = declarations.flatMap(({ variantId }) => variantId ?? []);
  const externalIds = declarations.flatMap(({ vendorExternalId }) => vendorExternalId ?? []);
  await sql`select lock_agreement_shared(${vendorId})`;
  const [agreement] = await sql<CreationAgreement[]>`
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
    variants: await findVariants(sql, variantIds, vendorId),
    existing: byExternalId(existing.map(toOffer)),
  };
}
