import * as v from 'valibot';
import { eventForm } from './arrival.ts';

/** The parts of the gateway's answers about shipments and returns that the story looks at. */

const lines = v.array(v.object({ lineId: v.string(), quantity: v.number() }));
const orNull = v.nullable(v.string());

/** A fulfilment group, as vendors and operators read it. */
export const group = v.object({
  groupId: v.string(),
  status: v.string(),
  vendorOrderId: orNull,
  trackingRef: orNull,
  packedAt: orNull,
  shippedAt: orNull,
  deliveredAt: orNull,
  lines,
});
export type Group = v.InferOutput<typeof group>;

/** An order that was just taken in. */
export const takenOrder = v.object({
  orderGlobalId: v.string(),
  groups: v.array(v.object({ groupId: v.string(), vendorId: orNull, status: v.string(), lines })),
});

export const groupPage = v.object({ items: v.array(group) });
/** Beside a page of changes: where the next one begins. */
export const changeDetails = v.object({ nextChangedSince: v.string() });

export const orderEvent = eventForm(
  v.object({ groupId: v.string(), orderGlobalId: v.string(), status: v.string() }),
);

/** A return, as vendors and operators read it. */
export const returned = v.object({
  id: v.string(),
  returnRequestNumber: v.string(),
  status: v.string(),
  receivedAt: orNull,
  inspection: v.object({
    inspectionWindowDeadline: orNull,
    outcome: orNull,
    supplierProposedOutcome: orNull,
    requiresStaffReview: v.boolean(),
    evidence: v.array(v.object({ id: v.string(), kind: v.string() })),
  }),
});
export type Return = v.InferOutput<typeof returned>;

/** The same with the link to its run, for operators. */
export const operatorsReturn = v.object({
  ...returned.entries,
  decidedBy: orNull,
  workflow: v.object({ url: v.string() }),
});

export const returnHistory = v.object({
  history: v.array(v.object({ from: orNull, to: v.string() })),
});
