import { createBatcher } from '../../db/core/batcher.ts';
import type { Sql } from '../../db/core/client.ts';
import { databaseFailureCode } from '../../db/core/failure.ts';
import { insertOrders, type OrderToStore } from '../../db/orders/insert-orders.ts';
import { findOrderFacts, shareOrderFacts } from '../../db/orders/order-facts.ts';
import { createOutboxNotifier } from '../../db/outbox/outbox-notifier.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { createOrder, type OrderStore } from './create-order.ts';
import { orderBody } from './order-body.ts';
import { createdOrderResponse, takenGroup } from './responses/operator-group.ts';

/** The most orders of one statement; a larger batch would delay each answer. */
const ordersMax = 50;

/** Stores orders that arrive at the same time in one transaction. */
const createOrderBatcher = (sql: Sql) =>
  createBatcher({
    run: async (orders: readonly OrderToStore[]) => {
      await insertOrders(sql, orders);
      return orders;
    },
    keyOf: ({ order }) => order.id,
    keyOfAnswer: ({ order }) => order.id,
    isShared: (error) => databaseFailureCode(error) !== null,
    sizeMax: ordersMax,
  });

/** Creates orders. */
export const operatorOrdersRoute: AddRoutes = (app, { sql }) => {
  const shared: OrderStore = { store: createOrderBatcher(sql), factsOf: shareOrderFacts(sql) };
  /** A call that is part of a transaction shares nothing with other calls. */
  const storeFor = (commands: Sql): OrderStore =>
    commands === sql
      ? shared
      : {
          store: (order) => insertOrders(commands, [order]),
          factsOf: (names) => findOrderFacts(commands, names),
        };
  const notifyRelays = createOutboxNotifier(sql);
  const route = operatorRoutes(app, { role: 'Operations', tag: 'Operator: orders' });
  route(
    'POST /operator/v1/orders',
    {
      operationId: 'createOrder',
      summary: 'Create an order',
      description:
        'Creates an order with its fulfilment groups. A group with a `vendorId` is a shipment of ' +
        'that vendor, who gets `vendor.order.assigned`. The service ships a group without a ' +
        '`vendorId` itself, or assigns it to a vendor later if `sourcing` is true. Each call ' +
        'without an `Idempotency-Key` creates another order.',
      body: orderBody,
      payload: createdOrderResponse,
      statuses: [201],
    },
    async ({ caller, body, request, sql: commands, afterCommit }) => {
      const order = await createOrder(storeFor(commands), body, ({ groups }) => ({
        operatorId: caller.id,
        action: 'order.create',
        requestId: request.id,
        after: {
          groups: groups.map(({ id: groupId, vendorId, status }) => ({
            groupId,
            vendorId,
            status,
          })),
        },
      }));
      afterCommit(notifyRelays);
      return { orderGlobalId: orderGlobalId(order.id), groups: order.groups.map(takenGroup) };
    },
  );
};
