import { story } from '../glossary/story.ts';
import type { RequestExamples } from './form.ts';

const priceDecision = {
  plain: { summary: 'As it is', value: {} },
  careful: { summary: 'Only if nothing has changed since', value: { expectedVersion: 3 } },
};

/** Bodies of reviewers' decisions. */
export const reviewExamples: RequestExamples = {
  'POST /operator/v1/offers/{id}/approve': {
    matched: { summary: 'With the match that was proposed', value: {} },
    match: {
      summary: 'With a match, required from PendingMatch',
      value: { variantId: story.variantId, expectedVersion: 1 },
    },
  },
  'POST /operator/v1/offers/{id}/reject': {
    reason: {
      summary: 'With the reason that the vendor reads',
      value: { reason: 'The bottle on the photo is not the one described.', expectedVersion: 1 },
    },
  },
  'POST /operator/v1/offers/{id}/pending-price/apply': priceDecision,
  'POST /operator/v1/offers/{id}/pending-price/discard': {
    ...priceDecision,
    withReason: { summary: 'With a reason', value: { reason: 'Above the market.' } },
  },
  'POST /operator/v1/offers/{id}/suspend': {
    reason: {
      summary: 'With the reason that the vendor reads',
      value: { reason: 'The batch was recalled.' },
    },
  },
  'POST /operator/v1/offers/{id}/reinstate': {
    reason: {
      summary: 'With the reason that the vendor reads',
      value: { reason: 'The recall is over.' },
    },
  },
};
