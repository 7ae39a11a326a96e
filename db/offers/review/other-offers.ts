import type { Queryable } from '../../core/client.ts';

/** A live offer for a variant; net amounts in halalas. */
export type OtherOffer = {
  readonly offerId: string;
  readonly vendorId: string;
  readonly vendorName: string;
  readonly net: number;
  /** Text, because it may exceed an integer. */
  readonly sellNet: string;
  readonly inStock: boolean;
};

/** The most live offers of a variant that are compared. The planner knows it as a constant. */
const comparedMax = 1000;

/** The cheapest live offers for a variant, at most `max`, without the offer of an id. */
export const listOtherOffers = (
  sql: Queryable,
  { id, variantId }: { readonly id: string; readonly variantId: string },
  max: number,
): Promise<readonly OtherOffer[]> => sql<OtherOffer[]>`
  select live.id as offer_id, vendors.id as vendor_id, vendors.name as vendor_name,
    supply_options.net, supply_options.sell_net, supply_options.in_stock
  from (
    select id, vendor_id, agreement_epoch from offers
    where variant_id = ${variantId} and status = 'Approved' and id <> ${id}
    order by vendor_id ${sql.unsafe(`limit ${comparedMax}`)}
  ) as live
  join supply_options on supply_options.offer_id = live.id and not supply_options.is_paused
  join vendors on vendors.id = live.vendor_id and vendors.agreement_epoch = live.agreement_epoch
  order by supply_options.sell_net, live.id limit ${max}`;
