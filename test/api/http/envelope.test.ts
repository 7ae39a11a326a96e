import { expect } from 'vitest';
import { freeFormOffer } from '../../support/api/actors.ts';
import { call, fieldErrorsOf, refusal } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

const test = gatewayTest.extend(
  'create',
  { scope: 'file' },
  ({ gateway, token }) =>
    (body: unknown, headers: Record<string, string> = {}) =>
      call(gateway, 'POST', '/api/v1/scent/offers', { token, body, headers }),
);

test('responds with state, payload and details, in JSON and UTF-8', async ({ gateway, create }) => {
  for (const response of [
    await create(freeFormOffer),
    await create({}),
    await call(gateway, 'GET', '/nope'),
  ]) {
    expect(Object.keys(JSON.parse(response.text) as object)).toEqual([
      'state',
      'payload',
      'details',
    ]);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers['x-request-id']).toEqual(expect.any(String));
  }
});

test('returns 404 for an unknown route, with and without a token', async ({ gateway, token }) => {
  for (const url of [
    '/',
    '/api/v2/webhooks',
    '/API/V1/WEBHOOKS',
    '/api/v1/scent/offers/x/y',
    '/api/v1/webhooks/',
    '/api/v1/scent/offers//submit',
    '/operator/v1/offers//',
    '//api/v1/webhooks',
    '/api//v1/webhooks',
    '/api/v1/webhooks/%zz',
    '/api/v1/%E0%A4%A/webhooks',
    '/%',
  ]) {
    for (const given of [undefined, token]) {
      const response = await call(gateway, 'GET', url, { token: given });
      expect(response, url).toMatchObject(refusal('NOT_FOUND_ROUTE'));
      expect(response.headers['x-request-id']).toEqual(expect.any(String));
    }
  }
});

test.for([
  ['text/plain', 'x'],
  ['application/json', '{'],
  ['application/json', `"${'x'.repeat(1024 * 1024)}"`],
])('returns 404 for an unknown path with any %s body', async ([type = '', body], { gateway }) => {
  const headers = { 'content-type': type };
  const response = await call(gateway, 'POST', '/api/v1/nope', { body, headers });
  expect(response).toMatchObject(refusal('NOT_FOUND_ROUTE'));
});

test.for([
  'text/json',
  'application/jsonp',
  'application/json-patch+json',
  'application/x-www-form-urlencoded',
  'application/json, text/plain',
  '',
])('refuses a body of the media type %s', async (type, { create }) => {
  const response = await create('{"cost":1}', { 'content-type': type });
  expect(response).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE'));
});

test('refuses a body of no media type', async ({ gateway, token }) => {
  const headers = { authorization: `Bearer ${token}` };
  const request = { url: '/api/v1/scent/offers', headers, payload: Buffer.from('{}') };
  expect((await gateway.app.inject({ method: 'POST', ...request })).statusCode).toBe(415);
});

test('reads JSON with its media type in upper case or with a charset', async ({ create }) => {
  const charsets = ['charset=UTF-8', 'charset="utf8"', 'charset=us-ascii', 'charset='];
  const types = charsets.map((charset) => `application/json;${charset}`);
  for (const type of ['APPLICATION/JSON', ...types]) {
    const headers = { 'content-type': type };
    expect((await create(freeFormOffer, headers)).status).toBe(201);
  }
});

test('refuses malformed JSON', async ({ create }) => {
  const bodies = ["{'cost':1}", '{"cost":1,}', '{"cost":NaN}', '{"cost":01}', '{}{}', '\ufeff{'];
  for (const body of bodies)
    expect(fieldErrorsOf(await create(body)), body).toEqual(['Body malformed']);
});

test('lists the required fields when there is no body', async ({ create }) => {
  const names = ['Cost', 'CostIsVatInclusive', 'RawBrandName', 'RawProductName'];
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const response = await create(undefined, headers);
    expect(fieldErrorsOf(response)).toEqual(names.map((name) => `${name} required`));
  }
});

test('refuses deep and prototype-like JSON as unknown fields', async ({ create }) => {
  const deep = '['.repeat(100) + ']'.repeat(100);
  const body = `{"__proto__":{"cost":1},"constructor":{"prototype":{"x":1}},"a/b~c":${deep}}`;
  const response = await create(body);
  expect(response.status).toBe(400);
  const errors = response.details['errors'] as { path: string; code: string }[];
  const unknown = errors.filter(({ code }) => code === 'unknown_field').map(({ path }) => path);
  expect(unknown).toEqual(['/__proto__', '/constructor', '/a~1b~0c']);
  expect(Object.hasOwn(Object.prototype, 'cost')).toBe(false);
});
