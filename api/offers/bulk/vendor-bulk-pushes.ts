import type * as v from 'valibot';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StorePushes } from '../../../commands/offers/push-items.ts';
import { storePricePushes, storeStockPushes } from '../../../commands/offers/store-pushes.ts';
import type { OfferName } from '../../../domain/offers/offer.ts';
import { invalidFields } from '../../../domain/errors.ts';
import type { PriceDeclaration } from '../../../domain/offers/offer-prices.ts';
import type { Sql } from '../../../db/core/client.ts';
import { countItems } from '../../auth/call-points.ts';
import type { VendorCaller } from '../../auth/tokens.ts';
import { vendorRoutes, type AddRoutes } from '../../define-route.ts';
import { parseBody } from '../../validation/compiler.ts';
import { bulkBody, costItem, salePriceItem, stockItem } from './bulk-body.ts';
import { bulkAnswer, bulkResponse, itemErrorsMax } from './bulk-results.ts';
import { runBulk } from './run-bulk.ts';

const itemEffect =
  'Each item has the rules and the effect of the single push. `results` has one result for each ' +
  'item, in the order of `items`: the version of the offer, or the error that the single push ' +
  'would answer. An item that fails, a malformed one too, does not stop the others. The second ' +
  'item for one offer fails with the code `duplicate`. Items are stored in transactions of up to ' +
  '250: after `SERVICE_UNAVAILABLE` or `GATEWAY_TIMEOUT` in a result, send that item again; ' +
  'repeating a push that was stored changes nothing. All items of a vendor share one rate limit, ' +
  'apart from other calls; each call counts at least 10 items, and one for each KiB of its body. ' +
  'A call with more items than are left is 429 and stores nothing.';

const answers = {
  // Waiting for a place, the chunks, and the longest statement of the last one.
  config: { rate: 'bulkItems', handlerTimeoutMs: 30_000 },
  validateOnly: 'eachTransaction',
  payload: bulkResponse,
} as const;

/** How one kind of item is parsed and stored. */
type Kind<TItem extends OfferName, TDeclared> = {
  readonly item: v.GenericSchema<unknown, TItem>;
  readonly declaredIn: (item: TItem) => TDeclared;
  readonly store: StorePushes<TDeclared>;
};

type BulkRequest = {
  readonly caller: VendorCaller;
  readonly body: { readonly items: readonly unknown[] };
  readonly request: FastifyRequest;
  readonly reply: Pick<FastifyReply, 'headers'>;
  readonly sql: Sql;
};

const bulkHandler =
  <TItem extends OfferName, TDeclared>({ item, declaredIn, store }: Kind<TItem, TDeclared>) =>
  async ({ caller: { vendorId }, body: { items }, request, reply, sql }: BulkRequest) => {
    countItems(request, reply, items.length);
    const outcomes = await runBulk({ sql, vendorId, store, request }, items, ({ index, sent }) => {
      const { output, errors } = parseBody(item, sent, itemErrorsMax);
      if (output === null) return { index, offer: null, pushed: invalidFields(errors) };
      const { offerId, vendorExternalId } = output;
      return { index, name: { offerId, vendorExternalId }, declared: declaredIn(output) };
    });
    return bulkAnswer(outcomes, items);
  };

/** The bulk stock push. */
export const vendorBulkStockRoute: AddRoutes = (app) => {
  const route = vendorRoutes(app, { capability: 'Stock', tag: 'Offers' });
  route(
    'PATCH /api/v1/scent/offers/stock',
    {
      operationId: 'pushStocks',
      summary: 'Push stock of many offers',
      description: `Declares the stock of up to 1,000 offers. ${itemEffect}`,
      body: bulkBody(stockItem),
      ...answers,
    },
    bulkHandler({
      item: stockItem,
      declaredIn: ({ declaredInStock, declaredStockQuantity }) => ({
        declaredInStock,
        declaredStockQuantity,
      }),
      store: storeStockPushes,
    }),
  );
};

/** The bulk price pushes. */
export const vendorBulkPriceRoutes: AddRoutes = (app, { vatRateBasisPoints }) => {
  const route = vendorRoutes(app, { capability: 'Cost', tag: 'Offers' });
  route(
    'PATCH /api/v1/scent/offers/cost',
    {
      operationId: 'pushCosts',
      summary: 'Push costs of many offers',
      description: `Declares the costs of up to 1,000 offers. ${itemEffect}`,
      body: bulkBody(costItem),
      ...answers,
    },
    bulkHandler({
      item: costItem,
      declaredIn: ({ cost, costIsVatInclusive }): PriceDeclaration => ({
        amountHalalas: cost,
        isVatInclusive: costIsVatInclusive,
      }),
      store: storePricePushes('cost', vatRateBasisPoints),
    }),
  );
  route(
    'PATCH /api/v1/scent/offers/sale-price',
    {
      operationId: 'pushSalePrices',
      summary: 'Push sale prices of many offers',
      description: `Declares the sale prices of up to 1,000 offers. ${itemEffect}`,
      body: bulkBody(salePriceItem),
      ...answers,
    },
    bulkHandler({
      item: salePriceItem,
      declaredIn: ({ salePrice, salePriceIsVatInclusive }): PriceDeclaration => ({
        amountHalalas: salePrice,
        isVatInclusive: salePriceIsVatInclusive,
      }),
      store: storePricePushes('salePrice', vatRateBasisPoints),
    }),
  );
};
