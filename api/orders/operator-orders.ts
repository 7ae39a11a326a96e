import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { shareStatement } from '../../db/core/shared-statements.ts';
import type { Sql } from '../../db/core/client.ts';
import {
  insertOrders,
  type NewOrder,
  type OrderToStore,
  type WithOrder,
} from '../../db/orders/insert-orders.ts';
import { createOrderFactsReader, ordersMax } from '../../db/orders/order-facts.ts';
import { findOrder, listOrders } from '../../db/orders/order-list.ts';
import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import { orderGlobalId, orderIdOf, searchedOrdersMax } from '../../domain/orders/order-id.ts';
import { actingOperatorOf } from '../auth/authenticate.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { orNotFound } from '../http/api-error.ts';
import { bodyBytesMax } from '../http/bodies/body-limits.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { filledText, instantField, optionalField } from '../validation/fields.ts';
import {
  enumParameter,
  query,
  rangeParameters,
  requireRange,
  textParameter,
  vendorIdParameter,
} from '../validation/query.ts';
import { createOrder, ownStatements, type OrderStatements } from './create-order.ts';
import { orderBody } from './order-body.ts';
import { fulfilmentGroup } from './responses/fulfilment-group.ts';
import {
  createdOrderResponse,
  listedOrder,
  listedOrderResponse,
  orderWithGroupsResponse,
} from './responses/operator-group.ts';

const notFound = 'NOT_FOUND_ORDER';

const searchBody = v.strictObject({
  recipient: described(
    filledText(200),
    "A part of the recipient's name, as a person types it.",
    'نورة العتيبي',
  ),
  from: described(
    optionalField(instantField),
    'Only orders created from this instant on.',
    '2026-11-01T00:00:00Z',
  ),
  to: described(
    optionalField(instantField),
    'Only orders created up to this instant.',
    '2026-11-30T00:00:00Z',
  ),
});

/** Orders that arrive while earlier ones are read or stored share the next statement. */
const sharedStatements = (sql: Sql): OrderStatements => ({
  readFacts: createOrderFactsReader(sql),
  store: shareStatement({
    run: async (orders: readonly OrderToStore[]) => {
      await insertOrders(sql, orders);
      return orders;
    },
    keyOf: ({ order }) => order.id,
    sizeMax: ordersMax,
  }),
});

/** The audit entry of an order. */
export const orderAudit =
  (request: FastifyRequest) =>
  ({ groups }: NewOrder): WithOrder['audit'] => ({
    operatorId: actingOperatorOf(request).id,
    action: 'order.create',
    requestId: request.id,
    after: {
      groups: groups.map(({ id: groupId, vendorId, status }) => ({ groupId, vendorId, status })),
    },
  });

/** Orders of every vendor: create, list, read. */
export const operatorOrderRoutes: AddRoutes = (app, { sql, lists }) => {
  const shared = sharedStatements(sql);
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: orders' });
  route({
    at: 'POST /operator/v1/orders',
    operationId: 'createOrder',
    summary: 'Create an order',
    description:
      'Creates an order with its fulfilment groups. A group with a `vendorId` is a shipment of ' +
      'that vendor, who gets `vendor.order.assigned`. The service ships a group without a ' +
      '`vendorId` itself, or assigns it to a vendor later if `sourcing` is true. Each call ' +
      'without an `Idempotency-Key` creates another order.',
    // An order has up to 4,000 lines.
    bodyBytesMax: bodyBytesMax.manyThings,
    body: orderBody,
    // Up to two statements of earlier orders, and its own. The database ends each first.
    config: { handlerTimeoutMs: 30_000 },
    payload: createdOrderResponse,
    statuses: [201],
    handler: async ({ body, request, sql: commands }) => {
      const statements = commands.isInTransaction === true ? ownStatements(commands) : shared;
      const order = await createOrder(statements, body, orderAudit(request));
      return listedOrder(order);
    },
  });
  route({
    at: 'GET /operator/v1/orders',
    operationId: 'listOrders',
    summary: 'List orders, newest first',
    description:
      'Lists every order with its groups, without the address. `vendorId` and `status` keep ' +
      'the orders that have a group with both.',
    query: query({
      vendorId: vendorIdParameter,
      status: enumParameter(
        groupStatuses,
        'Only orders with a group in this status.',
        'PendingSourcing',
      ),
      reference: textParameter(
        255,
        "Only orders with a group that has this tracking reference or vendor's reference. " +
          'Letter case makes no difference.',
        'TRACK-4711',
      ),
      ...rangeParameters('orders created'),
    }),
    payload: pageOf(listedOrderResponse),
    handler: async ({ query: filter, page }) => {
      requireRange(filter.from, filter.to);
      return mapItems(await listOrders(lists, filter, page), listedOrder);
    },
  });
  route({
    at: 'POST /operator/v1/orders/search',
    operationId: 'searchOrders',
    summary: 'Find orders by their recipient',
    description:
      `Lists the orders whose recipient has these words, among the newest ${searchedOrdersMax} of ` +
      'all or of the range: the newest 100 of them. Letter case, accents and forms of Arabic ' +
      'letters make no difference. The name stands in the body, because addresses are logged.',
    body: searchBody,
    refusals: ['VALIDATION_INVALID_DATE'],
    payload: pageOf(listedOrderResponse),
    handler: async ({ body: { recipient, from, to }, page }) => {
      requireRange(from, to);
      const filter = { vendorId: null, status: null, from, to, recipient };
      return mapItems(await listOrders(lists, filter, page), listedOrder);
    },
  });
  route({
    at: 'GET /operator/v1/orders/:orderGlobalId',
    operationId: 'getOrder',
    summary: 'Read an order',
    description: 'Reads an order with its groups, each with the address, as a vendor reads it.',
    payload: orderWithGroupsResponse,
    refusals: [notFound],
    handler: async ({ request }) => {
      const { orderGlobalId: given } = request.params as { readonly orderGlobalId: string };
      const id = orNotFound(orderIdOf(given), notFound);
      const { createdAt, groups } = orNotFound(await findOrder(sql, id), notFound);
      return {
        orderGlobalId: orderGlobalId(id),
        createdAt,
        groups: groups.map(fulfilmentGroup),
      };
    },
  });
};
