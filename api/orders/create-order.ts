import { v7 as uuidv7 } from 'uuid';
import type { Queryable } from '../../db/core/client.ts';
import { isVariantGone } from '../../db/core/failure.ts';
import {
  InactiveVendor,
  insertOrders,
  type NewOrder,
  type OrderToStore,
  type WithOrder,
} from '../../db/orders/insert-orders.ts';
import { findOrderFacts, type OrderFacts, type OrderNames } from '../../db/orders/order-facts.ts';
import type { NewEvent } from '../../db/webhooks/webhook-events.ts';
import type { FieldError } from '../../domain/errors.ts';
import { validationErrors } from '../http/api-error.ts';
import { fieldEntry } from '../validation/field-errors.ts';
import { orderAssignedEvent } from './group-events.ts';
import type { OrderBody } from './order-body.ts';

const isFor = (
  variant: { readonly vendorId: string | null } | undefined,
  vendorId: string | null,
): boolean => variant !== undefined && [null, vendorId].includes(variant.vendorId);

/** An entry for each vendor that is unknown or inactive, and for each variant it may not have. */
const unknownReferences = (
  { groups }: OrderBody,
  { variants, vendors }: OrderFacts,
): readonly FieldError[] =>
  groups.flatMap(({ vendorId, lines }, group) => {
    const unknown = (path: readonly (string | number)[], message: string) =>
      fieldEntry(['groups', group, ...path], 'unknown', message);
    return [
      ...(vendorId === null || vendors[vendorId] instanceof Date
        ? []
        : [unknown(['vendorId'], 'must be an active vendor')]),
      ...lines.flatMap(({ variantId }, line) =>
        isFor(variants[variantId], vendorId)
          ? []
          : [unknown(['lines', line, 'variantId'], 'must be a variant')],
      ),
    ];
  });

const newOrder = (body: OrderBody, { variants, vendors, now }: OrderFacts): NewOrder => ({
  id: uuidv7(),
  createdAt: now,
  shipTo: body.shipTo,
  groups: body.groups.map(({ vendorId, sourcing, carrier, carrierNameOther, lines }) => ({
    id: uuidv7(),
    vendorId,
    createdAt: vendors[vendorId ?? ''] ?? now,
    status: sourcing === true ? 'PendingSourcing' : 'Pending',
    carrier,
    carrierNameOther,
    lines: lines.map(({ variantId, quantity }) => ({
      lineId: uuidv7(),
      variantId,
      sku: variants[variantId]?.sku ?? '',
      quantity,
    })),
  })),
});

const eventsOf = ({ id, groups }: NewOrder): readonly NewEvent[] =>
  groups.flatMap((group) =>
    group.vendorId === null
      ? []
      : [orderAssignedEvent({ ...group, orderId: id }, group.vendorId, group.createdAt)],
  );

export type OrderStatements = {
  readonly readFacts: (names: OrderNames) => Promise<OrderFacts>;
  readonly store: (order: OrderToStore) => Promise<unknown>;
};

/** The statements of one order, which shares nothing with other calls. */
export const ownStatements = (sql: Queryable): OrderStatements => ({
  readFacts: (names) => findOrderFacts(sql, names),
  store: (order) => insertOrders(sql, [order]),
});

/**
 * Creates an order with its groups in one transaction, the audit entry of `auditOf` included, and
 * emits `vendor.order.assigned` for each group that has a vendor. Throws VALIDATION_ERRORS for
 * unknown variants and vendors, at most 100 entries.
 */
export async function createOrder(
  statements: OrderStatements,
  body: OrderBody,
  auditOf: (order: NewOrder) => WithOrder['audit'],
): Promise<NewOrder> {
  const facts = await statements.readFacts({
    variantIds: body.groups.flatMap(({ lines }) => lines.map(({ variantId }) => variantId)),
    vendorIds: body.groups.flatMap(({ vendorId }) => (vendorId === null ? [] : [vendorId])),
  });
  const unknown = unknownReferences(body, facts);
  if (unknown.length > 0) throw validationErrors(...unknown.slice(0, 100));
  const order = newOrder(body, facts);
  try {
    await statements.store({ order, events: eventsOf(order), audit: auditOf(order) });
  } catch (error) {
    if (!(error instanceof InactiveVendor) && !isVariantGone(error)) throw error;
    // Since the facts were read, a vendor has become inactive or a variant was deleted.
    return createOrder(statements, body, auditOf);
  }
  return order;
}
