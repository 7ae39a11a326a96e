import { expect, test } from 'vitest';
import { bodyErrors, parseBody } from '../../../api/validation/compiler.ts';
import { recoverBody } from '../../../api/webhooks/operator-webhooks.ts';
import { createWebhookBody, updateWebhookBody } from '../../../api/webhooks/webhook-body.ts';

// The bodies of webhooks: subscriptions, their custom headers (D97) and recoveries. The URL that
// the guardrail judges has its cases in `test/guardrail/url`, a switch in `account-body.test.ts`.

const url = 'https://vendor.example.org/hook';
const orders = 'vendor.order.assigned';
const reviews = 'vendor.offer.review-decision';
const eventTypes = [orders, reviews];
const id = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const since = '2026-01-01T00:00:00Z';

type Case = readonly [body: unknown, errors: readonly string[]];

const errorsOf = (schema: Parameters<typeof bodyErrors>[0], body: unknown): readonly string[] =>
  bodyErrors(schema, body).map(({ path, code }) => `${path} ${code}`);

const ofEither: readonly Case[] = [
  [{ url, eventTypes }, []],
  [{ url, eventTypes: [] }, ['/eventTypes required']],
  [{ url, eventTypes: orders }, ['/eventTypes invalid_type']],
  [
    { url, eventTypes: [orders, 'nope', 5] },
    ['/eventTypes/1 not_allowed', '/eventTypes/2 not_allowed'],
  ],
  [{ url, eventTypes: ['Vendor.Order.Assigned'] }, ['/eventTypes/0 not_allowed']],
  [{ url, eventTypes: [orders, orders] }, ['/eventTypes duplicate']],
  // A list that is too long is judged by its length alone.
  [{ url, eventTypes: Array.from({ length: 101 }, () => orders) }, ['/eventTypes too_long']],
  [{ url, eventTypes: Array.from({ length: 100 }, () => orders) }, ['/eventTypes duplicate']],
  [{ url: 5, eventTypes }, ['/url invalid_type']],
  ...['', 'vendor.example.org/hook', '/hook', 'not a url'].map((text): Case => [
    { url: text, eventTypes },
    ['/url invalid_url'],
  ]),
  [{ url: url.padEnd(2049, 'x'), eventTypes }, ['/url too_long']],
  [{ url: url.padEnd(2048, 'x'), eventTypes }, []],
  [{ url: `${url}\0`, eventTypes }, ['/url invalid_characters']],
  [{ url: `${url}\uD800`, eventTypes }, ['/url invalid_characters']],
  [
    { url, eventTypes, secret: 'mine', isActive: true },
    ['/isActive unknown_field', '/secret unknown_field'],
  ],
];

test.each<Case>([
  ...ofEither,
  [{}, ['/url required', '/eventTypes required']],
  [{ url: null, eventTypes: null }, ['/url invalid_type', '/eventTypes invalid_type']],
  [{ url, eventTypes, headers: null, ping: null }, []],
  [{ url, eventTypes, ping: 'yes' }, ['/ping invalid_type']],
])('judges body %# of create-webhook', (body, errors) => {
  expect(errorsOf(createWebhookBody, body).toSorted()).toEqual(errors.toSorted());
});

test.each<Case>([
  ...ofEither,
  [{}, []],
  [{ url: null, eventTypes: null, headers: null }, []],
  [{ url, eventTypes, ping: true }, ['/ping unknown_field']],
])('judges body %# of update-webhook', (body, errors) => {
  expect(errorsOf(updateWebhookBody, body).toSorted()).toEqual(errors.toSorted());
});

const header = (name: string, value: unknown = 'v') => ({ name, value });
const reserved =
  'webhook-id Webhook-Signature webhook-anything Host content-type Content-Length user-agent ' +
  'accept-encoding traceparent connection keep-alive Transfer-Encoding te trailer upgrade expect ' +
  'cookie proxy-authorization via x-forwarded-for';
const distinct = (count: number) =>
  Array.from({ length: count }, (_, index) => header(`x-${index}`));

test.each<Case>([
  ...reserved.split(' ').map((name): Case => [[header(name)], ['/headers/0/name reserved']]),
  ...['', 'a b', 'a:', 'é', 'a\r\nb', '"a"'].map((name): Case => [
    [header(name)],
    ['/headers/0/name invalid_header_name'],
  ]),
  [[header('a'.repeat(101))], ['/headers/0/name too_long']],
  ...['a\r\nx: y', 'a\n', '\t', 'é', '', ' a', 'a ', 'a\u007f', 'a\0'].map((text): Case => [
    [header('x-a', text)],
    ['/headers/0/value invalid_header_value'],
  ]),
  [[header('a'.repeat(100), 'v'.repeat(1024))], []],
  [[header('x-a', 'v'.repeat(1025))], ['/headers/0/value too_long']],
  [
    [header('x-a', 1), { name: 'x-b' }],
    ['/headers/0/value invalid_type', '/headers/1/value required'],
  ],
  [[], []],
  [distinct(5), []],
  [distinct(6), ['/headers too_many']],
  // In any letter case.
  [[header('x-a'), header('X-A')], ['/headers duplicate']],
])('judges headers %# of both bodies', (headers, errors) => {
  expect(errorsOf(createWebhookBody, { url, eventTypes, headers })).toEqual(errors);
  expect(errorsOf(updateWebhookBody, { headers })).toEqual(errors);
});

test('stores the name of a header in lower case', () => {
  const { output } = parseBody(updateWebhookBody, { headers: [header('Authorization')] });
  expect(output).toMatchObject({ headers: [{ name: 'authorization', value: 'v' }] });
});

test.each<Case>([
  [{ subscriptionId: id, since: '2026-01-01T13:00:00+03:00' }, []],
  [{}, ['/since required', '/subscriptionId required']],
  [{ subscriptionId: 'x', since }, ['/subscriptionId invalid_uuid']],
  ...['2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00'].map((text): Case => [
    { subscriptionId: id, since: text },
    ['/since invalid_date'],
  ]),
  [{ subscriptionId: id, since: 1 }, ['/since invalid_type']],
  [{ subscriptionId: id, since, vendorId: id }, ['/vendorId unknown_field']],
])('judges recover-dead-letters with %j: %j', (body, errors) => {
  expect(errorsOf(recoverBody, body).toSorted()).toEqual(errors);
});
