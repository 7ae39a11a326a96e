import postgres from 'postgres';
import type { PriceField } from '../../../domain/offers/offer-prices.ts';
import type { Price } from '../../../domain/vat.ts';
import type { Queryable } from '../../core/client.ts';
import { factsColumnNames, type FactsRow } from '../offer-facts.ts';
import {
  factsOf,
  offerRowNames,
  selectOfferText,
  toFoundOffer,
  type FoundOffer,
  type OfferFacts,
  type OfferRow,
} from '../offer-row.ts';

/** A price push of a vendor on its own offer. */
type PricePush = {
  readonly vendorId: string;
  readonly offerId: string;
  readonly field: PriceField;
  readonly price: Price;
};

/** The offer after a stored push, or as a push that was not stored found it. */
type Restaged = { readonly stored: OfferFacts } | { readonly found: FoundOffer };

/** A stored push has only the columns of the answer. */
type RestagedRow =
  (FactsRow & { readonly isStored: true }) | (OfferRow & { readonly isStored: false });

/**
 * Stores the usual price push by one statement: a price that replaces the staged one of an approved
 * offer. It implements this case of `pushPrice` of the domain; a test compares the two. Any other
 * push stores nothing, and gets the offer for the rule. Null for an unknown offer and for another
 * vendor's.
 */
export async function restagePrice(
  sql: Queryable,
  { vendorId, offerId, field, price }: PricePush,
): Promise<Restaged | null> {
  const { netHalalas, vatHalalas, enteredVatInclusive } = price;
  const values = [offerId, vendorId, netHalalas, vatHalalas, enteredVatInclusive];
  const [row] = await sql.unsafe<RestagedRow[]>(restageTexts[field], values, { prepare: true });
  if (row === undefined) return null;
  return row.isStored ? { stored: factsOf(row) } : { found: toFoundOffer(row) };
}

/** As `isSame` of the domain. */
const differsText = (key: string): string =>
  `(offers.${key}_net is distinct from $3 or $5 and offers.${key}_vat is distinct from $4)`;

function restageText(field: PriceField): string {
  const live = postgres.fromCamel(field);
  const staged = `pending_${live}`;
  const pricingModel = field === 'cost' ? 'CostPlusMargin' : 'PercentageOfSale';
  return `
    with agreed as materialized (
      -- The lock orders this change and a concurrent switch.
      select lock_agreement_shared($2) as epoch
    ), restaged as (
      update offers set ${staged}_net = $3::integer, ${staged}_vat = $4::integer,
        ${staged}_entered_vat_inclusive = $5::boolean, version = offers.version + 1,
        judged_version = offers.judged_version + 1,
        -- Later than the previous change, even if the clock was set back.
        changed_at = greatest(
          business_now(vendors.clock_offset, vendors.clock_stands_at),
          offers.changed_at + interval '1 millisecond')
      from agreed, vendors
      where offers.id = $1 and offers.vendor_id = $2 and vendors.id = $2
        and offers.agreement_epoch = agreed.epoch
        and offers.status = 'Approved' and offers.ever_approved
        and offers.pricing_model = '${pricingModel}' and offers.awaiting_since is not null
        and offers.${staged}_net is not null and offers.${staged}_vat is not null
        and offers.${staged}_entered_vat_inclusive is not null
        and ${differsText(staged)} and ${differsText(live)}
      returning ${factsColumnNames.map((name) => `offers.${name}`).join(', ')}
    )
    select true as is_stored, ${restagedColumnsText} from restaged
    union all
    select false, found.* from (${selectOfferText}) as found
    where found.id = $1 and found.vendor_id = $2 and not exists (select from restaged)`;
}

/** The columns of an offer's row; a stored push reads only those that its answer shows. */
const restagedColumnsText = offerRowNames
  .map((name) => (factsColumnNames.includes(name) ? `restaged.${name}` : `null as ${name}`))
  .join(', ');

const restageTexts: Readonly<Record<PriceField, string>> = {
  cost: restageText('cost'),
  salePrice: restageText('salePrice'),
};
