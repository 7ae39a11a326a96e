import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, unknownId } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { attempt, delivered, emit, newWebhookFixture } from './webhook-fixture.ts';

// What operators read of a delivery beside its list, and of the health of a subscription.

const test = gatewayTest
  .extend('operator', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Operations']))
  .extend(
    'read',
    ({ gateway, operator }) =>
      (path: string) =>
        call(gateway, 'GET', `/operator/v1/webhook-${path}`, operator),
  )
  .extend('fixture', ({ gateway }) => newWebhookFixture(gateway))
  .extend('id', ({ fixture }) => fixture.subscribe());

test('tells a dead letter that was recovered from one that was not', async ({
  gateway,
  operator,
  read,
  fixture: { vendor },
  id,
}) => {
  const { sql } = gateway;
  const { deliveryId: recovered } = await delivered(sql, vendor.vendorId, id, 'deadLettered');
  const redeliver = `/operator/v1/webhook-deliveries/${recovered}/redeliver`;
  await call(gateway, 'POST', redeliver, operator);
  const { deliveryId: dead } = await delivered(sql, vendor.vendorId, id, 'deadLettered');
  const waiting = await emit(sql, vendor.vendorId, id);
  await attempt(sql, waiting, 'waiting');
  const failed = { lastHttpStatus: 503, lastErrorSummary: 'http_status 503' };
  const list = await read(`deliveries?vendorId=${vendor.vendorId}`);
  expect(itemsOf(list)).toMatchObject([
    { id: waiting, recoveredFrom: null, nextAttemptAt: instant, ...failed },
    { id: dead, state: 'deadLettered', deadLetteredAt: instant, recoveredFrom: null, ...failed },
    { id: recovered, state: 'waiting', deadLetteredAt: null, recoveredFrom: instant, ...failed },
  ]);
  const subscriptions = `subscriptions?vendorId=${vendor.vendorId}`;
  expect(itemsOf(await read(subscriptions))).toMatchObject([
    { id, deadLetters: 2, unrecovered: 1, failingSince: instant, ...failed },
  ]);
  await attempt(sql, recovered, 'succeeded');
  expect((await read(`deliveries/${recovered.toUpperCase()}`)).payload).toMatchObject({
    id: recovered,
    state: 'succeeded',
    recoveredFrom: instant,
    lastHttpStatus: 200,
    lastErrorSummary: null,
  });
  expect(itemsOf(await read(subscriptions))).toMatchObject([
    { deadLetters: 0, unrecovered: 1, failingSince: null, lastHttpStatus: 200 },
  ]);
});

test('the latest error of a subscription is that of its receiver, not of its deactivation', async ({
  gateway: { sql },
  read,
  fixture: { vendor, send },
  id,
}) => {
  await delivered(sql, vendor.vendorId, id, 'waiting');
  for (let count = 0; count < 3; count += 1) await emit(sql, vendor.vendorId, id);
  await send('PATCH', `/${id}/active`, { isActive: false });
  expect(itemsOf(await read(`subscriptions?vendorId=${vendor.vendorId}`))).toMatchObject([
    { lastHttpStatus: 503, lastErrorSummary: 'http_status 503', unrecovered: 0 },
  ]);
});

test('lists the attempts of a delivery with what was sent and answered', async ({
  gateway: { sql },
  read,
  fixture: { vendor, send },
  id,
}) => {
  const { deliveryId, attemptId } = await delivered(sql, vendor.vendorId, id, 'waiting');
  const second = await attempt(sql, deliveryId, 'succeeded');
  await delivered(sql, vendor.vendorId, id, 'succeeded');
  await sql`
    insert into webhook_answers (attempt_id, request_headers, headers, body, body_bytes)
    values (${attemptId}, '{"x-key": "[hidden]"}', '{"retry-after": "1"}', 'busy', 4)`;
  const answer = await read(`deliveries/${deliveryId}/attempts`);
  expect(itemsOf(answer)).toMatchObject([
    { id: second, attemptNumber: 2, httpStatus: 200, answer: null },
    { id: attemptId, attemptNumber: 1, answer: { body: 'busy', bodyBytes: 4 } },
  ]);
  const ofVendor = await send('GET', `/${id}/deliveries/${attemptId}`);
  expect(itemsOf(answer)[1]).toStrictEqual(ofVendor.payload);
  expect(answer.text).not.toMatch(/webhook-signature|whsec/);
  const last = await read(`deliveries/${deliveryId}/attempts?pageSize=1&page=2`);
  expect(itemsOf(last)).toMatchObject([{ id: attemptId }]);
});

test('an unknown delivery is 404', async ({ read }) => {
  for (const path of [unknownId(), '1', `${unknownId()}/attempts`])
    expect(await read(`deliveries/${path}`)).toMatchObject(
      refusal('NOT_FOUND_VENDOR_WEBHOOK_DELIVERY'),
    );
});
