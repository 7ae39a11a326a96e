import { listGroups } from '../../db/orders/group-list.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { vendorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { changesEnvelope, pageOf, pagePayload, successWithChanges } from '../http/envelope.ts';
import { fulfilmentGroup, fulfilmentGroupResponse } from './responses/fulfilment-group.ts';
import { described } from '../validation/described.ts';
import {
  changedSinceParameter,
  enumParameter,
  pageParameters,
  query,
} from '../validation/query.ts';
import { groupStatusText } from './order-texts.ts';
import type { Routes } from '../validation/compiler.ts';

/** `GET /api/v1/scent/orders` (part 4, D37, D38, D67): the vendor's own fulfilment groups. */
export function ordersListRoute(app: Routes, { sql }: Dependencies): void {
  app.get(
    '/api/v1/scent/orders',
    {
      config: { capability: 'Orders' },
      schema: {
        querystring: query({
          ...pageParameters,
          status: described(
            enumParameter(groupStatuses),
            `Only shipments in this status. ${groupStatusText}`,
            'Pending',
          ),
          changedSince: changedSinceParameter,
        }),
        response: { 200: changesEnvelope(pageOf(fulfilmentGroupResponse)) },
        tags: ['Shipments'],
        summary: 'List shipments: by their orders’ creation, or by change time with changedSince',
        operationId: 'listShipments',
        description:
          "Your own fulfilment groups, and never another vendor's, in the order in which their " +
          'orders were made. With `changedSince` only those whose order changed strictly after that ' +
          'instant, in order of change: poll with the `details.nextChangedSince` of the answer ' +
          'before, and no change is missed. A group may repeat unchanged when something else in its ' +
          'order changed, so reconcile by `groupId`. No money, no partner and no reference of the ' +
          'customer is ever in it.',
      },
    },
    async (request) => {
      const { status = null, changedSince = null, ...page } = request.query;
      const { vendorId, tokenId } = vendorOf(request);
      const filter = { status, changedSince, tokenId };
      const { nextChangedSince, ...found } = await listGroups(sql, vendorId, filter, page);
      return successWithChanges(pagePayload(found, page, fulfilmentGroup), nextChangedSince);
    },
  );
}
