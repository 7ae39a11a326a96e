import { eventArrives, nextOfThisRun, verified } from './arrival.ts';
import { expect, expectRefusal, payloadOf } from './caller.ts';
import { attemptsAt, deliveryOf, takesEffect } from './delivery-record.ts';
import { createOrder } from './order.ts';
import { orderEvent } from './shipping-forms.ts';
import type { Stage } from './stage.ts';
import { attempt, redelivered, rotated, subscription } from './webhook-forms.ts';

/** Where the history of a delivery is that took two attempts. */
export type RetriedDelivery = { readonly workflowUrl: string };

const assigned = 'vendor.order.assigned';

/** What becomes of a subscription: moved, tried, its secret replaced, its receiver failing, gone, and back. */
export async function tryWebhooks(stage: Stage): Promise<RetriedDelivery> {
  const moved = await moveReceiver(stage);
  await sendSample(moved);
  const rotatedStage = await rotateSecret(moved);
  const eventId = await failOnce(rotatedStage);
  const { workflow } = await deliveryOf(rotatedStage, 'succeeded', eventId);
  await goAndComeBack(rotatedStage);
  return { workflowUrl: workflow.url };
}

async function moveReceiver(stage: Stage): Promise<Stage> {
  stage.step('The vendor moves its receiver: the URL is judged anew, the next attempt goes there');
  const { id, path } = stage.subscription;
  const here = `/api/v1/webhooks/${id}`;
  const { url } = payloadOf(await stage.asVendor('GET', here), 200, subscription);
  const bad = { url: 'https://10.0.0.1/hook' };
  const refused = await stage.asVendor('PUT', here, bad);
  expectRefusal(refused, 422, 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT');
  const changed = payloadOf(
    await stage.asVendor('PUT', here, { url: `${url}/moved` }),
    200,
    subscription,
  );
  expect(changed.url === `${url}/moved`, 'it has the new URL');
  return { ...stage, subscription: { ...stage.subscription, path: `${path}/moved` } };
}

async function sendSample(stage: Stage): Promise<void> {
  stage.step(
    'The vendor asks for a sample: through the real path, and the answer is what became of it',
  );
  const answer = await stage.asVendor(
    'POST',
    `/api/v1/webhooks/${stage.subscription.id}/test-fire`,
    {
      eventType: assigned,
    },
  );
  const made = payloadOf(answer, 200, attempt);
  expect(made.succeeded && made.attemptNumber === 1, 'the receiver took it');
  const { eventId, test } = await eventArrives(stage, orderEvent, () => 'a sample');
  expect(
    test && eventId === made.idempotencyKey,
    'it is marked as a test, and is the one answered',
  );
}

async function rotateSecret(stage: Stage): Promise<Stage> {
  stage.step('The vendor replaces its secret: the next webhook verifies with the new one alone');
  const { id, secret: before } = stage.subscription;
  const answer = await stage.asVendor('POST', `/api/v1/webhooks/${id}/rotate-secret`);
  const { secret } = payloadOf(answer, 200, rotated);
  const next = { ...stage, subscription: { ...stage.subscription, secret } };
  await assignOrder(next);
  const received = await nextOfThisRun(next);
  verified(next, received, orderEvent, () => assigned);
  expect(!isVerified(() => received.verify(before)), 'the secret from before verifies nothing');
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

async function failOnce(stage: Stage): Promise<string> {
  const { receiver, step } = stage;
  step('The receiver fails once (503): the event comes again by itself, some five seconds later');
  receiver.answerOnce(stage.subscription.path, 503);
  await assignOrder(stage);
  const first = await eventArrives(stage, orderEvent, () => 'attempt 1, answered 503');
  const second = await eventArrives(stage, orderEvent, () => 'attempt 2, answered 200');
  expect(
    first.eventId === second.eventId,
    'the same webhook-id: a receiver that has it drops the second',
  );

  step('The vendor reads both attempts');
  const attempts = await attemptsAt(stage, first.eventId, (newest) => newest.succeeded);
  const story = attempts.map(
    ({ attemptNumber, httpStatus }) => `${attemptNumber}: ${httpStatus ?? 0}`,
  );
  expect(story.join(', ') === '2: 200, 1: 503', 'attempt 1 failed, attempt 2 did not');
  return first.eventId;
}

async function goAndComeBack(stage: Stage): Promise<void> {
  const { receiver, step, asVendor } = stage;
  const here = `/api/v1/webhooks/${stage.subscription.id}`;
  step(
    'The receiver says that it is gone (410): a dead letter at once, and the subscription is switched off',
  );
  receiver.answerOnce(stage.subscription.path, 410);
  await assignOrder(stage);
  const { eventId } = await eventArrives(stage, orderEvent, () => 'answered 410');
  const off = await takesEffect(
    async () => payloadOf(await asVendor('GET', here), 200, subscription),
    ({ isActive }) => !isActive,
  );
  expect(off.lastDeliveryStatus === 'DeadLettered', 'the subscription tells of it');

  step('The operator finds the dead letter, and why the subscription is off');
  const { subscription: standing } = await deliveryOf(stage, 'deadLettered', eventId);
  expect(standing.inactiveReason === 'The receiver answered 410 Gone.', 'the reason is the 410');

  step(
    'The vendor has its receiver back: it activates the subscription and asks for the dead letter again',
  );
  const [last] = await attemptsAt(stage, eventId, ({ deadLetteredAt }) => deadLetteredAt !== null);
  const redeliver = `${here}/deliveries/${last?.id ?? ''}/redeliver`;
  const tooEarly = await asVendor('POST', redeliver);
  expectRefusal(tooEarly, 422, 'BUSINESS_VENDOR_WEBHOOK_DELIVERY_NOT_REDELIVERABLE');
  expect(
    (await asVendor('PATCH', `${here}/active`, { isActive: true })).status === 200,
    'it is active',
  );
  const again = payloadOf(await asVendor('POST', redeliver), 200, redelivered);
  expect(
    again.state === 'waiting' && again.idempotencyKey === eventId,
    'it waits for its next attempt',
  );
  const { eventId: came } = await eventArrives(stage, orderEvent, () => 'redelivered');
  expect(came === eventId, 'it is the same event');
  const [newest] = await attemptsAt(stage, eventId, ({ succeeded }) => succeeded);
  expect(newest?.attemptNumber === 2, 'its attempts are numbered on');
}

/** Something to tell the vendor of. */
async function assignOrder(stage: Stage): Promise<void> {
  const { vendorId, variantId } = stage;
  await createOrder(stage, [
    { vendorId, carrier: 'CarrierA', lines: [{ variantId, quantity: 1 }] },
  ]);
}
