import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { createCaller, expect, payloadOf, type Caller, type Print } from './caller.ts';
import type { Receiver } from './receiver.ts';

export type StoryOptions = {
  readonly apiUrl: string;
  readonly operator: { readonly operatorId: string; readonly operatorSecret: string };
  readonly receiver: Receiver;
  /** The receiver's address, as the vendor subscribes it. */
  readonly receiverUrl: string;
  readonly print: Print;
  /** Makes names unique, so that the story can be played again on the same data. */
  readonly run: string;
};

export type StoryEnd = { readonly offerWorkflowUrl: string; readonly deliveryWorkflowUrl: string };

const withId = v.object({ id: v.string() });
const token = v.object({ accessToken: v.string() });
const credential = v.object({ clientId: v.string(), clientSecret: v.string() });
const subscription = v.object({ subscription: withId, secret: v.string() });
const offer = v.object({
  id: v.string(),
  status: v.string(),
  cost: v.number(),
  inputVatAmount: v.number(),
  supplyOptionId: v.nullable(v.string()),
});
const reviewed = v.object({ status: v.string(), workflow: v.object({ url: v.string() }) });
const attempts = v.object({
  items: v.array(v.object({ idempotencyKey: v.string(), attemptNumber: v.number(), succeeded: v.boolean() })),
});
const deliveries = v.object({
  items: v.array(v.object({ eventId: v.string(), workflow: v.object({ url: v.string() }) })),
});
const event = v.object({
  eventId: v.string(),
  eventType: v.string(),
  data: v.object({ offerId: v.string(), decision: v.string() }),
});

const arrivalMs = 30_000;

/** The main job, from a vendor's token to a signed webhook. Rejects at the first step that is off. */
export async function playStory(options: StoryOptions): Promise<StoryEnd> {
  const { apiUrl, print, run } = options;
  const api = createCaller(apiUrl, print);
  const step = (text: string): void => {
    print(`\n▸ ${text}`);
  };
  const operatorToken = await logInOperator(api, options, step);
  const { vendorToken, variantId } = await onboardVendor(api, operatorToken, run, step);

  step('The vendor subscribes its receiver to review decisions');
  const subscribed = payloadOf(
    await api.call(
      'POST',
      '/api/v1/webhooks',
      { url: options.receiverUrl, eventTypes: ['vendor.offer.review-decision'] },
      vendorToken,
    ),
    201,
    subscription,
  );
  const offerId = await submitOffer(api, vendorToken, run, step);

  step('A reviewer finds it in the queue and approves it with a match: an Update on its workflow');
  const queue = '/operator/v1/offers?awaitingDecision=true&pageSize=1';
  expect((await api.call('GET', queue, undefined, operatorToken)).status === 200, 'the queue answers');
  const approve = `/operator/v1/offers/${offerId}/approve`;
  const approved = payloadOf(await api.call('POST', approve, { variantId }, operatorToken), 200, reviewed);
  expect(approved.status === 'Approved', 'the offer is approved');

  step('The decision arrives at the receiver, signed (Standard Webhooks)');
  const received = await options.receiver.next(arrivalMs);
  const arrived = v.parse(event, received.verify(subscribed.secret));
  print(`    ${received.headers['webhook-id'] ?? ''}: ${arrived.data.decision}, signature verified`);
  expect(arrived.data.offerId === offerId, 'the event is about this offer');
  expect(received.headers['webhook-id'] === arrived.eventId, 'webhook-id is the eventId');

  const deliveryWorkflowUrl = await readDeliveries(api, {
    vendorToken,
    operatorToken,
    subscriptionId: subscribed.subscription.id,
    eventId: arrived.eventId,
    step,
  });
  return { offerWorkflowUrl: approved.workflow.url, deliveryWorkflowUrl };
}

type Step = (text: string) => void;

async function logInOperator(api: Caller, { operator }: StoryOptions, step: Step): Promise<string> {
  step('An operator logs in');
  return payloadOf(await api.call('POST', '/operator/v1/auth/token', operator), 200, token).accessToken;
}

