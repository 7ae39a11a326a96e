import { ok } from '../../../../domain/errors.ts';
import { createReviewActivities } from '../../../../activities/offer-review.ts';
import type { Decisions } from '../../../../temporal/decisions.ts';
import { expect } from 'vitest';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { call } from '../../../support/api/api.ts';
import { newOfferFixture } from '../offer-fixture.ts';

/** Replaced by each test. */
let decideOffer: Decisions['decideOffer'] = () => Promise.reject(new Error('not set'));
const test = gatewayTest.extend('overrides', { scope: 'file' }, () => ({
  decisions: {
    decideOffer: (...given) => decideOffer(...given),
    decideReturn: () => Promise.reject(new Error('not asked')),
  },
}));

for (const [action, status, body] of [
  ['approve', 'PendingReview', {}],
  ['reject', 'PendingReview', { reason: 'No.' }],
  ['pending-price/apply', 'Approved', {}],
  ['pending-price/discard', 'Approved', {}],
] as const)
  test(`D83: the answer of ${action} shows no edit of the vendor that came after it`, async ({
    gateway,
  }) => {
    const fixture = await newOfferFixture(gateway);
    const reviews = createReviewActivities({ sql: gateway.sql });
    decideOffer = async (_input, { action: _action, ...request }) =>
      ok(await reviews.applyReviewDecision(request));
    const id = await fixture.offerIn(status, { declared: { declaredStockQuantity: 3 } });
    if (status === 'Approved') await fixture.patch(id, { cost: 55, costIsVatInclusive: false });
    const read = async () =>
      (await call(gateway, 'GET', `/operator/v1/offers/${id}`, fixture.operator)).payload ?? {};
    let decided: Readonly<Record<string, unknown>> = {};
    decideOffer = async (_input, { action: _action, ...request }) => {
      const outcome = await reviews.applyReviewDecision(request);
      decided = await read();
      await fixture.patch(id, { vendorSku: 'AFTER' });
      return ok(outcome);
    };
    const answer = await fixture.decide(id, action, body);
    expect(await read()).toMatchObject({ version: Number(decided['version']) + 1 });
    expect(answer.payload).toMatchObject({ id, status: decided['status'] });
    // A read has more fields.
    expect(decided).toMatchObject(answer.payload ?? {});
  });
