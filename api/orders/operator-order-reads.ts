import { findOrder, listOrders } from '../../db/orders/order-list.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { orderGlobalId, orderIdOf } from '../../domain/orders/order-id.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { pageOf, pagePayload } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import {
  enumParameter,
  pageParameters,
  query,
  rangeParameters,
  requireRange,
  vendorIdParameter,
} from '../validation/query.ts';
import {
  listedOrder,
  listedOrderResponse,
  operatorGroup,
  orderWithGroupsResponse,
} from './responses/operator-group.ts';

const notFound = 'NOT_FOUND_ORDER';

/** Orders of every vendor: list, read. */
export const operatorOrderReadRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: orders' });
  route(
    'GET /operator/v1/orders',
    {
      operationId: 'listOrders',
      summary: 'List orders, newest first',
      description:
        'Lists every order with its groups, without the address. `vendorId` and `status` keep ' +
        'the orders that have a group with both.',
      query: query({
        ...pageParameters,
        vendorId: vendorIdParameter,
        status: described(
          enumParameter(groupStatuses),
          'Only orders with a group in this status.',
          'PendingSourcing',
        ),
        ...rangeParameters('orders created'),
      }),
      payload: pageOf(listedOrderResponse),
    },
    async ({ query: { page: number, pageSize, ...filter } }) => {
      requireRange(filter.from, filter.to);
      const page = { page: number, pageSize };
      return pagePayload(await listOrders(lists, filter, page), page, listedOrder);
    },
  );
  route(
    'GET /operator/v1/orders/:orderGlobalId',
    {
      operationId: 'getOrder',
      summary: 'Read an order',
      description: 'Reads an order with its groups, each with the address, as a vendor reads it.',
      payload: orderWithGroupsResponse,
      refusals: [notFound],
    },
    async ({ request }) => {
      const { orderGlobalId: given } = request.params as { readonly orderGlobalId: string };
      const id = orNotFound(orderIdOf(given), notFound);
      const { createdAt, groups } = orNotFound(await findOrder(sql, id), notFound);
      return {
        orderGlobalId: orderGlobalId(id),
        createdAt: createdAt.toISOString(),
        groups: groups.map(operatorGroup),
      };
    },
  );
};
