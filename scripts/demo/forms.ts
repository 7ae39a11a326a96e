import * as v from 'valibot';

/** The parts of the gateway's answers that the story looks at. */

const status = v.picklist([
  'Draft',
  'PendingMatch',
  'PendingReview',
  'Approved',
  'Rejected',
  'Withdrawn',
  'Suspended',
  'PendingRepricing',
]);
const amount = v.nullable(v.number());

export const withId = v.object({ id: v.string() });

/** An offer in the nested form; money is net SAR. */
export const nestedOffer = v.object({
  id: v.string(),
  status,
  pricingModel: v.object({ name: v.string(), model: v.number() }),
  cost: v.object({
    amount,
    pending: v.nullable(v.object({ amount: v.number(), inputVat: v.number() })),
  }),
  price: v.object({
    amount,
    pending: v.nullable(v.object({ amount: v.number(), vat: v.number() })),
  }),
  stock: v.object({ declaredQuantity: v.nullable(v.number()), declaredInStock: v.boolean() }),
  review: v.object({ reason: v.nullable(v.string()) }),
});

/** An offer in the flat form, as create-offer answers it. */
export const flatOffer = v.object({
  id: v.string(),
  status,
  cost: v.number(),
  inputVatAmount: v.number(),
});

/** What a decision answers, with the link to the review's history. */
export const decided = v.object({
  ...nestedOffer.entries,
  workflow: v.object({ url: v.string() }),
});

/** An offer as an operator reads it, with what it sells as. */
export const operatorsOffer = v.object({
  ...decided.entries,
  awaitingDecision: v.boolean(),
  supply: v.nullable(
    v.object({
      isPaused: v.boolean(),
      netPrice: v.number(),
      sellPrice: v.number(),
      payoutPrice: v.number(),
      stockQuantity: v.nullable(v.number()),
      inStock: v.boolean(),
    }),
  ),
});

/** The offer's status changes, oldest first. */
export const history = v.object({
  history: v.array(
    v.object({
      at: v.string(),
      from: v.nullable(v.string()),
      to: v.string(),
      reason: v.nullable(v.string()),
    }),
  ),
});
export type StatusChange = v.InferOutput<typeof history>['history'][number];
