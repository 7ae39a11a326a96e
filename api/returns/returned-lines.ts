import type { Queryable } from '../../db/core/client.ts';
import { lockOrderedLines, type OrderedLine } from '../../db/orders/fulfilment-groups.ts';
import {
  fail,
  fieldError,
  invalid,
  ok,
  type FieldError,
  type Result,
} from '../../domain/errors.ts';
import { orderIdOf } from '../../domain/orders/order-id.ts';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { fieldEntry } from '../validation/field-errors.ts';
import type { ReturnBody } from './return-body.ts';

/** What a return names: lines of an order, or only of one of its shipments. */
export type NamedLines = ReturnBody & { readonly groupId?: string };

/**
 * Looks up the lines that a body names and locks their order. Fails with VALIDATION_ERRORS for an
 * unknown order or line, for more than was ordered, and for a line of another vendor. Fails with
 * BUSINESS_RETURN_QUANTITY_EXCEEDED when other returns leave too little.
 */
export async function findReturnedLines(
  sql: Queryable,
  body: NamedLines,
): Promise<Result<Pick<ReturnRequest, 'orderId' | 'vendorId' | 'lines'>>> {
  const orderId = orderIdOf(body.orderGlobalId);
  const ordered = orderId === null ? null : await lockOrderedLines(sql, orderId);
  if (orderId === null || ordered === null) {
    return invalid(fieldError('orderGlobalId', 'unknown', 'must be the id of an order'));
  }
  const offered = ordered.filter(({ groupId }) => groupId === (body.groupId ?? groupId));
  const byId = new Map(offered.map((line) => [line.lineId, line]));
  const errors = lineErrors(body, byId);
  if (errors.length > 0) return invalid(...errors);
  const named = body.lines.flatMap(({ lineId }) => byId.get(lineId) ?? []);
  const vendors = new Set(named.map(({ vendorId }) => vendorId));
  const [owner = null] = vendors;
  const vendorId = body.vendorId ?? (vendors.size === 1 ? owner : null);
  const isForeign = body.vendorId !== null && named.some((line) => line.vendorId !== body.vendorId);
  if (isForeign || (body.destination === 'Supplier' && (vendors.size !== 1 || owner === null))) {
    return invalid(fieldError('vendorId', 'not_of_lines', 'must be the vendor of every line'));
  }
  const exceeded = exceededLines(body, byId);
  if (exceeded.length > 0) return fail('BUSINESS_RETURN_QUANTITY_EXCEEDED', { lines: exceeded });
  const lines = body.lines.flatMap(({ lineId, quantity, reasonCode }) => {
    const line = byId.get(lineId);
    return line === undefined
      ? []
      : [{ lineId, variantId: line.variantId, sku: line.sku, quantity, reasonCode }];
  });
  return ok({ orderId, vendorId, lines });
}

/** The lines that ask for more than other returns leave, each at its first entry. */
function exceededLines(
  { lines }: ReturnBody,
  ordered: ReadonlyMap<string, OrderedLine>,
): readonly object[] {
  const ids = lines.map(({ lineId }) => lineId);
  return [...new Set(ids)].flatMap((id) => {
    const { quantity: orderedQuantity = 0, returnedQuantity = 0 } = ordered.get(id) ?? {};
    const requestedQuantity = lines
      .filter(({ lineId }) => lineId === id)
      .reduce((total, { quantity }) => total + quantity, 0);
    const path = `/lines/${ids.indexOf(id)}/quantity`;
    return requestedQuantity + returnedQuantity > orderedQuantity
      ? [{ path, orderedQuantity, returnedQuantity, requestedQuantity }]
      : [];
  });
}

function lineErrors(
  { lines, groupId }: NamedLines,
  ordered: ReadonlyMap<string, OrderedLine>,
): readonly FieldError[] {
  const whole = groupId === undefined ? 'order' : 'shipment';
  const returned = new Map<string, number>();
  return lines.flatMap(({ lineId, quantity }, index) => {
    const line = ordered.get(lineId);
    if (line === undefined) {
      return [fieldEntry(['lines', index, 'lineId'], 'unknown', `must be a line of the ${whole}`)];
    }
    const total = (returned.get(lineId) ?? 0) + quantity;
    returned.set(lineId, total);
    if (total <= line.quantity) return [];
    const message = `must be at most ${line.quantity}, the ordered quantity`;
    return [fieldEntry(['lines', index, 'quantity'], 'too_large', message)];
  });
}
