import { orderGlobalId } from '../../../domain/order-id.ts';
import { audit } from '../../audit.ts';
import type { Dependencies } from '../../dependencies.ts';
import { envelope, success } from '../../envelope.ts';
import { takenGroup, takenOrderForm } from '../../forms/operator-group.ts';
import { orderBody } from '../../order-body.ts';
import { takeOrder } from '../../take-order.ts';
import type { Routes } from '../../validation.ts';

/** `POST /operator/v1/orders`: an order comes in, in the groups in which it will ship. */
export function operatorOrdersRoute(app: Routes, { sql }: Dependencies): void {
  app.post(
    '/operator/v1/orders',
    {
      config: { role: 'Operations' },
      schema: {
        body: orderBody,
        response: { 201: envelope(takenOrderForm) },
        tags: ['Operator: orders'],
        summary: 'Take an order in',
      },
    },
    async (request, reply) => {
      const order = await sql.begin((transaction) =>
        takeOrder(transaction, request.body, ({ id, groups }) =>
          audit(transaction, request, {
            action: 'order.create',
            subjectType: 'order',
            subjectId: id,
            before: null,
            after: {
              groups: groups.map(({ id: groupId, vendorId, status }) => ({ groupId, vendorId, status })),
            },
          }),
        ),
      );
      const groups = order.groups.map(takenGroup);
      return reply.code(201).send(success({ orderGlobalId: orderGlobalId(order.id), groups }));
    },
  );
}
