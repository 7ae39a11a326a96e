import { expect } from 'vitest';
import { addSubscription } from '../db/support.ts';
import { freeFormOffer, newOperator, newVariant, newVendor } from '../support/api/actors.ts';
import { call, textOf } from '../support/api/api.ts';
import { gatewayTest as test } from '../support/gateway/gateway-test.ts';
import { bodyOfDecision } from '../support/api/review-version.ts';

test.for([
  ['approve', {}, 'Approved', null],
  ['reject', { reason: 'No.' }, 'Rejected', 'No.'],
] as const)(
  'emits one event for %s, without prices and without the operator',
  async ([action, body, decision, reason], { gateway }) => {
    const reviewer = await newOperator(gateway, ['Reviewer']);
    const { vendorId, token } = await newVendor(gateway);
    await addSubscription(gateway.sql, vendorId);
    const { id: variantId } = await newVariant(gateway);
    const given = { ...freeFormOffer, variantId, vendorExternalId: 'k', vendorSku: 's' };
    const offer = await call(gateway, 'POST', '/api/v1/scent/offers', { token, body: given });
    const id = textOf(offer, 'id');
    const url = `/operator/v1/offers/${id}/${action}`;
    const sent = await bodyOfDecision(gateway.sql, url, body);
    const response = await call(gateway, 'POST', url, { token: reviewer.token, body: sent });
    expect(response.status).toBe(200);

    const events = await gateway.sql<{ id: string; body: string }[]>`
      select id, body from webhook_events where vendor_id = ${vendorId}`;
    expect(events).toHaveLength(1);
    const [event = { id: '', body: '' }] = events;
    const instant = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(event.body)).toStrictEqual({
      eventId: event.id,
      eventType: 'vendor.offer.review-decision',
      occurredAt: instant,
      apiVersion: 'v1',
      vendorId,
      test: false,
      data: {
        offerId: id,
        vendorExternalId: 'k',
        vendorSku: 's',
        decision,
        status: decision,
        reason,
        reviewedAt: instant,
      },
      sequence: 1,
    });
    expect(event.id).toMatch(/^evt_[\da-f]{8}-[\da-f]{4}-7/);
  },
);
