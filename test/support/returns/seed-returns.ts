import { v7 as uuidv7 } from 'uuid';
import { changeReturn, type ReturnMove } from '../../../api/returns/change-return.ts';
import { findReturnedLines } from '../../../api/returns/returned-lines.ts';
import { createOrder, ownStatements } from '../../../api/orders/create-order.ts';
import type { Sql } from '../../../db/core/client.ts';
import { businessNow } from '../../../db/core/clock.ts';
import type { NewOrder } from '../../../db/orders/insert-orders.ts';
import { findReturn, insertReturn } from '../../../db/returns/return-requests.ts';
import { orderGlobalId } from '../../../domain/orders/order-id.ts';
import {
  addEvidence,
  moveReturn,
  moveReturnByStaff,
  proposeOutcome,
  requestReturn,
  type EvidenceKind,
  type InspectionTimes,
  type ReturnDestination,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnReason,
  StaffReturnAction,
} from '../../../domain/returns/return-status.ts';

/** Orders and returns that tests start from, made and moved by the gateway's own code. */

/** Where every seeded order goes: personal data, which belongs to the record alone. */
export const seededShipTo = {
  recipient: 'Noura Al-Example',
  line1: '12 Palm Street',
  line2: null,
  city: 'Jeddah',
  region: null,
  // Longer than five digits, which a number in a history may contain by chance.
  postalCode: '23442-7716',
  country: 'SA',
  phone: '+966500000000',
} as const;

/** An order of one group, a line for each quantity. The service's own where no vendor is given. */
export const seedOrder = (
  sql: Sql,
  vendorId: string | null,
  variantId: string,
  quantities: readonly number[] = [1],
): Promise<NewOrder> => {
  const lines = quantities.map((quantity) => ({ variantId, quantity }));
  const group = {
    vendorId,
    sourcing: false,
    carrier: 'CarrierA',
    carrierNameOther: null,
    lines,
  } as const;
  const body = { shipTo: seededShipTo, groups: [group] };
  return createOrder(ownStatements(sql), body, () => null);
};

export type SeededReturn = {
  readonly vendorId: string;
  readonly variantId: string;
  readonly destination?: ReturnDestination;
  /** One line for each. */
  readonly reasons?: readonly ReturnReason[];
  readonly times?: Partial<InspectionTimes>;
};

/** Long enough that time does nothing by itself while a test runs. */
const never: InspectionTimes = { startMs: 3_600_000, windowMs: 3_600_000, closingMs: 0 };

/** A return of a whole order of its own, `Pending`. */
export async function seedReturn(sql: Sql, given: SeededReturn): Promise<ReturnRequest> {
  const {
    vendorId,
    variantId,
    destination = 'Supplier',
    reasons = ['Defective'],
    times = {},
  } = given;
  const quantities = reasons.map(() => 1);
  const { id: orderId, groups } = await seedOrder(sql, vendorId, variantId, quantities);
  const lines = groups
    .flatMap((group) => group.lines)
    .map(({ lineId }, index) => ({ lineId, quantity: 1, reasonCode: reasons[index] ?? 'Other' }));
  return sql.begin(async (transaction) => {
    const body = { orderGlobalId: orderGlobalId(orderId), destination, vendorId, lines };
    const found = await findReturnedLines(transaction, body);
    if (!found.ok) throw new Error(found.failure.code);
    const requested = requestReturn({
      ...found.value,
      id: uuidv7(),
      destination,
      times: { ...never, ...times },
      now: await businessNow(transaction, found.value.vendorId),
    });
    return insertReturn(transaction, requested);
  });
}

type Known = Pick<ReturnRequest, 'id' | 'vendorId'>;

const asVendor = (
  sql: Sql,
  { id, vendorId }: Known,
  move: Omit<ReturnMove, 'returnId' | 'vendorId'>,
): Promise<ReturnRequest> => changeReturn(sql, { ...move, returnId: id, vendorId });

/** A move by staff, as the operators' route makes it. Throws what the rule refuses. */
export const moveAsStaff = (
  sql: Sql,
  { id }: Known,
  action: StaffReturnAction,
  reason: string | null = null,
): Promise<ReturnRequest> =>
  changeReturn(sql, {
    returnId: id,
    vendorId: null,
    decide: (found, now) => moveReturnByStaff(found, action, now),
    signal: action === 'receive' ? 'received' : 'changed',
    reason,
  });

/** The vendor confirms receipt. */
export const receiveReturn = (sql: Sql, request: Known): Promise<ReturnRequest> =>
  asVendor(sql, request, {
    decide: (found, now) => moveReturn(found, 'receive', now),
    signal: 'received',
  });

/** The vendor adds evidence. */
export const addSeededEvidence = (
  sql: Sql,
  request: Known,
  given: { readonly url?: string; readonly kind?: EvidenceKind } = {},
): Promise<ReturnRequest> => {
  const { url = 'https://vendor.example.org/photo.jpg', kind = 'Photo' } = given;
  return asVendor(sql, request, {
    decide: (found, now) => addEvidence(found, { id: uuidv7(), url, kind, uploadedAt: now }),
    signal: 'evidence',
  });
};

/** The vendor proposes what the inspection found. */
export const proposeAsVendor = (
  sql: Sql,
  request: Known,
  outcome: InspectionOutcome,
): Promise<ReturnRequest> =>
  asVendor(sql, request, {
    decide: (found, now) => proposeOutcome(found, outcome, now),
    signal: 'proposed',
  });

/** The moves by which a return that is welcome comes to its inspection, in their order. */
const way = { Approved: 'approve', InTransit: 'inTransit', Received: 'receive' } as const;

/** Moves a return that is `Pending`, or further along, to a status on the way to its inspection. */
export async function moveReturnTo(
  sql: Sql,
  request: ReturnRequest,
  status: keyof typeof way,
): Promise<ReturnRequest> {
  const moves = Object.entries(way);
  const [begin, end] = [request.status, status].map(
    (reached) => moves.findIndex(([to]) => to === reached) + 1,
  );
  let moved = request;
  for (const [, action] of moves.slice(begin, end)) {
    const isByVendor = action === 'receive' && request.destination === 'Supplier';
    moved = isByVendor ? await receiveReturn(sql, moved) : await moveAsStaff(sql, moved, action);
  }
  return moved;
}

type Id = Pick<ReturnRequest, 'id'>;

export async function storedReturn(sql: Sql, { id }: Id): Promise<ReturnRequest> {
  const found = await findReturn(sql, id);
  if (found === null) throw new Error('no such return');
  return found;
}

/** The moves of a return since it was made, as words, oldest first. */
export async function returnMoves(sql: Sql, { id }: Id): Promise<readonly string[]> {
  const rows = await sql<{ move: string }[]>`
    select from_status || ' to ' || to_status as move from return_status_changes
    where return_id = ${id} and from_status is not null order by id`;
  return rows.map(({ move }) => move);
}
