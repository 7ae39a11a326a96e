import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { createSealer } from '../../../security/sealer.ts';
import { sealHeaders } from '../../../security/webhook-headers.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { call, gatewayOver, itemsOf, textOf } from '../../support/api/api.ts';
import { tokenOf } from '../../api/upcoming/upcoming-fixture.ts';
import { expectNoSecret } from '../../support/webhooks/delivery.ts';
import { deliveryTest } from '../../support/webhooks/delivery-test.ts';
import { status } from '../../support/webhooks/receiver.ts';

const test = deliveryTest({
  WEBHOOK_RUNS_PER_SECOND: '1000',
  WEBHOOK_RETRY_DELAYS_MS: '50,50',
}).extend('api', { scope: 'file' }, ({ gateway }) =>
  gatewayOver(gateway.sql, { testFires: createTestFires(gateway.sql, 5000) }),
);

test('shows a vendor answers without secrets, and stores those that have a body', async ({
  gateway,
  api,
  receiver,
  fixture,
}) => {
  const { sql, config } = gateway;
  const { id } = fixture.subscription;
  const sealed = sealHeaders(createSealer(config.SECRETS_KEY), { 'x-tenant': 'hush-hush' }, id);
  await sql`update webhook_subscriptions set headers_sealed = ${sealed} where id = ${id}`;
  // A receiver that shows what it got, as many do on errors.
  receiver.answerWith((response) => {
    response
      .writeHead(500, { 'content-type': 'application/json' })
      .end(JSON.stringify({ reason: 'out of paper', got: receiver.requests.at(-1)?.headers }));
  });
  const delivery = await fixture.ended(await fixture.emit());
  expect(delivery).toMatchObject({ state: 'deadLettered', attempts: 3 });
  const token = tokenOf(api, fixture.vendorId);
  const url = `/api/v1/webhooks/${id}`;
  await call(api, 'POST', `${url}/test-fire`, { token, body: { eventType: delivery.eventType } });

  const items = itemsOf(await call(api, 'GET', `${url}/deliveries`, { token }));
  expect(items).toHaveLength(4);
  for (const item of items) {
    const read = await call(api, 'GET', `${url}/deliveries/${String(item['id'])}`, { token });
    const { answer, request } = read.payload as {
      answer: { body: string };
      request: { headers: object[]; body: string };
    };
    const sent = receiver.requests.find(
      ({ headers }) => headers['webhook-id'] === item['idempotencyKey'],
    );
    expect(answer.body).toContain('out of paper');
    expect(request.body).toBe(sent?.body);
    expect(request.headers).toContainEqual({ name: 'x-tenant', value: '[hidden]' });
    for (const { headers } of receiver.requests) {
      expect(read.text).not.toContain(String(headers['webhook-signature']));
      expect(headers['x-tenant']).toBe('hush-hush');
    }
    expect(read.text).not.toContain('hush-hush');
  }
  const texts = ['out of paper', 'hush-hush'];
  await expectNoSecret(gateway.client, webhookDeliveryId(delivery.id), delivery.id, texts);

  const stored = async () => (await sql`select from webhook_answers`).length;
  receiver.answerWith(status(204));
  await fixture.settled(await fixture.emit());
  expect(await stored()).toBe(4);
  receiver.answerWith((response) => response.writeHead(200).end('thanks'));
  await fixture.settled(await fixture.emit());
  expect(await stored()).toBe(5);
});

// `test/api/webhooks/test-fire.test.ts` has samples that no relay sends in time.
test.for([
  [200, true, 'Success'],
  [503, false, 'Failed'],
] as const)(
  'sends a signed sample once, and returns its result: %i, succeeded: %s',
  async ([httpStatus, succeeded, lastDeliveryStatus], { api, receiver, fixture }) => {
    receiver.answerWith(status(httpStatus));
    const { vendorId, subscription } = fixture;
    const token = tokenOf(api, vendorId);
    const url = `/api/v1/webhooks/${subscription.id}`;
    const eventType = 'vendor.offer.review-decision';
    const response = await call(api, 'POST', `${url}/test-fire`, { token, body: { eventType } });
    const payload = { attemptNumber: 1, httpStatus, succeeded, deadLetteredAt: null };
    expect(response).toMatchObject({ status: 200, payload });
    expect(response.payload?.['nextAttemptAt']).toBe(response.payload?.['sentAt']);
    const eventId = textOf(response, 'idempotencyKey');
    const requests = receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId);
    expect(requests).toHaveLength(1);
    const [{ body, headers } = expect.unreachable()] = requests;
    const sample = new Webhook(subscription.secret).verify(body, headers as Record<string, string>);
    expect(sample).toMatchObject({ eventId, eventType, test: true, vendorId });
    const listed = await call(api, 'GET', `${url}/deliveries`, { token });
    expect(itemsOf(listed)).toEqual([response.payload]);
    expect((await call(api, 'GET', url, { token })).payload).toMatchObject({ lastDeliveryStatus });
  },
);
