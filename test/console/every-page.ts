import { succeeded, textOf } from '../support/api/api.ts';
import { runReviewJob, startJob } from '../api/jobs/job-fixture.ts';
import { inStock } from '../api/offers/bulk/bulk-fixture.ts';
import { approvedOffer, newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newReturnFixture } from '../api/returns/return-fixture.ts';
import type { Gateway } from '../support/api/api.ts';
import { newWebhookFixture } from '../api/webhooks/webhook-fixture.ts';

/**
 * Every page of the console. Tests open each of them as an Admin: in a browser
 * (`test/systems/pages/every-page.test.ts`) and with hostile texts (`attacks.test.ts`). Add a page
 * as one row: its name, and its path, which may contain an id of `newRecord`.
 */
export const pages = [
  ['sign-in', () => '/console/sign-in?to=%2Fconsole'],
  ['home', () => '/console'],
  ['not-found', () => '/console/nothing'],
  ['queue', () => '/console/offers'],
  ['empty-queue', () => '/console/offers?brand=None'],
  ['decision', ({ offerId }) => `/console/offers/${offerId}?at=1`],
  ['decision-of-price', ({ pricedId }) => `/console/offers/${pricedId}`],
  ['all-offers', () => '/console/all-offers'],
  ['find', ({ text }) => `/console/find?find=${encodeURIComponent(text)}`],
  ['settings', () => '/console/settings'],
  ['many', ({ offerId, pricedId }) => `/console/offers/many?offer=${offerId}&offer=${pricedId}`],
  ['review-jobs', () => '/console/review-jobs'],
  ['review-job', ({ jobId }) => `/console/review-jobs/${jobId}`],
  ['returns', () => '/console/returns'],
  ['return', ({ returnId }) => `/console/returns/${returnId}`],
  ['orders', () => '/console/orders'],
  ['order', ({ orderId }) => `/console/orders/${orderId}`],
  ['audit', () => '/console/audit'],
  ['audit-of-offer', ({ pricedId }) => `/console/audit?subjectId=${pricedId}`],
  ['vendors', () => '/console/vendors'],
  ['vendor', ({ vendorId }) => `/console/vendors/${vendorId}`],
  ['agreement', ({ vendorId }) => `/console/vendors/${vendorId}/agreement?${agreement}`],
  ['webhooks', () => '/console/webhooks'],
  ['deliveries', ({ subscription }) => `/console/webhooks/deliveries?${subscription}`],
  ['delivery', ({ deliveryId }) => `/console/webhooks/deliveries/${deliveryId}`],
  ['catalogue', () => '/console/catalogue'],
  ['variant', ({ variantId }) => `/console/catalogue/${variantId}`],
  ['operators', () => '/console/operators'],
  ['stuck', () => '/console/stuck'],
] as const satisfies readonly (readonly [string, (ids: RecordIds) => string])[];

const agreement = 'pricingModel=PercentageOfSale&percent=15';

export type RecordIds = Awaited<ReturnType<typeof newRecord>>;

/** One of each subject that pages show. Every text that a vendor can set begins with `text`. */
export async function newRecord(gateway: Gateway, text: string) {
  const parties = await newParties(gateway);
  const { byVendor } = parties;
  const texts = {
    rawBrandName: `${text} brand`,
    rawProductName: `${text} product`,
    rawConcentration: text.slice(0, 50),
    rawDescription: `${text} description`,
    vendorSku: `${text} sku`.slice(0, 100),
  };
  const offerId = await submitOffer(parties, { ...texts, variantId: null, barcode: null });
  const rejectedId = await submitOffer(parties, { ...texts, vendorExternalId: `${text} id` });
  const reason = `${text} reason`;
  succeeded(await parties.by('Reviewer', 'POST', `/offers/${rejectedId}/reject`, { reason }));
  const pricedId = await approvedOffer(parties, { ...texts, rawProductName: `${text} 50` });
  const price = { cost: 150, costIsVatInclusive: false };
  succeeded(await byVendor('PATCH', `/${pricedId}/cost`, price));
  const returns = await newReturnFixture(gateway);
  const returnId = await returns.returnIn('UnderInspection');
  await returns.addEvidence(returnId, 'Photo', `https://vendor.example.org/${encodeURI(text)}'"`);
  const { orderGlobalId: orderId } = await returns.takeOrder([parties.vendor.vendorId]);
  const hooks = await newWebhookFixture(gateway);
  const subscriptionId = await hooks.subscribe();
  const { deliveryId, attemptId } = await hooks.delivered(subscriptionId, 'deadLettered');
  const stoppedId = await hooks.subscribe();
  await hooks.delivered(stoppedId, 'deadLettered');
  const { sql } = gateway;
  await sql`
    update webhook_subscriptions set is_active = false,
      inactive_reason = 'Nothing but failures for too long.', failing_since = now()
    where id = ${stoppedId}`;
  await sql`update webhook_subscriptions set url = ${`https://vendor.example.org/${text} url`}`;
  await sql`
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    values (${attemptId}, '{"x-key": "[hidden]"}', ${sql.json({ 'retry-after': text })},
      ${`${text} answer`}, 40)`;
  await sql`
    update fulfilment_groups set vendor_order_id = ${text}, carrier = 'Other',
      carrier_name_other = ${text}, tracking_ref = ${text}`;
  await sql`update vendors set name = ${`${text} vendor`}`;
  const { vendorId } = parties.vendor;
  const subscription = `vendorId=${hooks.vendor.vendorId}&subscriptionId=${subscriptionId}`;
  const { id: variantId } = parties.variant;
  const ids = { vendorId, offerId, rejectedId, pricedId, returnId, orderId, deliveryId, variantId };
  const job = { action: 'approve', items: [{ offerId, expectedVersion: 99 }] };
  const jobId = textOf(succeeded(await parties.by('Reviewer', 'POST', '/review-jobs', job)), 'id');
  await runReviewJob(gateway, jobId);
  await startJob(gateway, parties.vendor, 'pushStocks', [{ offerId: pricedId, ...inStock(3) }]);
  // As if Temporal had lost the run.
  await sql`delete from outbox where subject_id = ${offerId}`;
  return { ...ids, subscription, jobId, text };
}
