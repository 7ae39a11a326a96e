import * as v from 'valibot';

/** The parts of the answers about webhooks that the demo checks. */

const text = v.nullable(v.string());

export const subscription = v.object({
  id: v.string(),
  url: v.string(),
  isActive: v.boolean(),
  lastDeliveryStatus: text,
});

export const attempt = v.object({
  id: v.string(),
  idempotencyKey: v.string(),
  attemptNumber: v.number(),
  httpStatus: v.nullable(v.number()),
  succeeded: v.boolean(),
  errorSummary: text,
  deadLetteredAt: text,
});
export type Attempt = v.InferOutput<typeof attempt>;
export const attemptPage = v.object({ items: v.array(attempt) });

export const rotatedSecret = v.object({ subscriptionId: v.string(), secret: v.string() });

export const redelivery = v.object({
  idempotencyKey: v.string(),
  state: v.string(),
  attemptCount: v.number(),
});

/** Deliveries as operators list them, each with the link to its history. */
export const operatorsDeliveries = v.object({
  items: v.array(
    v.object({
      eventId: v.string(),
      state: v.string(),
      attemptCount: v.number(),
      subscription: v.object({ isActive: v.boolean(), inactiveReason: text }),
      workflow: v.object({ workflowId: v.string(), url: v.string() }),
    }),
  ),
});
export type OperatorsDelivery = v.InferOutput<typeof operatorsDeliveries>['items'][number];
