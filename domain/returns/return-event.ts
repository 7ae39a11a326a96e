import { later } from '../instant.ts';
import { orderGlobalId } from '../orders/order-id.ts';
import { silenceOutcome, type ReturnRequest } from './return-request.ts';
import type { InspectionOutcome, ReturnStatus } from './return-status.ts';

/** Who decided an inspection, without the operator's identity. */
export const returnDeciders = ['Staff', 'Silence'] as const;
export type ReturnDecider = (typeof returnDeciders)[number];

/** The `data` of every event about a return. Instants are RFC 3339. */
export type ReturnEventData = {
  readonly returnId: string;
  readonly returnRequestNumber: string;
  readonly orderGlobalId: string;
  readonly status: ReturnStatus;
  /** When the workflow starts the inspection; null if no timer waits for that. */
  readonly inspectionStartsAt: string | null;
  /** The deadline for a proposal; null before the inspection. */
  readonly inspectionWindowDeadline: string | null;
  /** What silence will decide at the deadline; null where it decides nothing. */
  readonly silenceOutcome: InspectionOutcome | null;
  readonly outcome: InspectionOutcome | null;
  readonly decidedBy: ReturnDecider | null;
};

export type ReturnEvent = { readonly eventType: ReturnEventType; readonly data: ReturnEventData };

/** The event of a return's entry into a status. Statuses without one emit nothing. */
const eventOfStatus = {
  Pending: 'vendor.return.requested',
  Received: 'vendor.return.received',
  UnderInspection: 'vendor.return.inspection-started',
  InspectionAccepted: 'vendor.return.decided',
  InspectionRejected: 'vendor.return.decided',
  RefundReleased: 'vendor.return.refund-released',
} as const satisfies Partial<Record<ReturnStatus, string>>;

export type ReturnEventType =
  (typeof eventOfStatus)[keyof typeof eventOfStatus] | 'vendor.return.inspection-closing';

const eventTypeOf = (status: ReturnStatus): ReturnEventType | null =>
  (eventOfStatus as Partial<Record<ReturnStatus, ReturnEventType>>)[status] ?? null;

/**
 * The event of a change of status; null when the vendor gets none, as for a return that does not go
 * to it. `before` is null for a new return.
 */
export function returnEvent(
  before: Pick<ReturnRequest, 'status'> | null,
  after: ReturnRequest,
): ReturnEvent | null {
  const eventType = eventTypeOf(after.status);
  if (after.destination !== 'Supplier' || before?.status === after.status || eventType === null)
    return null;
  return { eventType, data: returnEventData(after) };
}

/** The event of the approaching end of an inspection window. */
export const inspectionClosingEvent = (request: ReturnRequest): ReturnEvent => ({
  eventType: 'vendor.return.inspection-closing',
  data: returnEventData(request),
});

function returnEventData(request: ReturnRequest): ReturnEventData {
  const { id, number, orderId, status, receivedAt, inspectionDeadline, outcome, decidedBy } =
    request;
  const startsAt =
    status === 'Received' && receivedAt !== null ? later(receivedAt, request.times.startMs) : null;
  const decider = decidedBy === null ? 'Silence' : 'Staff';
  return {
    returnId: id,
    returnRequestNumber: number,
    orderGlobalId: orderGlobalId(orderId),
    status,
    inspectionStartsAt: startsAt?.toISOString() ?? null,
    inspectionWindowDeadline: inspectionDeadline?.toISOString() ?? null,
    silenceOutcome: silenceOutcome(request),
    outcome,
    decidedBy: outcome === null ? null : decider,
  };
}
