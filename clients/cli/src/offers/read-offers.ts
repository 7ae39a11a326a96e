import type { Argv } from 'yargs';
import type { Offer, OfferFilters } from 'vendor-gateway-client';
import { calling, factsOf, idOf, limitOption, listing } from '../core/calling.ts';
import type { CommonArguments, Run } from '../core/command.ts';
import { optional } from '../core/option-kinds.ts';

const statuses = [
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Approved',
  'Rejected',
  'Withdrawn',
  'Suspended',
  'PendingRepricing',
] as const satisfies readonly OfferFilters['status'][];

/** What the vendor declares: the cost or the sale price, by its agreement. */
const amountOf = ({ pricingModel, cost, price }: Pick<Offer, 'pricingModel' | 'cost' | 'price'>) =>
  pricingModel.name === 'PercentageOfSale' ? price : cost;

const amountText = (amount: number | null | undefined): string | null =>
  amount === null || amount === undefined ? null : amount.toFixed(2);

const header = ['OFFER', 'EXTERNAL ID', 'STATUS', 'BRAND', 'PRODUCT', 'SAR', 'STAGED', 'STOCK'];
function rowOf(offer: Offer): readonly (string | number | null)[] {
  const { id, vendorExternalId, status, product, stock } = offer;
  const { amount, pending } = amountOf(offer);
  return [
    id,
    vendorExternalId,
    status,
    product.rawBrandName,
    product.rawProductName,
    amountText(amount),
    amountText(pending?.amount),
    stock.declaredQuantity ?? String(stock.declaredInStock),
  ];
}

/** The facts of an offer as `offers show` prints them. */
function describeOffer(offer: Offer): string {
  const { id, vendorExternalId, status, source, changedAt, stock, product, review } = offer;
  const { amount, pending } = amountOf(offer);
  const staged = amountText(pending?.amount);
  const facts = { id, vendorExternalId, status, source, changedAt };
  const prices = { pricingModel: offer.pricingModel.name, amount: amountText(amount), staged };
  return factsOf({ ...facts, ...product, ...prices, ...stock, ...review });
}

/** `offers list` and `offers show`. */
export const addOfferReads = (offers: Argv<CommonArguments>, run: Run): Argv<CommonArguments> =>
  offers
    .command(
      'list',
      'List your offers, the newest first',
      (command) =>
        command
          .option('status', { choices: statuses, describe: 'Only offers in this status' })
          .option('vendor-external-id', optional('Only the offer of this id'))
          .option('limit', limitOption)
          .example('$0 offers list --status Rejected', 'What to correct'),
      run(
        listing(
          ({ offers: own }, { status, vendorExternalId, limit }, options) =>
            own.list(
              {
                ...(status && { status }),
                ...(vendorExternalId !== undefined && { vendorExternalId }),
                pageSize: Math.min(limit, 100),
              },
              options,
            ),
          { header, rowOf, none: 'There are no such offers.' },
        ),
        'reads',
      ),
    )
    .command(
      'show <id>',
      'Show an offer',
      (command) => idOf(command, 'Offer').example('$0 offers show ID', 'Its status and its price'),
      run(
        calling(
          ({ offers: own }, { id }, options) => own.get(id, options),
          (offer) => describeOffer(offer),
        ),
        'reads',
      ),
    );
