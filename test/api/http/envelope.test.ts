import { expect } from 'vitest';
import { freeFormOffer, newVendor } from '../support/actors.ts';
import { call, fieldErrorsOf, refusal, type Gateway, type Method } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend(
  'token',
  { scope: 'file' },
  async ({ gateway }) => (await newVendor(gateway)).token,
);

const create = (
  gateway: Gateway,
  token: string,
  body: unknown,
  headers: Record<string, string> = {},
) => call(gateway, 'POST', '/api/v1/scent/offers', { token, body, headers });

test('an answer is state, payload and details, in JSON and UTF-8, on success and on error', async ({
  gateway,
  token,
}) => {
  for (const answer of [
    await create(gateway, token, freeFormOffer),
    await create(gateway, token, {}),
    await call(gateway, 'GET', '/nope'),
  ]) {
    expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['state', 'payload', 'details']);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
  }
});

test.for<[Method, string]>([
  ['GET', '/'],
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/api/v2/webhooks'],
  ['GET', '/API/V1/WEBHOOKS'],
  ['GET', '//api/v1/webhooks'],
  ['GET', '/api/v1/scent/offers/x/y'],
  ['PUT', '/api/v1/scent/offers'],
  ['DELETE', '/api/v1/webhooks'],
  ['OPTIONS', '/api/v1/webhooks'],
  ['GET', '/api/v1/auth/token'],
  ['POST', '/.well-known/jwks.json'],
  ['GET', '/api/v1/webhooks/%zz'],
  ['GET', '/api/v1/%E0%A4%A/webhooks'],
  ['GET', '/%'],
] as const)(
  '%s %s is no route, with or without a token',
  async ([method, url], { gateway, token }) => {
    for (const given of [undefined, token]) {
      const answer = await call(gateway, method, url, { token: given });
      expect(answer).toMatchObject(refusal('NOT_FOUND_ROUTE'));
      expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    }
  },
);

test('no route comes before everything: an unknown path is 404 whatever its body is', async ({
  gateway,
}) => {
  const bodies: readonly (readonly [string, string])[] = [
    ['text/plain', 'x'],
    ['application/json', '{'],
    ['application/json', `"${'x'.repeat(1024 * 1024)}"`],
  ];
  for (const [type, body] of bodies) {
    const answer = await call(gateway, 'POST', '/api/v1/nope', {
      body,
      headers: { 'content-type': type },
    });
    expect(answer).toMatchObject(refusal('NOT_FOUND_ROUTE'));
  }
});

test.for([
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  'json',
  '',
])('a body of media type "%s" is 415', async (type, { gateway, token }) => {
  const answer = await create(gateway, token, '{"cost":1}', { 'content-type': type });
  expect(answer).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE'));
});

test('a body without any media type is 415', async ({ gateway, token }) => {
  const response = await gateway.app.inject({
    method: 'POST',
    url: '/api/v1/scent/offers',
    headers: { authorization: `Bearer ${token}` },
    payload: Buffer.from('{}'),
  });
  expect(response.statusCode).toBe(415);
});

test.for(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8'])(
  'a body of media type "%s" is JSON',
  async (type, { gateway, token }) => {
    expect((await create(gateway, token, freeFormOffer, { 'content-type': type })).status).toBe(
      201,
    );
  },
);

test.for([
  '{',
  '{"cost":01}',
  "{'cost':1}",
  '{"cost":1,}',
  '{"cost":NaN}',
  '{}{}',
  'undefined',
  '\ufeff{',
])('malformed JSON %j is 400 on the body', async (body, { gateway, token }) => {
  const answer = await create(gateway, token, body);
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS', payload: null });
  expect(fieldErrorsOf(answer)).toEqual(['Body malformed']);
});

test.for(['[]', '["x"]', 'null', '5', '"text"', 'true'])(
  'JSON %s is no object: 400 on the body',
  async (body, { gateway, token }) => {
    const answer = await create(gateway, token, body);
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['Body invalid_type']);
  },
);

test('no body at all lists what it would have needed', async ({ gateway, token }) => {
  const expected = [
    'Cost required',
    'CostIsVatInclusive required',
    'RawBrandName required',
    'RawProductName required',
  ];
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const answer = await call(gateway, 'POST', '/api/v1/scent/offers', { token, headers });
    expect(fieldErrorsOf(answer)).toEqual(expected);
  }
});

test('a body of 1 MiB is read, one byte more is 413', async ({ gateway, token }) => {
  const mebibyte = 1024 * 1024;
  const body = JSON.stringify(freeFormOffer).padEnd(mebibyte);
  expect((await create(gateway, token, body)).status).toBe(201);
  expect(await create(gateway, token, `${body} `)).toMatchObject(refusal('PAYLOAD_TOO_LARGE'));
});

test('deep and prototype-like JSON is refused by the field, and pollutes nothing', async ({
  gateway,
  token,
}) => {
  const deep = '['.repeat(5000) + ']'.repeat(5000);
  const body = `{"__proto__":{"cost":1},"constructor":{"prototype":{"x":1}},"a/b~c":${deep}}`;
  const answer = await create(gateway, token, body);
  expect(answer.status).toBe(400);
  const errors = answer.details['errors'] as { path: string; code: string }[];
  const unknown = errors.filter(({ code }) => code === 'unknown_field').map(({ path }) => path);
  expect(unknown).toEqual(['/__proto__', '/constructor', '/a~1b~0c']);
  expect(Object.hasOwn(Object.prototype, 'cost')).toBe(false);
});
