import { story } from '../glossary/story.ts';
import type { BodyExamples, RequestExamples } from './form.ts';

const updateWebhook: BodyExamples = {
  url: {
    summary: 'Another receiver',
    value: { url: 'https://hooks.oud-and-amber.example.com/v2' },
  },
  eventTypes: { summary: 'Other events', value: { eventTypes: ['vendor.offer.review-decision'] } },
};
const switches: BodyExamples = {
  off: { summary: 'Off', value: { isActive: false } },
  on: { summary: 'On again', value: { isActive: true } },
};

/** Bodies about tokens, credentials, the profile and webhooks, and every switch. */
export const accountExamples: RequestExamples = {
  'POST /api/v1/auth/token': {
    credential: {
      summary: 'A credential for a token',
      value: {
        clientId: story.clientId,
        clientSecret: story.clientSecret,
      },
    },
  },
  'POST /operator/v1/auth/token': {
    operator: {
      summary: 'An operator’s secret for a token',
      value: { operatorId: story.operatorId, operatorSecret: story.operatorSecret },
    },
  },
  'POST /api/v1/credentials': {
    pushes: {
      summary: 'For a system that pushes stock and prices',
      value: { capabilities: 'Stock,Cost' },
    },
  },
  'PATCH /api/v1/credentials/{id}/active': switches,
  'PATCH /api/v1/vendor/profile': {
    both: {
      summary: 'Name and contact address',
      value: { name: 'Oud & Amber Trading', contactEmail: 'integration@oud-and-amber.example.com' },
    },
    noAddress: { summary: 'Without a contact address', value: { contactEmail: '' } },
  },
  'POST /api/v1/webhooks': {
    both: {
      summary: 'One receiver for both events',
      value: {
        url: story.receiver,
        eventTypes: ['vendor.order.assigned', 'vendor.offer.review-decision'],
      },
    },
  },
  'PUT /api/v1/webhooks/{id}': updateWebhook,
  'PUT /api/v1/scent/webhooks/{id}': updateWebhook,
  'PATCH /api/v1/webhooks/{id}/active': switches,
  'POST /api/v1/webhooks/{id}/test-fire': {
    decision: {
      summary: 'A review decision',
      value: { eventType: 'vendor.offer.review-decision' },
    },
    order: { summary: 'An assigned order', value: { eventType: 'vendor.order.assigned' } },
  },
  'PATCH /operator/v1/vendors/{id}/active': switches,
  'PATCH /operator/v1/credentials/{id}/active': switches,
  'PATCH /operator/v1/variants/{id}/active': switches,
};
