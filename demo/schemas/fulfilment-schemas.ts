import * as v from 'valibot';

/** The parts of the answers about orders and returns that the demo checks. */

const lines = v.array(v.object({ lineId: v.string(), quantity: v.number() }));
const text = v.nullable(v.string());

/** A fulfilment group, as vendors and operators read it. */
export const group = v.object({
  groupId: v.string(),
  status: v.string(),
  vendorOrderId: text,
  trackingRef: text,
  packedAt: text,
  shippedAt: text,
  deliveredAt: text,
  lines,
});
export type Group = v.InferOutput<typeof group>;
export const groupPage = v.object({ items: v.array(group) });
/** The details of a page of changes: the next page begins at this instant. */
export const changeDetails = v.object({ nextChangedSince: v.string() });

export const createdOrder = v.object({
  orderGlobalId: v.string(),
  groups: v.array(v.object({ groupId: v.string(), vendorId: text, status: v.string(), lines })),
});

/** A return, as vendors and operators read it. */
export const vendorsReturn = v.object({
  id: v.string(),
  returnRequestNumber: v.string(),
  status: v.string(),
  receivedAt: text,
  inspection: v.object({
    inspectionWindowDeadline: text,
    outcome: text,
    supplierProposedOutcome: text,
    requiresStaffReview: v.boolean(),
    evidence: v.array(v.object({ id: v.string(), kind: v.string() })),
  }),
});

/** A return as operators read it, with the link to its history. */
export const operatorsReturn = v.object({
  ...vendorsReturn.entries,
  decidedBy: text,
  workflow: v.object({ url: v.string() }),
});

export const returnHistory = v.object({
  history: v.array(v.object({ from: text, to: v.string() })),
});
