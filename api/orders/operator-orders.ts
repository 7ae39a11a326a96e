import { createBatcher } from '../../db/core/batcher.ts';
import type { Sql } from '../../db/core/client.ts';
import { databaseFailureCode } from '../../db/core/failure.ts';
import { insertOrders, type OrderToStore } from '../../db/orders/insert-orders.ts';
import {
  findOrderFacts,
  rememberOrderFacts,
  shareOrderFacts,
} from '../../db/orders/order-facts.ts';
import { createOutboxNotifier } from '../../db/outbox/outbox-notifier.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { createOrder, type OrderStore } from './create-order.ts';
import { orderBody } from './order-body.ts';
import { createdOrderResponse, createdGroup } from './responses/operator-group.ts';

/** The most orders of one statement; a larger batch would delay each answer. */
const ordersMax = 50;
/**
 * While more than `busyOrders` orders come in `busyMs`, each waits up to `orderWaitMs` for others
 * (D120).
 */
const busyOrders = 4;
const busyMs = 20;
const orderWaitMs = 10;
/** Once this many orders wait, none waits longer. */
const enoughOrders = 16;

/** Creates a function to call once for each order. It returns whether orders come fast. */
function createBusyWatch(): () => boolean {
  const arrivals: number[] = [];
  return () => {
    const now = performance.now();
    arrivals.push(now);
    if (arrivals.length <= busyOrders) return false;
    return now - (arrivals.shift() ?? now) < busyMs;
  };
}

/** Stores orders that arrive at about the same time in one transaction. */
const createOrderBatcher = (sql: Sql) => {
  const notifier = createOutboxNotifier(sql);
  const isBusy = createBusyWatch();
  const store = createBatcher({
    run: async (orders: readonly OrderToStore[]) => {
      const notifies = notifier.join();
      await insertOrders(sql, orders, { notifies });
      if (!notifies) notifier.notify();
      return orders;
    },
    keyOf: ({ order }) => order.id,
    keyOfAnswer: ({ order }) => order.id,
    isShared: (error) => databaseFailureCode(error) !== null,
    sizeMax: ordersMax,
    waitMs: () => (isBusy() ? orderWaitMs : 0),
    enough: enoughOrders,
  });
  return { store, notify: notifier.notify };
};

/** Creates orders. */
export const operatorOrdersRoute: AddRoutes = (app, { sql }) => {
  const { store, notify } = createOrderBatcher(sql);
  const shared: OrderStore = { store, ...rememberOrderFacts(shareOrderFacts(sql)) };
  /** A call that is part of a transaction shares nothing with other calls. */
  const storeFor = (commands: Sql): OrderStore =>
    commands === sql
      ? shared
      : {
          store: (order) => insertOrders(commands, [order]),
          factsOf: (names) => findOrderFacts(commands, names),
          forget: () => undefined,
        };
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
      // Up to two statements of earlier orders, and its own. The database ends each first (D123).
      config: { handlerTimeoutMs: 30_000 },
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
      if (commands !== sql) afterCommit(notify);
      return { orderGlobalId: orderGlobalId(order.id), groups: order.groups.map(createdGroup) };
    },
  );
};
