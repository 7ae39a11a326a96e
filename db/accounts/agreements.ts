import {
  supplyPrices,
  type Agreement,
  type PricingModel,
} from '../../domain/accounts/agreement.ts';
import type { OfferStatus } from '../../domain/offers/offer.ts';
import { statusesToReprice } from '../../domain/offers/offer-status.ts';
import type { AgreementSwitchedData } from '../../domain/webhooks/events.ts';
import type { Queryable } from '../core/client.ts';
import { instantText } from '../core/statements/instant-text.ts';
import { countOf, hasRows, valueOf } from '../core/rows.ts';
import { selectOffer, toFoundOffer, type FoundOffer, type OfferRow } from '../offers/offer-row.ts';
import { writeMessages } from '../outbox/write-messages.ts';
import { emitEvents, newEvent } from '../webhooks/webhook-events.ts';

/** The event of a switch, before the vendor's row has the new model. */
async function switchedEvent(sql: Queryable, vendorId: string, { pricingModel }: Agreement) {
  const [{ previousPricingModel, occurredAt }] = await sql<
    [{ previousPricingModel: PricingModel; occurredAt: Date }]
  >`
    select pricing_model as previous_pricing_model,
      business_now(clock_offset, clock_stands_at) as occurred_at
    from vendors where id = ${vendorId}`;
  const data: AgreementSwitchedData = { previousPricingModel, pricingModel };
  return newEvent({ eventType: 'vendor.offer.agreement-switched', vendorId, occurredAt, data });
}

/** A vendor's offers that follow its present agreement. */
const followingOffers = (sql: Queryable, vendorId: string, joined = sql``) => sql`
  offers join vendors on vendors.id = offers.vendor_id
    and offers.agreement_epoch = vendors.agreement_epoch
    ${joined}
  where offers.vendor_id = ${vendorId}`;

/** The number of offers in each status from which a switch moves them. */
export type OffersToReprice = Readonly<Record<'Approved' | 'PendingReview', number>>;

export const totalOf = ({ Approved, PendingReview }: OffersToReprice): number =>
  Approved + PendingReview;

/** What a switch does to a vendor's offers. */
export type SwitchEffects = Awaited<ReturnType<typeof previewSwitch>>;

/** Whether an offer has a price above 0 of a model; a staged one counts in the present model. */
const hasPrice: Readonly<Record<PricingModel, string>> = {
  CostPlusMargin: 'greatest(offers.pending_cost_net, offers.cost_net) > 0',
  PercentageOfSale:
    'coalesce(greatest(offers.pending_sale_price_net, offers.sale_price_net), 0) > 0',
};
const hasLivePrice: typeof hasPrice = {
  CostPlusMargin: 'offers.cost_net > 0',
  PercentageOfSale: 'coalesce(offers.sale_price_net, 0) > 0',
};

/** What a switch would do now, by the rule of {@link activateAgreement}. Stores nothing. */
export async function previewSwitch(sql: Queryable, vendorId: string, { pricingModel }: Agreement) {
  // A join, because a vendor may have a million offers, and a lookup for each reads far more.
  const sellingOptions = sql`
    left join (
      select offer_id from supply_options where vendor_id = ${vendorId} and not is_paused
    ) as selling on selling.offer_id = offers.id`;
  const other = pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
  const losesPrice = sql.unsafe(`${hasPrice[other]} and not ${hasLivePrice[pricingModel]}`);
  type Row = Readonly<Record<'count' | 'selling' | 'losing' | 'staged', number>>;
  const rows = await sql<(Row & { readonly status: OfferStatus })[]>`
    select offers.status, count(*)::int as count, count(selling.offer_id)::int as selling,
      (count(*) filter (where ${losesPrice}))::int as losing,
      count(coalesce(offers.pending_cost_net, offers.pending_sale_price_net))::int as staged
    from ${followingOffers(sql, vendorId, sellingOptions)}
    group by offers.status order by offers.status`;
  const byStatus = (column: 'count' | 'selling'): OffersToReprice => {
    const of = (status: OfferStatus) => rows.find((row) => row.status === status)?.[column] ?? 0;
    return { Approved: of('Approved'), PendingReview: of('PendingReview') };
  };
  const stopSellingByStatus = byStatus('selling');
  const losing = rows.filter((row) => row.losing > 0);
  return {
    /** The offers that it moves to PendingRepricing. */
    moved: byStatus('count'),
    /** The moved offers that sell now, and these by status. */
    stopSelling: totalOf(stopSellingByStatus),
    stopSellingByStatus,
    /** Offers of any status that have a price, and none of the new model. */
    losePrice: losing.map(({ status, losing: count }) => ({ status, count })),
    /** Staged prices of the old model, of offers in any status. */
    stagedPricesDropped: rows.reduce((sum, { staged }) => sum + staged, 0),
  };
}

/**
 * Gives a vendor, whose row is locked, another agreement, emits the event of a switch of model, and
 * sends the message to its workflow. A switch applies to every offer at once: reads treat stored
 * offers as switched. Returns how many offers it moves to PendingRepricing.
 */
