import { expect } from 'vitest';
import { openHeaders } from '../../../../security/webhook-headers.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { fieldErrorsOf, type Gateway } from '../../support/api.ts';
import { hookUrl, newWebhookFixture, subscriptionIdOf } from '../webhook-fixture.ts';

// Custom headers of a subscription (D97). Names and values have their cases in
// `../webhook-body.test.ts`.

const eventTypes = ['vendor.order.assigned'];
const value = 'Bearer a-value-that-no-answer-has';
const headers = [
  { name: 'Authorization', value },
  { name: 'x-tenant', value: 't-17' },
];
const headerNames = ['authorization', 'x-tenant'];

/** A subscription with headers. */
const test = gatewayTest.extend('subscribed', async ({ gateway }) => {
  const { send } = await newWebhookFixture(gateway);
  const made = await send('POST', '', { url: hookUrl, eventTypes, headers });
  const id = subscriptionIdOf(made);
  return { send, made, id, put: (body: object) => send('PUT', `/${id}`, body) };
});

/** What the row has, opened. */
async function stored({ sql, dependencies }: Gateway, id: string) {
  const [row] = await sql<[{ sealed: Uint8Array | null; text: string }]>`
    select headers_sealed as sealed, webhook_subscriptions::text as text
    from webhook_subscriptions where id = ${id}`;
  return { ...row, headers: openHeaders(dependencies.sealer, row.sealed, id) };
}

test('stores headers sealed, and answers their names only', async ({
  gateway,
  subscribed: { send, made, id },
}) => {
  expect(made).toMatchObject({ status: 201, payload: { subscription: { headerNames } } });
  const row = await stored(gateway, id);
  expect(row.headers).toEqual({ authorization: value, 'x-tenant': 't-17' });
  const [{ entries }] = await gateway.sql<[{ entries: string }]>`
    select string_agg(audit_log::text, ',') as entries from audit_log where subject_id = ${id}`;
  const [list, read] = [await send('GET', ''), await send('GET', `/${id}`)];
  expect(read.payload).toMatchObject({ headerNames });
  for (const text of [made.text, read.text, list.text, row.text, entries])
    expect(text).not.toContain('no-answer-has');
  expect(entries).toContain('x-tenant');
});

test('an update keeps headers, replaces them, or removes them by null or an empty list', async ({
  gateway,
  subscribed: { id, put },
}) => {
  const now = async () => (await stored(gateway, id)).headers;
  expect((await put({ eventTypes })).payload).toMatchObject({ headerNames });
  expect(await now()).toEqual({ authorization: value, 'x-tenant': 't-17' });
  for (const none of [null, []]) {
    const given = await put({ headers: [{ name: 'X-New', value: '1' }] });
    expect(given.payload).toMatchObject({ headerNames: ['x-new'] });
    expect(await now()).toEqual({ 'x-new': '1' });
    expect((await put({ headers: none })).payload).toMatchObject({ headerNames: [] });
    expect(await now()).toEqual({});
  }
});

test('sends stored values to another origin only after they are sent again', async ({
  subscribed: { send, id, put },
}) => {
  const url = 'https://another.example.org/hook';
  const refused = await put({ url });
  expect([refused.status, fieldErrorsOf(refused)]).toEqual([400, ['Headers required']]);
  expect((await send('GET', `/${id}`)).payload).toMatchObject({ url: hookUrl });
  // Another path of the same receiver.
  expect((await put({ url: `${hookUrl}/2` })).status).toBe(200);
  expect((await put({ url, headers })).payload).toMatchObject({ url, headerNames });
  expect((await put({ url: hookUrl, headers: null })).payload).toMatchObject({ headerNames: [] });
  expect((await put({ url })).status).toBe(200);
});

test('refuses a misshapen header of create and update with 400', async ({
  subscribed: { send, put },
}) => {
  const wrong = { headers: [{ name: 'Host', value: '' }] };
  for (const answer of [
    await send('POST', '', { url: hookUrl, eventTypes, ...wrong }),
    await put(wrong),
  ]) {
    expect(answer.status).toBe(400);
    expect(fieldErrorsOf(answer)).toEqual([
      'Headers[0].Name reserved',
      'Headers[0].Value invalid_header_value',
    ]);
  }
});

test('deletes the headers with their subscription', async ({
  gateway,
  subscribed: { send, id },
}) => {
  await send('DELETE', `/${id}`);
  expect((await stored(gateway, id)).sealed).toBeNull();
});
