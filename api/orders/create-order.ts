import { v7 as uuidv7 } from 'uuid';
import type { OrderFacts, OrderNames } from '../../db/orders/order-facts.ts';
import type { NewEvent } from '../../db/webhooks/webhook-events.ts';
import type { NewOrder, OrderToStore, WithOrder } from '../../db/orders/insert-orders.ts';
import { invalidFields, type FieldError } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';
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
        : [
            fieldEntry(
              ['groups', place, 'lines', index, 'variantId'],
              'unknown',
              'must be a variant',
            ),
          ],
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
      status: sourcing === true ? 'PendingSourcing' : 'Pending',
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

const eventsOf = ({ id, createdAt, groups }: NewOrder): readonly NewEvent[] =>
  groups.flatMap((group) =>
    group.vendorId === null
      ? []
      : [orderAssignedEvent({ ...group, orderId: id }, group.vendorId, createdAt)],
  );

/** What an order is taken in with. */
export type OrderStore = {
  readonly store: (order: OrderToStore) => Promise<unknown>;
  readonly factsOf: (names: OrderNames) => Promise<OrderFacts>;
};

/**
 * Takes an order in, all of it or nothing: its groups, and `vendor.order.assigned` once for each that is a vendor's from the
 * start (D47). `auditOf` is the entry that goes with it. Throws VALIDATION_ERRORS for what the record does not have.
 */
export async function createOrder(
  { store, factsOf }: OrderStore,
  body: OrderBody,
  auditOf: (order: NewOrder) => WithOrder['audit'],
): Promise<NewOrder> {
  const facts = await factsOf({
    variantIds: body.groups.flatMap(({ lines }) => lines.map(({ variantId }) => variantId)),
    vendorIds: body.groups.flatMap(({ vendorId }) => (vendorId === null ? [] : [vendorId])),
  });
  const unknown = strangers(body, facts);
  if (unknown.length > 0) throw new ApiError(invalidFields(unknown.slice(0, 100)).failure);
  const order = newOrder(body, facts, facts.now);
  await store({ order, events: eventsOf(order), audit: auditOf(order) });
  return order;
}
