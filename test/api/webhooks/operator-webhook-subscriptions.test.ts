import { expect } from 'vitest';
import { newOperator } from '../support/actors.ts';
import { call, itemsOf, refusal, textOf, type Gateway } from '../support/api.ts';
import { delivered, hookUrl, newWebhookFixture } from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend(
  'staff',
  { scope: 'file' },
  async ({ gateway }) => (await newOperator(gateway, ['Operations'])).token,
);

const list = (gateway: Gateway, staff: string, query: string, token = staff) =>
  call(gateway, 'GET', `/operator/v1/webhook-subscriptions${query}`, { token });
const idsOf = async (gateway: Gateway, staff: string, query: string) =>
  itemsOf(await list(gateway, staff, query)).map((item) => item['id']);

test('a subscription is listed to the letter, with how it fares and without its secret', async ({
  gateway,
  staff,
}) => {
  const { send, vendor } = await newWebhookFixture(gateway);
  const made = await send('POST', '', { url: hookUrl, eventTypes: ['vendor.order.assigned'] });
  const { id } = (made.payload as { subscription: { id: string } }).subscription;
  await delivered(gateway.sql, vendor.vendorId, id, 'deadLettered');
  const answer = await list(gateway, staff, `?vendorId=${vendor.vendorId.toUpperCase()}`);
  const instant = expect.stringMatching(/Z$/);
  expect(answer.payload).toStrictEqual({
    items: [
      {
        id,
        vendorId: vendor.vendorId,
        url: hookUrl,
        eventTypes: ['vendor.order.assigned'],
        isActive: true,
        lastDeliveryAt: instant,
        lastDeliveryStatus: 'DeadLettered',
        createdAt: instant,
        headerNames: [],
        inactiveReason: null,
        failingSince: instant,
        deadLetters: 1,
        deletedAt: null,
      },
    ],
    pagination: { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 },
  });
  expect(answer.text).not.toMatch(/secret|whsec/i);
  expect(answer.text).not.toContain(textOf(made, 'secret').slice('whsec_'.length));
});

test('every vendor’s are listed, newest first, inactive and deleted ones with the reason', async ({
  gateway,
  staff,
}) => {
  const [one, other] = [await newWebhookFixture(gateway), await newWebhookFixture(gateway)];
  const first = await one.subscribe();
  const second = await other.subscribe();
  const third = await one.subscribe();
  await one.send('DELETE', `/${first}`);
  await one.send('PATCH', `/${third}/active`, { isActive: false });
  expect((await idsOf(gateway, staff, '?pageSize=3')).slice(0, 3)).toEqual([third, second, first]);
  const own = `?vendorId=${one.vendor.vendorId}`;
  expect(itemsOf(await list(gateway, staff, own))).toMatchObject([
    { id: third, isActive: false, inactiveReason: 'Switched off by the vendor.', deletedAt: null },
    {
      id: first,
      isActive: false,
      inactiveReason: 'Deleted by the vendor.',
      deletedAt: expect.stringMatching(/Z$/),
    },
  ]);
  expect(await idsOf(gateway, staff, `${own}&isActive=false`)).toEqual([third, first]);
  expect(await idsOf(gateway, staff, `${own}&isActive=true`)).toEqual([]);
  expect(await idsOf(gateway, staff, `?vendorId=${other.vendor.vendorId}&isActive=true`)).toEqual([
    second,
  ]);
  expect(await idsOf(gateway, staff, `${own}&pageSize=1&page=2`)).toEqual([first]);
});

test('it is for Operations, and for a query that it knows', async ({ gateway, staff }) => {
  const { token } = await newOperator(gateway, ['Reviewer']);
  expect(await list(gateway, staff, '', token)).toMatchObject(
    refusal('FORBIDDEN', { requiredRole: 'Operations' }),
  );
  expect((await list(gateway, staff, '?isActive=yes')).state).toBe(
    'VALIDATION_INVALID_QUERY_PARAMETER',
  );
  expect((await list(gateway, staff, '?vendorId=1')).state).toBe(
    'VALIDATION_INVALID_QUERY_PARAMETER',
  );
  expect(await list(gateway, staff, '?state=x')).toMatchObject({
    state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER',
    details: { allowedParameters: ['page', 'pageSize', 'vendorId', 'isActive'] },
  });
});
