import type { CreationAgreement } from '../../domain/offers/create-offer.ts';
import type { Offer, Variant } from '../../domain/offers/offer.ts';
import type { Queryable } from '../core/client.ts';
import { findOffersById } from './offers.ts';

/** The stored facts for creations of one vendor. */
export type CreationFacts = {
  readonly agreement: CreationAgreement;
  /** The variants that the declarations name, by id. */
  readonly variants: ReadonlyMap<string, Variant>;
  /** The vendor's offers of the same source with these external ids, by external id. */
  readonly existing: ReadonlyMap<string, Offer>;
};

type CreationRow = CreationAgreement & {
  readonly variants: readonly Variant[];
  readonly existingIds: readonly string[];
};

/**
 * The facts for new offers of a vendor, by one statement, and one for the offers that exist. Null
 * when there is no such vendor. The subselects hide the arrays' lengths from the planner, which
 * would otherwise plan every call.
 */
export async function findCreationFacts(
  sql: Queryable,
  vendorId: string,
  source: Offer['source'],
  declarations: readonly Pick<Offer, 'variantId' | 'vendorExternalId'>[],
): Promise<CreationFacts | null> {
  const variantIds = declarations.flatMap(({ variantId }) => variantId ?? []);
  const externalIds = declarations.flatMap(({ vendorExternalId }) => vendorExternalId ?? []);
  const [row] = await sql<CreationRow[]>`
    select pricing_model, agreement_epoch, agreement_version,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', id, 'sku', sku, 'brandName', brand_name, 'productName', product_name,
          'concentration', concentration, 'sizeMl', size_ml, 'barcode', barcode,
          'isActive', is_active
        )), '[]') from variants
        where id = any((select ${variantIds}::uuid[])::uuid[])
          and (vendor_id is null or vendor_id = vendors.id)
      ) as variants,
      array(
        -- Each source has external ids of its own.
        select id from offers where vendor_id = vendors.id and source = ${source}
          and vendor_external_id = any((select ${externalIds}::text[])::text[])
      ) as existing_ids
    from vendors where id = ${vendorId}`;
  if (row === undefined) return null;
  const { existingIds, variants, ...agreement } = row;
  const existing = existingIds.length === 0 ? [] : await findOffersById(sql, existingIds);
  return {
    agreement,
    variants: new Map(variants.map((variant) => [variant.id, variant])),
    existing: new Map(
      Array.from(existing.values(), ({ offer }) => [offer.vendorExternalId ?? '', offer]),
    ),
  };
}
