import * as v from 'valibot';
import {
  deliveryAttemptResponse,
  vendorDeliveryResponse,
  webhookSubscriptionResponse,
} from '../../api/webhooks/responses/webhook.ts';
import { createOrder } from './api-calls.ts';
import { expect, waitFor } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { readDelivery, waitForAttempts } from './delivery-records.ts';
import { orderEvent, receiveEvent, receiveNext, verifyEvent } from './events.ts';

const rotatedSecret = v.object({ subscriptionId: v.string(), secret: v.string() });
const eventType = 'vendor.order.assigned';
const pathOf = (context: DemoContext) => `/api/v1/webhooks/${context.subscription.id}`;

/**
 * The vendor moves its receiver, tests it and rotates its secret; then the receiver fails, is gone
 * and returns. Returns the URL of the history of a delivery with two attempts.
 */
export async function testWebhooks(context: DemoContext): Promise<string> {
  const moved = await moveReceiver(context);
  await sendTestEvent(moved);
  const rotated = await rotateSecret(moved);
  const eventId = await failOnce(rotated);
  const { workflow } = await readDelivery(rotated, 'succeeded', eventId);
  await recoverFromGone(rotated);
  return workflow.url;
}

/** Something that the gateway sends an event about. */
const assignOrder = ({ operator, vendorId, variantId }: DemoContext) =>
  createOrder(operator, [{ vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] }]);

async function moveReceiver(context: DemoContext): Promise<DemoContext> {
  const { vendor, step } = context;
  step(
    'The vendor moves its receiver: the gateway checks the URL and sends the next attempt there',
  );
  const before = await vendor.expect(`GET ${pathOf(context)}`, webhookSubscriptionResponse);
  const put = `PUT ${pathOf(context)}`;
  await vendor.expectRefusal(put, '422 BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT', {
    body: { url: 'https://10.0.0.1/hook' },
  });
  const values = { url: `${before.url}/moved` };
  await vendor.expect(put, webhookSubscriptionResponse, { body: values, values });
  const path = `${context.subscription.path}/moved`;
  return { ...context, subscription: { ...context.subscription, path } };
}

async function sendTestEvent(context: DemoContext): Promise<void> {
  context.step('The vendor asks for a test event: the response is the result of a real delivery');
  const { idempotencyKey } = await context.vendor.expect(
    `POST ${pathOf(context)}/test-fire`,
    deliveryAttemptResponse,
    { body: { eventType }, values: { succeeded: true, attemptNumber: 1 } },
  );
  const event = await receiveEvent(context, orderEvent, 'a test event');
  expect(event.test && event.eventId === idempotencyKey, 'it is marked as a test');
}

async function rotateSecret(context: DemoContext): Promise<DemoContext> {
  context.step('The vendor rotates its secret: the next webhook verifies with the new one only');
  const old = context.subscription;
  const request = `POST ${pathOf(context)}/rotate-secret`;
  const { secret } = await context.vendor.expect(request, rotatedSecret);
  const next = { ...context, subscription: { ...old, secret } };
  await assignOrder(next);
  const received = await receiveNext(next);
  verifyEvent(next, received, orderEvent, eventType);
  expect(!isVerified(() => received.verify(old.secret)), 'the old secret verifies nothing');
  return next;
}

function isVerified(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch {
    return false;
  }
}

async function failOnce(context: DemoContext): Promise<string> {
  const { receiver, step } = context;
  step('The receiver fails once (503): the gateway retries after about five seconds');
  receiver.answerOnce(context.subscription.path, 503);
  await assignOrder(context);
  const { eventId } = await receiveEvent(context, orderEvent, 'attempt 1, answered 503');
  const second = await receiveEvent(context, orderEvent, 'attempt 2, answered 200');
  expect(eventId === second.eventId, 'both attempts have the same webhook-id');

  step('The vendor reads both attempts');
  const attempts = await waitForAttempts(context, eventId, ({ succeeded }) => succeeded);
  const found = attempts.map((item) => `${item.attemptNumber}: ${item.httpStatus ?? 0}`);
  expect(found.join(', ') === '2: 200, 1: 503', 'attempt 1 failed and attempt 2 succeeded');
  return eventId;
}

async function recoverFromGone(context: DemoContext): Promise<void> {
  const { receiver, step, vendor } = context;
  const path = pathOf(context);
  step('The receiver is gone (410): a dead letter at once, and the subscription becomes inactive');
  receiver.answerOnce(context.subscription.path, 410);
  await assignOrder(context);
  const { eventId } = await receiveEvent(context, orderEvent, 'answered 410');
  const inactive = await waitFor(
    () => vendor.expect(`GET ${path}`, webhookSubscriptionResponse),
    ({ isActive }) => !isActive,
  );
  expect(inactive.lastDeliveryStatus === 'DeadLettered', 'the subscription has the dead letter');

  step('The operator finds the dead letter, and why the subscription is inactive');
  const { subscription: found } = await readDelivery(context, 'deadLettered', eventId);
  expect(found.inactiveReason === 'The receiver answered 410 Gone.', 'the reason is the 410');

  step('The receiver is back: the vendor activates the subscription and requests a redelivery');
  const [last] = await waitForAttempts(
    context,
    eventId,
    ({ deadLetteredAt }) => deadLetteredAt !== null,
  );
  const redeliver = `POST ${path}/deliveries/${last?.id ?? ''}/redeliver`;
  await vendor.expectRefusal(redeliver, '422 BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE');
  await vendor.expect(`PATCH ${path}/active`, v.unknown(), { body: { isActive: true } });
  await vendor.expect(redeliver, vendorDeliveryResponse, {
    values: { state: 'waiting', idempotencyKey: eventId },
  });
  const again = await receiveEvent(context, orderEvent, 'redelivered');
  expect(again.eventId === eventId, 'it is the same event');
  const [newest] = await waitForAttempts(context, eventId, ({ succeeded }) => succeeded);
  expect(newest?.attemptNumber === 2, 'the redelivery is attempt 2');
}
