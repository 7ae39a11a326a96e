import { expect } from 'vitest';
import { openHeaders } from '../../../../security/webhook-headers.ts';
import { fieldErrorsOf, type Answer, type Gateway } from '../../support/api.ts';
import { hookUrl, newWebhookFixture } from '../webhook-fixture.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';

// Custom headers of a subscription (D97).

const eventTypes = ['vendor.order.assigned'];
const value = 'Bearer a-value-that-no-answer-has';
const headers = [
  { name: 'Authorization', value },
  { name: 'x-tenant', value: 't-17' },
];

const subscriptionOf = (answer: Answer) =>
  (answer.payload as { subscription: Record<string, unknown> }).subscription;

/** What the row has, opened. */
async function stored({ sql, dependencies }: Gateway, id: string) {
  const [row] = await sql<{ names: string[]; sealed: Uint8Array | null; row: string }[]>`
    select header_names as names, headers_sealed as sealed, webhook_subscriptions::text as row
    from webhook_subscriptions where id = ${id}`;
  if (row === undefined) throw new Error('no such subscription');
  return { ...row, headers: openHeaders(dependencies.sealer, row.sealed, id) };
}

test('custom headers are stored sealed, and only their names are answered', async ({ gateway }) => {
  const { send, vendor } = await newWebhookFixture(gateway);
  const made = await send('POST', '', { url: hookUrl, eventTypes, headers });
  expect(made.status).toBe(201);
  const { id, headerNames } = subscriptionOf(made);
  expect(headerNames).toEqual(['authorization', 'x-tenant']);
  const row = await stored(gateway, String(id));
  expect(row.headers).toEqual({ authorization: value, 'x-tenant': 't-17' });
  const [{ entries }] = await gateway.sql<[{ entries: string }]>`
    select string_agg(audit_log::text, ',') as entries from audit_log
    where subject_id = ${String(id)}`;
  const list = await send('GET', '');
  const read = await send('GET', `/${String(id)}`);
  expect(read.payload).toMatchObject({ headerNames: ['authorization', 'x-tenant'] });
  for (const text of [made.text, read.text, list.text, row.row, entries])
    expect(text).not.toContain('no-answer-has');
  expect(entries).toContain('x-tenant');
  expect(vendor.vendorId).toBe(read.payload?.['vendorId']);
});

test('an update keeps headers, replaces them, or removes them by null or an empty list', async ({
  gateway,
}) => {
  const { send } = await newWebhookFixture(gateway);
  const { id } = subscriptionOf(await send('POST', '', { url: hookUrl, eventTypes, headers }));
  const put = (body: object) => send('PUT', `/${String(id)}`, body);
  const namesAfter = async (body: object) => (await put(body)).payload?.['headerNames'];
  const now = async () => (await stored(gateway, String(id))).headers;
  expect(await namesAfter({ eventTypes })).toEqual(['authorization', 'x-tenant']);
  expect(await now()).toEqual({ authorization: value, 'x-tenant': 't-17' });
  expect(await namesAfter({ headers: [{ name: 'x-new', value: '1' }] })).toEqual(['x-new']);
  expect(await now()).toEqual({ 'x-new': '1' });
  for (const none of [null, []]) {
    await put({ headers: [{ name: 'x-new', value: '1' }] });
    expect(await namesAfter({ headers: none })).toEqual([]);
    expect(await now()).toEqual({});
  }
});

test('a URL of another origin gets the values of the headers only if they are sent again', async ({
  gateway,
}) => {
  const { send } = await newWebhookFixture(gateway);
  const { id } = subscriptionOf(await send('POST', '', { url: hookUrl, eventTypes, headers }));
  const put = (body: object) => send('PUT', `/${String(id)}`, body);
  const url = 'https://another.example.org/hook';
  const refused = await put({ url });
  expect([refused.status, fieldErrorsOf(refused)]).toEqual([400, ['Headers required']]);
  expect((await send('GET', `/${String(id)}`)).payload).toMatchObject({ url: hookUrl });
  // Another path of the same receiver.
  expect((await put({ url: `${hookUrl}/2` })).status).toBe(200);
  expect((await put({ url, headers })).payload).toMatchObject({
    url,
    headerNames: ['authorization', 'x-tenant'],
  });
  expect((await put({ url: hookUrl, headers: null })).payload).toMatchObject({ headerNames: [] });
  expect((await put({ url })).status).toBe(200);
});

test('a deleted subscription has no headers', async ({ gateway }) => {
  const { send } = await newWebhookFixture(gateway);
  const { id } = subscriptionOf(await send('POST', '', { url: hookUrl, eventTypes, headers }));
  await send('DELETE', `/${String(id)}`);
  expect((await stored(gateway, String(id))).sealed).toBeNull();
});

const reserved = [
  'webhook-id',
  'Webhook-Signature',
  'webhook-anything',
  'Host',
  'content-type',
  'Content-Length',
  'user-agent',
  'accept-encoding',
  'traceparent',
  'connection',
  'keep-alive',
  'Transfer-Encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'cookie',
  'proxy-authorization',
  'via',
  'x-forwarded-for',
];
test.for([
  ...reserved.map((name) => [{ name, value: 'v' }, 'Headers[0].Name reserved'] as const),
  ...['a b', 'a:', 'é', 'a\r\nb', '"a"'].map(
    (name) => [{ name, value: 'v' }, 'Headers[0].Name invalid_header_name'] as const,
  ),
  [{ name: 'a'.repeat(101), value: 'v' }, 'Headers[0].Name too_long'],
  ...['a\r\nx: y', 'a\n', '\t', 'é', '', ' a', 'a ', 'a\u007f', 'a\u0000'].map(
    (text) => [{ name: 'x-a', value: text }, 'Headers[0].Value invalid_header_value'] as const,
  ),
  [{ name: 'x-a', value: 'v'.repeat(1025) }, 'Headers[0].Value too_long'],
  [{ name: 'x-a' }, 'Headers[0].Value required'],
  [{ name: 'x-a', value: 1 }, 'Headers[0].Value invalid_type'],
] as const)('the header %j is refused: %s', async ([header, error], { gateway }) => {
  const { send, subscribe } = await newWebhookFixture(gateway);
  const id = await subscribe();
  for (const answer of [
    await send('POST', '', { url: hookUrl, eventTypes, headers: [header] }),
    await send('PUT', `/${id}`, { headers: [header] }),
  ]) {
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toContain(error);
  }
});

test('six headers are too many, and a name twice, in any letter case, is a duplicate', async ({
  gateway,
}) => {
  const { send } = await newWebhookFixture(gateway);
  const six = Array.from({ length: 6 }, (_, place) => ({ name: `x-${place}`, value: 'v' }));
  const made = (given: unknown) => send('POST', '', { url: hookUrl, eventTypes, headers: given });
  expect(fieldErrorsOf(await made(six))).toEqual(['Headers too_many']);
  expect((await made(six.slice(1))).status).toBe(201);
  const twice = [
    { name: 'x-a', value: '1' },
    { name: 'X-A', value: '2' },
  ];
  expect(fieldErrorsOf(await made(twice))).toEqual(['Headers duplicate']);
});
