import postgres from 'postgres';
import type { PriceField } from '../../domain/offers/offer-prices.ts';
import { declaredStock, type StockDeclaration } from '../../domain/offers/stock.ts';
import type { Price } from '../../domain/vat.ts';
import type { Queryable } from '../core/client.ts';
import { isOutdatedText } from './effective-columns.ts';
import { factsColumnNames, factsColumnsText, type FactsRow } from './offer-facts.ts';
import {
  factsOf,
  offerRowNames,
  selectOfferText,
  toFoundOffer,
  type FoundOffer,
  type OfferFacts,
  type OfferRow,
} from './offer-row.ts';
import { findOwnOffer } from './offers.ts';

export type OfferKey = { readonly vendorId: string; readonly offerId: string };

/**
 * The offer after a push that one statement stored. It stores the usual case only; in any other, it
 * stores nothing and returns the offer as it found it, for the rule of the domain. Null for an
 * unknown offer and for another vendor's.
 */
export type Pushed = { readonly stored: OfferFacts } | { readonly found: FoundOffer } | null;

/** A stored push has only the columns of the response. */
type PushedRow =
  | (FactsRow & { readonly isStored: true })
  | (OfferRow & { readonly isStored: false; readonly isOutdated: null });

async function runPush(
  sql: Queryable,
  text: string,
  { vendorId, offerId }: OfferKey,
  values: readonly (number | boolean | null)[],
): Promise<Pushed> {
  const parameters = [offerId, vendorId, ...values];
  const [row] = await sql.unsafe<PushedRow[]>(text, parameters, { prepare: true });
  if (row === undefined) return null;
  if (!row.isStored) return { found: toFoundOffer(row) };
  if (!row.isOutdated) return { stored: factsOf(row) };
  const found = await findOwnOffer(sql, vendorId, offerId);
  return found === null ? null : { stored: found.offer };
}

/** The columns of an offer's row; a stored push reads only those that its response shows. */
const pushedColumnsText = offerRowNames
  .map((name) => (factsColumnNames.includes(name) ? `changed.${name}` : `null as ${name}`))
  .join(', ');

/** `after` is a further CTE. */
const pushText = ({
  set,
  where,
  after = '',
}: Readonly<Record<'set' | 'where', string>> & { readonly after?: string }): string => `
  with changed as (
    update offers set ${set}, version = offers.version + 1,
      -- Later than the previous change, even if the clock was set back.
      changed_at = greatest(
        business_now(vendors.clock_offset, vendors.clock_stands_at),
        offers.changed_at + interval '1 millisecond')
    from vendors
    where offers.id = $1 and offers.vendor_id = $2 and vendors.id = $2 and ${where}
    returning ${factsColumnsText}, offers.changed_at, ${isOutdatedText} as is_outdated
  ) ${after}
  select true as is_stored, is_outdated, ${pushedColumnsText} from changed
  union all
  select false, null, found.* from (${selectOfferText}) as found
  where found.id = $1 and found.vendor_id = $2 and not exists (select from changed)`;

/** Null keeps a stored quantity above 0. */
const quantityText = 'coalesce($4::integer, nullif(offers.declared_stock_quantity, 0))';

/**
 * Stores the stock in the offer and in its supply option if the stock differs. A Rejected offer
 * without a barcode refuses pushes. A statement that waited for the first approval sees the
 * approved offer, but not the new supply option, so it changes nothing.
 */
const stockText = pushText({
  set: `declared_in_stock = $3, declared_stock_quantity = ${quantityText}`,
  where: `(offers.declared_in_stock, offers.declared_stock_quantity)
      is distinct from ($3, ${quantityText})
    and not (offers.status = 'Rejected' and offers.barcode is null)
    and (not offers.ever_approved
      or exists (select from supply_options where offer_id = offers.id))`,
  after: `, supply as (
    update supply_options set stock_quantity = changed.declared_stock_quantity,
      in_stock = changed.declared_in_stock, updated_at = changed.changed_at
    from changed where supply_options.offer_id = changed.id
  )`,
});

/** Stores stock as `pushStock` of the domain does; a test compares the two. */
export function storeStock(
  sql: Queryable,
  key: OfferKey,
  declaration: StockDeclaration,
): Promise<Pushed> {
  const { declaredInStock, declaredStockQuantity } = declaredStock(declaration);
  return runPush(sql, stockText, key, [declaredInStock, declaredStockQuantity]);
}

/** As `isSame` of the domain. */
const differsText = (key: string): string =>
  `(offers.${key}_net is distinct from $3 or $5 and offers.${key}_vat is distinct from $4)`;

function restageText(field: PriceField): string {
  const live = postgres.fromCamel(field);
  const staged = `pending_${live}`;
  const pricingModel = field === 'cost' ? 'CostPlusMargin' : 'PercentageOfSale';
  return pushText({
    set: `${staged}_net = $3::integer, ${staged}_vat = $4::integer,
      ${staged}_entered_vat_inclusive = $5::boolean, judged_version = offers.judged_version + 1`,
    // The lock orders this change and a concurrent switch.
    where: `offers.agreement_epoch = lock_agreement_shared($2)
      and offers.status = 'Approved' and offers.ever_approved
      and offers.pricing_model = '${pricingModel}' and offers.awaiting_since is not null
      and offers.${staged}_net is not null and offers.${staged}_vat is not null
      and offers.${staged}_entered_vat_inclusive is not null
      and ${differsText(staged)} and ${differsText(live)}`,
  });
}

const restageTexts: Readonly<Record<PriceField, string>> = {
  cost: restageText('cost'),
  salePrice: restageText('salePrice'),
};

/**
 * Stores the usual price push: a price that replaces the staged one of an approved offer. It
 * implements this case of `pushPrice` of the domain; a test compares the two.
 */
export const restagePrice = (
  sql: Queryable,
  key: OfferKey,
  field: PriceField,
  { netHalalas, vatHalalas, enteredVatInclusive }: Price,
): Promise<Pushed> =>
  runPush(sql, restageTexts[field], key, [netHalalas, vatHalalas, enteredVatInclusive]);
