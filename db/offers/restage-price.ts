import postgres from 'postgres';
import type { PriceField } from '../../domain/offers/offer-prices.ts';
import type { Price } from '../../domain/vat.ts';
import type { Queryable } from '../core/client.ts';
import { arrayText } from '../core/array-text.ts';
import { rowsOf } from '../core/rows.ts';
import {
  factsColumnNames,
  factsColumnsOf,
  factsOf,
  type FactsRow,
  type OfferFacts,
} from './offer-facts.ts';
import {
  offerRowNames,
  selectOfferText,
  toFoundOffer,
  type FoundOffer,
  type OfferRow,
} from './offer-row.ts';
import { sharePushes, type RowLock } from './share-pushes.ts';

/** A price push of a vendor on its own offer. */
export type PricePush = {
  readonly vendorId: string;
  readonly offerId: string;
  readonly field: PriceField;
  readonly price: Price;
  readonly now: Date;
};

/** The offer after a stored push, or as a push that was not stored found it. */
export type Restaged = { readonly stored: OfferFacts } | { readonly found: FoundOffer };

type RestagedRow = { readonly place: number } & (
  (FactsRow & { readonly isStored: true }) | (OfferRow & { readonly isStored: false })
);
type Answer = { readonly offerId: string; readonly restaged: Restaged };

/**
 * Stores the usual price push by one statement: a price that replaces the staged one of an approved
 * offer. It implements this case of `pushPrice` of the domain; a test compares the two. Any other
 * push stores nothing, and gets the offer for the rule. Null for an unknown offer and for another
 * vendor's.
 */
export async function restagePrice(sql: Queryable, push: PricePush): Promise<Restaged | null> {
  const [answer] = await restageTogether(sql, [push], 'wait');
  return answer?.restaged ?? null;
}

/**
 * Stores price pushes as {@link restagePrice}, those of one vendor by shared statements. A push
 * that meets another writer stores nothing, and gets the offer as it was before.
 */
export function createPriceStore(sql: Queryable): (push: PricePush) => Promise<Restaged | null> {
  const share = () =>
    sharePushes((pushes: readonly PricePush[]) => restageTogether(sql, pushes, 'skip'));
  const shared = { cost: share(), salePrice: share() };
  return async (push) => (await shared[push.field](push))?.restaged ?? null;
}

/** Pushes of one vendor and field; no two are for one offer. */
async function restageTogether(
  sql: Queryable,
  pushes: readonly PricePush[],
  lock: RowLock,
): Promise<readonly Answer[]> {
  const [first] = pushes;
  if (first === undefined) return [];
  const values = [
    first.vendorId,
    arrayText(pushes.map(({ offerId }) => offerId)),
    arrayText(pushes.map(({ price }) => price.netHalalas)),
    arrayText(pushes.map(({ price }) => price.vatHalalas)),
    arrayText(pushes.map(({ price }) => price.enteredVatInclusive)),
    pushes.at(-1)?.now ?? first.now,
  ];
  const text = restageTexts[first.field][lock];
  const rows = await rowsOf(sql.unsafe<RestagedRow[]>(text, values, { prepare: true }));
  return rows.map((row) => ({
    offerId: pushes[row.place - 1]?.offerId ?? '',
    restaged: row.isStored ? { stored: factsOf(row) } : { found: toFoundOffer(row) },
  }));
}

/** As `isSame` of the domain. */
const differsText = (key: string): string =>
  `(offers.${key}_net is distinct from given.net
      or given.entered and offers.${key}_vat is distinct from given.vat)`;

function restageText(field: PriceField, lock: RowLock): string {
  const live = postgres.fromCamel(field);
  const staged = `pending_${live}`;
  const pricingModel = field === 'cost' ? 'CostPlusMargin' : 'PercentageOfSale';
  return `
    with agreed as materialized (
      -- The lock orders these changes and a concurrent switch.
      select lock_agreement_shared($1) as epoch
    ), given as materialized (
      -- The subquery hides the number of pushes, for which Postgres would plan each call anew.
      select offer_id, net, vat, entered, place::integer
      from unnest((select $2::uuid[]), $3::integer[], $4::integer[], $5::boolean[])
        with ordinality as pushes(offer_id, net, vat, entered, place)
    ), locked as materialized (
      select offers.id, given.*
      from agreed cross join given join offers on offers.id = given.offer_id
      where offers.vendor_id = $1 and offers.agreement_epoch = agreed.epoch
        and offers.status = 'Approved' and offers.ever_approved
        and offers.pricing_model = '${pricingModel}' and offers.awaiting_since is not null
        and offers.${staged}_net is not null and offers.${staged}_vat is not null
        and offers.${staged}_entered_vat_inclusive is not null
        and ${differsText(staged)} and ${differsText(live)}
      for update of offers ${lock === 'skip' ? 'skip locked' : ''}
    ), begun as materialized (
      -- Once all rows are locked: after this call the statement must wait for no other writer.
      select offer_change_time($1) as at
      from (select count(*) as total from locked) as counted where total > 0
    ), restaged as (
      update offers set ${staged}_net = locked.net, ${staged}_vat = locked.vat,
        ${staged}_entered_vat_inclusive = locked.entered, version = offers.version + 1,
        judged_version = offers.judged_version + 1,
        -- After a wait for a lock, the time given may be before the previous change.
        changed_at = greatest($6::timestamptz, offers.changed_at + interval '1 millisecond'),
        change_time = begun.at + (locked.place - 1) * interval '1 microsecond'
      from locked cross join begun
      where offers.id = locked.id
      returning locked.place, ${factsColumnsOf('offers')}
    )
    select place, true as is_stored, ${restagedColumnsText} from restaged
    union all
    select given.place, false, found.*
    from given join (${selectOfferText}) as found on found.id = given.offer_id
    where found.vendor_id = $1 and given.place not in (select place from restaged)`;
}

/** The columns of an offer's row, of which a stored push returns those that are answered. */
const restagedColumnsText = offerRowNames
  .map((name) => (factsColumnNames.includes(name) ? `restaged.${name}` : `null as ${name}`))
  .join(', ');

const restageTextsOf = (field: PriceField): Readonly<Record<RowLock, string>> => ({
  wait: restageText(field, 'wait'),
  skip: restageText(field, 'skip'),
});
const restageTexts: Readonly<Record<PriceField, Readonly<Record<RowLock, string>>>> = {
  cost: restageTextsOf('cost'),
  salePrice: restageTextsOf('salePrice'),
};
