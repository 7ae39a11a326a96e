import postgres from 'postgres';
import type { PriceField } from '../../../domain/offers/offer-prices.ts';
import { arrayText } from '../../core/statements/array-text.ts';
import type { Queryable } from '../../core/client.ts';
import { rowsOf } from '../../core/rows.ts';
import { factsColumnsOf, factsOf } from '../offer-facts.ts';
import { selectOfferText, toFoundOffer } from '../offer-row.ts';
import {
  restagedColumnsText,
  restagePrice,
  restagesText,
  type PricePush,
  type Restaged,
  type RestagedRow,
} from './restage-price.ts';
import { sharePushes, type Answered } from './share-pushes.ts';

/**
 * Stores price pushes as `restagePrice`, and lets those of one vendor share statements. A shared
 * push that meets another writer stores nothing, and gets the offer as it was before.
 */
export function createPriceStore(sql: Queryable): (push: PricePush) => Promise<Restaged | null> {
  const share = () =>
    sharePushes<PricePush, Restaged>(
      (push) => restagePrice(sql, push),
      (pushes) => restageTogether(sql, pushes),
    );
  const shared = { cost: share(), salePrice: share() };
  return (push) => shared[push.field](push);
}

type SharedRow = RestagedRow & { readonly place: number };

/** Pushes of one vendor and field; no two are for one offer. */
async function restageTogether(
  sql: Queryable,
  pushes: readonly PricePush[],
): Promise<readonly Answered<Restaged>[]> {
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
  const text = sharedTexts[first.field];
  const rows = await rowsOf(sql.unsafe<SharedRow[]>(text, values, { prepare: true }));
  return rows.map((row) => ({
    offerId: pushes[row.place - 1]?.offerId ?? '',
    stored: row.isStored ? { stored: factsOf(row) } : { found: toFoundOffer(row) },
  }));
}

/** The statement of `restagePrice` for several offers, without a wait for their rows. */
function sharedText(field: PriceField): string {
  const staged = `pending_${postgres.fromCamel(field)}`;
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
      where offers.vendor_id = $1
        and ${restagesText(field, ['given.net', 'given.vat', 'given.entered'])}
      for update of offers skip locked
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

const sharedTexts: Readonly<Record<PriceField, string>> = {
  cost: sharedText('cost'),
  salePrice: sharedText('salePrice'),
};
