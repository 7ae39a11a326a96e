import { v7 as uuidv7 } from 'uuid';
import { pausedStatuses } from '../../domain/offers/offer-status.ts';
import type { Sql } from '../core/client.ts';
import { rowCountOf } from '../core/rows.ts';
import { textList } from '../core/statements/text-list.ts';
import { lockAnyOffer } from '../offers/offers.ts';
import { upsertSupplyOptions } from '../offers/supply-options.ts';
import type { TableCheck } from './scan.ts';

/** As `supplyPrices` rounds it (domain/accounts/agreement.ts). */
const share = '(2 * option.net::bigint * option.rate_basis_points + 10000) / 20000';
const isOfMargin = `option.pricing_model = 'CostPlusMargin'`;
/** By the option's own rate: a new rate of its vendor may not be stored in it yet. */
const sellNet = `option.net + case when ${isOfMargin} then ${share} else 0 end`;
const payoutNet = `option.net - case when ${isOfMargin} then 0 else ${share} end`;
/** Options of an earlier version have no rate; an agreement switch gives them one. */
const hasRate = 'num_nulls(option.pricing_model, option.rate_basis_points) = 0';

/** Where the offer sells, and where it must not; in review, the approved state still sells. */
const pausing = `(${textList(pausedStatuses)})`;

const faults = `case
  when option.id is null then case when offer.status = 'Approved' then 'has no supply option' end
  when option.is_paused and offer.status = 'Approved' then 'has a paused supply option'
  when not option.is_paused and offer.status in ${pausing} then 'sells all the same'
  when option.vendor_id <> offer.vendor_id then 'has a supply option of another vendor'
  when (option.stock_quantity, option.in_stock) is distinct from
    (offer.declared_stock_quantity, offer.declared_in_stock)
    then 'has a supply option with another stock'
  when offer.status = 'Approved' and option.variant_id is distinct from offer.variant_id
    then 'has a supply option of another variant'
  when offer.status = 'Approved' and option.net is distinct from case offer.pricing_model
    when 'CostPlusMargin' then offer.cost_net else offer.sale_price_net end
    or ${hasRate} and (option.sell_net <> ${sellNet} or option.payout_net <> ${payoutNet})
    then 'has a supply option with another price'
end`;

/** Offers that sell what they should not, or do not sell what they should. */
export const wrongSupply: TableCheck = {
  id: 'supply-differs',
  title: 'Each supply option is what its offer says',
  subjectType: 'offer',
  source: 'offers',
  pageSize: 5000,
  wrong: (sql) =>
    sql.unsafe(`
      select id, format('is %s and %s', status, fault) as text
      from (
        select offer.id, offer.status, ${faults} as fault
        from page join offers as offer on offer.id = page.id
        join vendors on vendors.id = offer.vendor_id
        left join supply_options as option on option.offer_id = offer.id
        -- An offer that has yet to follow its agreement is read as switched.
        where offer.agreement_epoch = vendors.agreement_epoch
      ) as compared where fault is not null`),
  repair: repairSupply,
};

/**
 * Makes the supply options of offers what their last approval made them: of an approved offer, all
 * of it; of another, stock, pause and what follows from its price. Returns how many.
 */
async function repairSupply(sql: Sql, offerIds: readonly string[]): Promise<number> {
  let repaired = 0;
  for (const id of offerIds)
    repaired += await sql.begin(async (transaction) => {
      const found = await lockAnyOffer(transaction, id);
      if (found === null || found.offer.agreementEpoch !== found.stored.agreementEpoch) return 0;
      const { offer, agreement } = found;
      if (offer.status === 'Approved') {
        const { pricingModel } = offer;
        const optionId = offer.supply?.optionId ?? uuidv7();
        const supply = { optionId, isPaused: false, pricingModel };
        await upsertSupplyOptions(transaction, [{ after: { ...offer, supply }, agreement }]);
        return 1;
      }
      return rowCountOf(transaction`
        update supply_options as option set vendor_id = offer.vendor_id,
          is_paused = is_paused or offer.status in ${transaction.unsafe(pausing)},
          stock_quantity = offer.declared_stock_quantity, in_stock = offer.declared_in_stock,
          sell_net = case when ${transaction.unsafe(hasRate)}
            then ${transaction.unsafe(sellNet)} else sell_net end,
          payout_net = case when ${transaction.unsafe(hasRate)}
            then ${transaction.unsafe(payoutNet)} else payout_net end,
          updated_at = business_now(clock_offset, clock_stands_at)
        from offers as offer join vendors on vendors.id = offer.vendor_id
        where offer.id = ${id} and option.offer_id = offer.id`);
    });
  return repaired;
}