export async function activateAgreement(
  sql: Queryable,
  vendorId: string,
  agreement: Agreement,
  { isSwitch }: { readonly isSwitch: boolean },
): Promise<number> {
  await sql`select lock_agreement(${vendorId})`;
  if (isSwitch) await emitEvents(sql, await switchedEvent(sql, vendorId, agreement));
  const isMoved = sql`offers.status = any(${[...statusesToReprice]}) and ${isSwitch}`;
  const moved = await countOf(sql, sql`${followingOffers(sql, vendorId)} and ${isMoved}`);
  await sql`
    select ${writeMessages(sql, 'agreementSwitch', {
      from: sql`vendors where id = ${vendorId}`,
      payload: {},
    })}`;
  // The change time of every offer. A list with changedSince waits for the commit.
  const changeTime = sql`offer_change_time(${vendorId})`;
  const at = await valueOf<string>(sql`select ${instantText(sql, changeTime)}`);
  const switched = sql`
    agreement_epoch = agreement_epoch + 1, agreement_changed_at = ${at}::text::timestamptz,
    agreement_switch_times = agreement_switch_times || ${at}::text::timestamptz`;
  await sql`
    update vendors set ${sql(agreement, 'pricingModel', 'rateBasisPoints')},
      agreement_version = agreement_version + 1
      ${isSwitch ? sql`, ${switched}` : sql``} where id = ${vendorId}`;
  return moved;
}

/**
 * With a scalar subquery, not a join, the index shows without a scan that there is no such offer.
 */
const isOutdated = (sql: Queryable, vendorId: string) => sql`
  offers.vendor_id = ${vendorId}
  and offers.agreement_epoch < (select agreement_epoch from vendors where id = ${vendorId})`;

/** A further switch waits for a batch, so a batch that waits longer for an offer is repeated. */
const batchLockTimeoutMs = 2000;

/**
 * Locks the next offers that have yet to follow their vendor's agreement. Throws if it waits longer
 * than 2 s for one lock, which another transaction holds.
 */
export async function lockOutdatedOffers(
  sql: Queryable,
  vendorId: string,
  limit: number,
): Promise<readonly FoundOffer[]> {
  await sql`select set_config('lock_timeout', ${String(batchLockTimeoutMs)}, true)`;
  await sql`select lock_agreement_shared(${vendorId})`;
  const locked = await sql<{ readonly id: string }[]>`
    select id from offers where ${isOutdated(sql, vendorId)}
    order by agreement_epoch, id limit ${limit}
    for update`;
  // Read after the lock, to see a supply option that a concurrent approval has created.
  const rows = await sql<OfferRow[]>`
    ${selectOffer(sql)} where offers.id = any(${locked.map(({ id }) => id)})`;
  return rows.map(toFoundOffer);
}

export const countOutdatedOffers = (sql: Queryable, vendorId: string): Promise<number> =>
  countOf(sql, sql`offers where ${isOutdated(sql, vendorId)}`);

/**
 * Gives the next supply options the prices of their vendor's present markup or commission. It skips
 * the options of another model: they are paused until their offer is approved under the new model.
 * Returns how many it repriced.
 */
export async function repriceSupplyOptions(
  sql: Queryable,
  vendorId: string,
  limit: number,
): Promise<number> {
  const options = await sql<(Agreement & { readonly id: string; readonly net: number })[]>`
    select supply_options.id, net, vendors.pricing_model, vendors.rate_basis_points
    from supply_options join vendors on vendors.id = supply_options.vendor_id
    where vendors.id = ${vendorId} and supply_options.pricing_model = vendors.pricing_model
      and supply_options.rate_basis_points is distinct from vendors.rate_basis_points
    order by supply_options.id limit ${limit}
    for update of supply_options`;
  if (options.length === 0) return 0;
  const prices = options.map(({ id, net, pricingModel, rateBasisPoints }) => {
    const { sell, payout } = supplyPrices({ pricingModel, rateBasisPoints }, net);
    return { id, sell, payout, rate: rateBasisPoints };
  });
  await sql`
    update supply_options
    set sell_net = price.sell, payout_net = price.payout, rate_basis_points = price.rate,
      updated_at = business_now(clock_offset, clock_stands_at)
    from vendors, jsonb_to_recordset(${sql.json(prices)})
      as price(id uuid, sell bigint, payout integer, rate integer)
    where vendors.id = ${vendorId} and supply_options.id = price.id`;
  return options.length;
}

/** Records that every offer follows the present agreement; false when one does not. */
export const settleAgreement = (sql: Queryable, vendorId: string): Promise<boolean> =>
  hasRows(sql`
    update vendors set agreement_settled_epoch = agreement_epoch
    where id = ${vendorId} and not exists (
      select from offers
      where offers.vendor_id = vendors.id and offers.agreement_epoch < vendors.agreement_epoch
    ) returning id`);