async function onboardVendor(api: Caller, operatorToken: string, run: string, step: Step) {
  step('The operator adds a vendor, its first credential, and a variant of the catalog');
  const vendor = { name: `Maison Dahab ${run}`, pricingModel: 'CostPlusMargin', markupPercent: 25 };
  const { id } = payloadOf(
    await api.call('POST', '/operator/v1/vendors', vendor, operatorToken),
    201,
    withId,
  );
  const wish = { environment: 'Production', capabilities: 'Offers, Orders' };
  const path = `/operator/v1/vendors/${id}/credentials`;
  const issued = payloadOf(await api.call('POST', path, wish, operatorToken), 201, credential);
  const variant = {
    sku: `OUD-50-${run}`,
    brandName: 'Maison Dahab',
    productName: 'Oud 50',
    barcode: '4006381333931',
  };
  const made = payloadOf(
    await api.call('POST', '/operator/v1/variants', variant, operatorToken),
    201,
    withId,
  );

  step('The vendor exchanges its credential for a token');
  const { clientId, clientSecret } = issued;
  const granted = payloadOf(
    await api.call('POST', '/api/v1/auth/token', { clientId, clientSecret }),
    200,
    token,
  );
  return { vendorToken: granted.accessToken, variantId: made.id };
}

async function submitOffer(api: Caller, vendorToken: string, run: string, step: Step): Promise<string> {
  const path = '/api/v1/scent/offers';
  const body = {
    vendorExternalId: `oud-50-${run}`,
    rawBrandName: 'Maison Dahab',
    rawProductName: 'Oud 50',
    cost: 1000,
    costIsVatInclusive: true,
    declaredStockQuantity: 12,
  };
  step('The vendor submits an offer, cost entered with VAT');
  const created = payloadOf(await api.call('POST', path, body, vendorToken), 201, offer);
  expect(created.status === 'PendingMatch', 'it waits for a match');
  expect(created.cost === 869.57 && created.inputVatAmount === 130.43, '1000.00 is 869.57 + 130.43');

  step('The same call again answers the same offer, and makes no second one');
  const again = payloadOf(await api.call('POST', path, body, vendorToken), 200, offer);
  expect(again.id === created.id, 'it is the same offer');

  step('A mistake gets a clear error and changes nothing');
  const refused = await api.call('POST', path, { ...body, cost: 10.005 }, vendorToken);
  expect(refused.status === 400, 'a third decimal is refused');
  return created.id;
}

async function readDeliveries(
  api: Caller,
  options: {
    readonly vendorToken: string;
    readonly operatorToken: string;
    readonly subscriptionId: string;
    readonly eventId: string;
    readonly step: Step;
  },
): Promise<string> {
  const { vendorToken, operatorToken, subscriptionId, eventId, step } = options;
  step('The vendor reads the delivery attempts');
  const path = `/api/v1/webhooks/${subscriptionId}/deliveries`;
  // The receiver has the event a moment before its attempt is recorded.
  for (const deadline = Date.now() + arrivalMs; ;) {
    const listed = payloadOf(await api.call('GET', path, undefined, vendorToken), 200, attempts);
    const [attempt] = listed.items;
    expect(listed.items.length === 1 && attempt?.idempotencyKey === eventId, 'one attempt, of this event');
    if (attempt?.succeeded === true) break;
    expect(Date.now() < deadline, 'the attempt is recorded as a success');
    await delay(100);
  }
  step('The operator finds the delivery and its history');
  const all = '/operator/v1/webhook-deliveries?state=succeeded&pageSize=1';
  const listed = payloadOf(await api.call('GET', all, undefined, operatorToken), 200, deliveries);
  const delivery = listed.items.find((item) => item.eventId === eventId);
  expect(delivery !== undefined, 'the newest succeeded delivery is this one');
  return delivery?.workflow.url ?? '';
}
