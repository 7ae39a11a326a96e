import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { parsedResponse } from '../error-codes/http.ts';
import { appWith, rawResponse } from '../error-codes/slow-app.ts';
import { freeFormOffer } from '../../support/api/actors.ts';
import { call, help, refusal, type Call } from '../../support/api/api.ts';
import { jobsPath } from '../jobs/job-fixture.ts';

/** D87: the details of an error say what to do. */
const offers = '/api/v1/scent/offers';

test('names the range of numbers of the parameter `after`', async ({ gateway, token }) => {
  const code = 'VALIDATION_INVALID_QUERY_PARAMETER';
  const message = 'after must be a whole number from 0 to 999999999999999.';
  for (const after of ['x', '-1', '1.5', '', '99999999999999999999']) {
    const response = await call(gateway, 'GET', `/api/v1/events?after=${after}`, { token });
    expect(response).toMatchObject(refusal(code));
    expect(response.details).toStrictEqual({ parameter: 'after', message, ...help(code) });
  }
});

test.for([
  ['application/json', 'gzip'],
  ['text/csv', 'gzip'],
  ['text/csv', 'identity, BR'],
] as const)(
  'refuses a %s body with the encoding %s, and says to send it uncompressed',
  async ([type, encoding], { gateway, token }) => {
    const headers = { 'content-type': type, 'content-encoding': encoding };
    const send = (given: Call) =>
      call(gateway, 'POST', `${jobsPath}?kind=createOffers`, { headers, ...given });
    const response = await send({ token, body: 'x' });
    expect(response).toMatchObject(refusal('UNSUPPORTED_MEDIA_TYPE'));
    expect(response.headers['accept-encoding']).toBe('identity');
    expect(response.details).toStrictEqual({
      received: encoding,
      allowedValues: ['identity'],
      message: 'Content encodings are not supported: send the body uncompressed.',
      ...help('UNSUPPORTED_MEDIA_TYPE'),
    });
    expect((await send({ body: 'x' })).status).toBe(401);
    expect((await send({ token, body: '' })).status).toBe(400);
  },
);

test('reads a body with the encoding identity', async ({ gateway, token }) => {
  const response = await call(gateway, 'POST', offers, {
    token,
    body: freeFormOffer,
    headers: { 'content-encoding': 'Identity' },
  });
  expect(response.status).toBe(201);
});

test.for([
  ['PUT', offers, ['POST', 'GET', 'HEAD']],
  ['DELETE', `${offers}/5?x=1`, ['GET', 'HEAD', 'PATCH']],
  ['POST', '/.well-known/jwks.json', ['GET', 'HEAD']],
  ['GET', '/api/v1/scent/nothing', undefined],
  ['GET', `${offers}/5/6/7`, undefined],
  ['GET', `${offers}/`, undefined],
] as const)(
  'names the methods of the path in the 404 of %s %s',
  async ([method, path, methods], { gateway, token }) => {
    const response = await call(gateway, method, path, { token });
    expect(response).toMatchObject({ status: 404, state: 'NOT_FOUND_ROUTE' });
    expect(response.details).toStrictEqual({
      ...(methods === undefined ? {} : { allowedMethods: expect.arrayContaining([...methods]) }),
      ...help('NOT_FOUND_ROUTE'),
    });
  },
);

/** The `help` of the error in the last lines of a raw response. */
const helpIn = (response: string): unknown =>
  (JSON.parse(parsedResponse(response).text) as { readonly details: { readonly help?: unknown } })
    .details.help;

test.for([
  ['a route refuses the call', `GET ${offers}?page=0 HTTP/1.1`, 'validation_invalid_page'],
  ['no route matches', 'GET /nothing HTTP/1.1', 'not_found_route'],
  ['the path cannot be decoded', 'GET /%zz HTTP/1.1', 'not_found_route'],
  ['the method is CONNECT', 'CONNECT x:80 HTTP/1.1', 'not_found_route'],
  ['the bytes are not HTTP', 'nonsense', 'validation_errors'],
])(
  'links to the help by an absolute URL if the base URL is configured: %s',
  async ([_when, line, anchor], { gateway, token }) => {
    const request = `${line}\r\nhost: x\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`;
    const withBase = await appWith(gateway.dependencies, { publicUrl: 'https://gateway.example' });
    expect(helpIn(await rawResponse(gateway, request))).toBe(`/docs/errors#${anchor}`);
    expect(helpIn(await rawResponse(withBase, request))).toBe(
      `https://gateway.example/docs/errors#${anchor}`,
    );
  },
);

test("repeats at most 100 characters of a caller's text (D153)", async ({ gateway, token }) => {
  const long = 'x'.repeat(5000);
  const post = (url: string, body: unknown, headers = {}) =>
    call(gateway, 'POST', url, { token, body, headers });
  const get = (path: string) => call(gateway, 'GET', offers + path, { token });
  for (const { status, text } of [
    await post(offers, { [long]: 1, rawBrandName: { [long]: 1 } }),
    await post(jobsPath, { kind: 'createOffers', items: [], [long]: 1 }),
    await post(jobsPath, { kind: long, items: [{}] }),
    await post(offers, {}, { 'content-type': `application/${long}` }),
    await get(`?${long}=1`),
    await get(`?from=${long}`),
    await get(`?status=${long}`),
    await get(`/${long}`),
  ]) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).not.toContain('x'.repeat(101));
  }
});

test("cuts a caller's text between two characters, each of which counts once", async ({
  gateway,
  token,
}) => {
  const [whole, long] = ['😀'.repeat(100), `x${'😀'.repeat(5000)}`];
  const cut = `x${'😀'.repeat(99)}`;
  const pathOf = async (name: string) => {
    const body = { ...freeFormOffer, [name]: 1 };
    const { details } = await call(gateway, 'POST', offers, { token, body });
    return (details['errors'] as { path: string }[])[0]?.path;
  };
  expect(await pathOf(whole)).toBe(`/${whole}`);
  expect(await pathOf(long)).toBe(`/${cut}…`);
  const query = `?${encodeURIComponent(long.slice(0, 401))}=1`;
  const { details } = await call(gateway, 'GET', offers + query, { token });
  expect(details['parameters']).toEqual([cut]);
});
