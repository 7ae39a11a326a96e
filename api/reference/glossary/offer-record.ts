import type { Glossary } from './entry.ts';
import { story } from './story.ts';

/** What the service says of an offer: its review, its supply, its record. */
export const offerRecordGlossary: Glossary = {
  review: { description: 'The last word of a reviewer; its parts are null before there is one.' },
  reviewedAt: {
    description: 'When a reviewer last decided, in UTC; null before that.',
    example: story.approved,
  },
  'FlatOffer.reviewedAt': {
    description: 'When a reviewer last decided, in UTC; null before that.',
    example: null,
  },
  'review.reason': {
    description: "The reviewer's reason; null when none was given, and after an approval.",
    example: null,
  },
  reviewReason: {
    description: "The reviewer's reason; null when none was given, and after an approval.",
    example: null,
  },
  reviewedByUserId: { description: 'Always null: who reviewed is not for vendors.', example: null },
  syncPaused: {
    description: 'Whether what the offer sells as is paused; false where there is nothing yet.',
    example: false,
  },
  autoPublishEligible: {
    description: 'Always false: nothing goes live without a reviewer.',
    example: false,
  },
  importBatchId: { description: 'Always null: nothing imports batches yet.', example: null },
  supplyOptionId: {
    description: 'As what the offer sells; null before its first approval.',
    example: story.supplyOptionId,
  },
  'FlatOffer.supplyOptionId': {
    description: 'As what the offer sells; null before its first approval.',
    example: null,
  },
  'FlatOffer.version': {
    description: 'Counts the changes. For information: no call asks for it.',
    example: 1,
  },
  createdDate: { description: 'When the offer was made, in UTC.', example: story.offered },
  lastModifiedDate: { description: 'When the offer last changed, in UTC.', example: story.offered },
  'listOffers.from': {
    description:
      'Only offers made at this instant or later. RFC 3339 with a time and an offset or `Z`.',
    example: '2026-11-01T00:00:00Z',
  },
  'listOffers.to': {
    description:
      'Only offers made at this instant or before; not before `from`. RFC 3339 with a time and an offset or `Z`.',
    example: '2026-11-30T23:59:59Z',
  },
};
