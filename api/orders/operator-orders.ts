import type { Sql } from '../../db/core/client.ts';
import { databaseFailureCode } from '../../db/core/failure.ts';
import { createBatcher } from '../../db/core/batcher.ts';
import { insertOrders, type OrderToStore } from '../../db/orders/insert-orders.ts';
import { shareOrderFacts } from '../../db/orders/order-facts.ts';
import { createOutboxNotifier } from '../../db/outbox/outbox-notifier.ts';
import { orderGlobalId } from '../../domain/orders/order-id.ts';
import { operatorOf } from '../auth/authenticate.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { takenGroup, createdOrderResponse } from './responses/operator-group.ts';
import { orderBody } from './order-body.ts';
import { createOrder } from './create-order.ts';
import type { Routes } from '../validation/compiler.ts';

/** Orders that share a statement: few enough that each is answered soon. */
const ordersMax = 50;

/** Orders that come in while others are being stored are stored together: in a burst they share the cost of a transaction. */
const shareStatements = (sql: Sql) =>
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

/** `POST /operator/v1/orders`: an order comes in, in the groups in which it will ship. */
export function operatorOrdersRoute(app: Routes, { sql }: Dependencies): void {
  const intake = { store: shareStatements(sql), factsOf: shareOrderFacts(sql) };
  const tellRelays = createOutboxNotifier(sql);
  app.post(
    '/operator/v1/orders',
    {
      config: { role: 'Operations' },
      schema: {
        body: orderBody,
        response: { 201: envelope(createdOrderResponse) },
        tags: ['Operator: orders'],
        summary: 'Take an order in',
        operationId: 'createOrder',
        description:
          'Takes an order in, in the groups in which it will ship. A group with a `vendorId` is ' +
          "that vendor's, who is told by `vendor.order.assigned`; one without is the service's own, " +
          'or waits for a source with `sourcing: true`. Each call makes another order.',
      },
    },
    async (request, reply) => {
      const operatorId = operatorOf(request).id;
      const order = await createOrder(intake, request.body, ({ groups }) => ({
        operatorId,
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
      tellRelays();
      const groups = order.groups.map(takenGroup);
      return reply.code(201).send(success({ orderGlobalId: orderGlobalId(order.id), groups }));
    },
  );
}
