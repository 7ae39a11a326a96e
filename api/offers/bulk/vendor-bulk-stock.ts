import { stockRule } from '../../../commands/offers/push-items.ts';
import { invalid } from '../../../domain/errors.ts';
import { countItems } from '../../auth/call-points.ts';
import { vendorRoutes, type AddRoutes } from '../../define-route.ts';
import { bodyBytesMax } from '../../http/bodies/body-limits.ts';
import { parseBody } from '../../validation/compiler.ts';
import { bulkBody, stockItem } from './bulk-body.ts';
import { toBulkResponse, bulkResponse, itemErrorsMax } from './bulk-results.ts';
import { runBulk } from './run-bulk.ts';

/** The bulk stock push. Prices of many offers go by jobs. */
export const vendorBulkStockRoute: AddRoutes = (app) => {
  const route = vendorRoutes(app, { capability: 'Stock', tag: 'Offers' });
  route({
    at: 'PATCH /api/v1/scent/offers/stock',
    operationId: 'pushStocks',
    summary: 'Push stock of many offers',
    description:
      'Declares the stock of up to 1,000 offers. Each item has the rules and the effect of ' +
      'the single push. `results` has one result for each item, in the order of `items`: the ' +
      'version of the offer, or the error that the single push would return. An item that ' +
      'fails, a malformed one too, does not stop the others. The second item for one offer ' +
      'fails with the code `duplicate`. Items are stored in transactions of up to 250: after ' +
      '`SERVICE_UNAVAILABLE` or `GATEWAY_TIMEOUT` in a result, send that item again; ' +
      'repeating a push that was stored changes nothing. All items of a vendor share one rate ' +
      'limit, apart from other calls; each call counts at least 10 items, and one for each ' +
      'KiB of its body. A call with more items than are left is 429 and stores nothing.',
    bodyBytesMax: bodyBytesMax.manyThings,
    body: bulkBody(stockItem),
    // Waiting for a permit, the chunks, and the longest statement of the last one.
    config: { rate: 'bulkItems', handlerTimeoutMs: 30_000 },
    validateOnly: 'eachTransaction',
    payload: bulkResponse,
    handler: async ({ caller: { vendorId }, body: { items }, request, reply, sql }) => {
      countItems(request, reply, items.length);
      const outcomes = await runBulk({ sql, vendorId, request }, items, ({ index, sent }) => {
        const { output, errors } = parseBody(stockItem, sent, itemErrorsMax);
        if (output === null) return { index, offer: null, pushed: invalid(...errors) };
        const { offerId, vendorExternalId, ...stock } = output;
        return { index, name: { offerId, vendorExternalId }, ...stockRule(stock) };
      });
      return toBulkResponse(outcomes, items);
    },
  });
};
