import { v7 as uuidv7 } from 'uuid';
import { findOrderFacts, type OrderFacts } from '../db/order-facts.ts';
import type { Queryable } from '../db/client.ts';
import { emitEvent } from '../db/events.ts';
import { insertOrder, type NewOrder } from '../db/fulfilment-groups.ts';
import { invalidFields, type FieldError } from '../domain/errors.ts';
import { ApiError } from './api-error.ts';
import { fieldEntry } from './field-errors.ts';
import type { OrderBody } from './order-body.ts';
import { orderAssignedEvent } from './order-assigned-event.ts';

/** An entry for each variant and vendor that the record does not have, and for each vendor that is inactive. */
const strangers = ({ groups }: OrderBody, { skus, vendors }: OrderFacts): readonly FieldError[] =>
  groups.flatMap(({ vendorId, lines }, place) => [
    ...(vendorId === null || vendors.get(vendorId) === true
      ? []
      : [fieldEntry(['groups', place, 'vendorId'], 'unknown', 'must be an active vendor')]),
    ...lines.flatMap(({ variantId }, index) =>
      skus.has(variantId)
        ? []
        : [fieldEntry(['groups', place, 'lines', index, 'variantId'], 'unknown', 'must be a variant')],
    ),
  ]);

function newOrder(body: OrderBody, { skus }: OrderFacts, now: Date): NewOrder {
  return {
    id: uuidv7(),
    createdAt: now,
    shipTo: body.shipTo,
    groups: body.groups.map(({ vendorId, sourcing, carrier, carrierNameOther, lines }) => ({
      id: uuidv7(),
      vendorId,
      status: sourcing ? 'PendingSourcing' : 'Pending',
      carrier,
      carrierNameOther,
      lines: lines.map(({ variantId, quantity }) => ({
        lineId: uuidv7(),
        variantId,
        sku: skus.get(variantId) ?? '',
        quantity,
      })),
    })),
  };
}

/**
 * Takes an order in, within the caller's transaction: its groups, and `vendor.order.assigned` once for each that is a
 * vendor's from the start (D47). `also` is what else belongs to it. Throws VALIDATION_ERRORS for what the record does not have.
 */
export async function takeOrder(
  sql: Queryable,
  body: OrderBody,
  also: (order: NewOrder) => Promise<void>,
): Promise<NewOrder> {
  const facts = await findOrderFacts(sql, {
    variantIds: body.groups.flatMap(({ lines }) => lines.map(({ variantId }) => variantId)),
    vendorIds: body.groups.flatMap(({ vendorId }) => (vendorId === null ? [] : [vendorId])),
  });
  const unknown = strangers(body, facts);
  if (unknown.length > 0) throw new ApiError(invalidFields(unknown.slice(0, 100)).failure);
  const order = newOrder(body, facts, facts.now);
  for (const group of order.groups) {
    if (group.vendorId === null) continue;
    const event = orderAssignedEvent({ ...group, orderId: order.id }, group.vendorId, order.createdAt);
    // oxlint-disable-next-line no-await-in-loop -- one transaction is one connection
    await emitEvent(sql, event);
  }
  await also(order);
  await insertOrder(sql, order);
  return order;
}
