import { expect } from 'vitest';
import { newOperator, newVendor, type TestOperator } from '../../support/api/actors.ts';
import type { Gateway } from '../../support/api/api.ts';
import { appWith } from '../../api/error-codes/slow-app.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { browserOf, hiddenFieldsOf, ownPage, shows, signIn, submit } from '../console-fixture.ts';
// Sign-in, cookies, forms of other sites, and the scope of the pages (D138).

const url = '/console/sign-in';

const test = gatewayTest
  .extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']))
  /** Sends the form of the sign-in with the secret of the operator, or with other fields. */
  .extend(
    'send',
    ({ gateway, operator: { operatorId, operatorSecret } }) =>
      (form: Readonly<Record<string, string>> = {}, headers = {}, remoteAddress = '127.0.0.1') => {
        const fields = { operatorId, operatorSecret, ...form };
        return submit(gateway, url, fields, { ...ownPage, ...headers }, remoteAddress);
      },
  )
  /** Two sessions of the operator. */
  .extend('session', ({ gateway, operator }) => begin(gateway, operator))
  .extend('another', ({ gateway, operator }) => begin(gateway, operator));

async function begin(gateway: Gateway, operator: TestOperator) {
  const headers = await signIn(gateway, operator);
  return { headers, open: () => gateway.app.inject({ url: '/console', headers }) };
}

test('sets the cookie at a sign-in, and redirects to the requested page', async ({ send }) => {
  const to = '/console/offers?status=PendingMatch';
  const response = await send({ to }, { host: '127.0.0.1:3000' });
  expect(response).toMatchObject({ statusCode: 303, headers: { location: to } });
  expect(response.headers['set-cookie']).toMatch(
    /^console=cs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  );
});

test('takes a name and a secret that were pasted with marks that cannot be seen', async ({
  operator: { operatorId, operatorSecret },
  send,
}) => {
  const pasted = {
    operatorId: `\u200f${operatorId}\u00a0`,
    operatorSecret: `\u2068${operatorSecret}\u2069\u200e`,
  };
  expect((await send(pasted)).statusCode).toBe(303);
});

test('sets a cookie for one host over HTTPS, and logs no secret', async ({ gateway, operator }) => {
  const { operatorId, operatorSecret } = operator;
  const { log, lines } = memoryLog();
  const publicUrl = 'https://gateway.example';
  const browser = await appWith(gateway.dependencies, { log, publicUrl });
  const headers = { ...ownPage, host: 'gateway.example' };
  const asked = await submit(browser, '/console/offers/1/reject', { reason: 'A reason.' }, headers);
  const { kept = '' } = hiddenFieldsOf(asked.body, '/sign-in');
  await submit(browser, url, { operatorId, operatorSecret: 'os_guess', kept }, headers);
  const response = await submit(browser, url, { operatorId, operatorSecret, kept }, headers);
  const [cookie = '', ...attributes] = String(response.headers['set-cookie']).split('; ');
  expect(cookie).toMatch(/^__Host-console=cs_[\w-]{43}$/);
  expect(attributes).toEqual(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Strict']);
  const page = await browser.app.inject({ url: '/console', headers: { ...headers, cookie } });
  expect(page.statusCode).toBe(200);
  expect(lines.length).toBeGreaterThan(0);
  for (const secret of [operatorSecret, 'os_guess', cookie.slice(-43), 'A reason.'])
    expect(lines.join('')).not.toContain(secret);
});

test('refuses wrong secrets and unknown names alike, and echoes no secret', async ({ send }) => {
  for (const form of [{}, { operatorId: 'nobody' }]) {
    const response = await send({ operatorSecret: 'os_guess', ...form });
    expect(response).toMatchObject(shows(401, 'The name or the secret is wrong.'));
    expect(response.body).not.toContain('os_guess');
    expect(response.headers['set-cookie']).toBeUndefined();
  }
});

test('counts sign-ins with the calls of the token route, by the browser’s network', async ({
  gateway,
  operator: { operatorId, operatorSecret },
  send,
}) => {
  for (let guess = 0; guess < 10; guess += 1)
    await send({ operatorSecret: `x${guess}` }, {}, '203.0.113.7');
  const response = await send({}, {}, '203.0.113.9');
  expect(response).toMatchObject(shows(429, /Try again in \d+ seconds/));
  const route = await gateway.app.inject({
    method: 'POST',
    url: '/operator/v1/auth/token',
    payload: { operatorId, operatorSecret },
    remoteAddress: '203.0.113.9',
  });
  expect(route.statusCode).toBe(429);
  expect((await send({}, {}, '198.51.100.1')).statusCode).toBe(303);
});

test('requires HTTPS for a sign-in, except on the machine itself', async ({ send }) => {
  const response = await send({}, { host: 'gateway.example' });
  expect(response.statusCode).toBe(403);
  expect(response.headers['set-cookie']).toBeUndefined();
});

test('ends only its own session by a sign-out, also for a copy of the cookie', async ({
  gateway,
  session: { headers, open },
  another,
}) => {
  expect((await open()).statusCode).toBe(200);
  const left = await submit(gateway, '/console/sign-out', {}, headers);
  expect(left.headers['set-cookie']).toMatch(/^console=; Max-Age=0; Path=\/;/);
  const location = '/console/sign-in?to=%2Fconsole';
  expect(await open()).toMatchObject({ statusCode: 303, headers: { location } });
  expect((await another.open()).statusCode).toBe(200);
});

test('ends all sessions of the operator, and no other, by a sign-out everywhere', async ({
  gateway,
  session,
  another,
}) => {
  const { open } = await browserOf(gateway, 'Reviewer');
  await submit(gateway, '/console/sign-out-everywhere', {}, another.headers);
  for (const ended of [session, another]) expect((await ended.open()).statusCode).toBe(303);
  expect((await open('/console')).statusCode).toBe(200);
});

test.for([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  // A page of another port or of a subdomain.
  [{ 'sec-fetch-site': 'same-site', origin: 'http://localhost:80' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ origin: 'http://localhost:80' }, true],
  [{ origin: 'http://localhost:81' }, false],
  [{ origin: 'https://localhost:80' }, false],
  [{ origin: 'null' }, false],
  [{}, false],
] as const)('accepts a form with %j: %s', async ([headers, isAccepted], { gateway, session }) => {
  const { cookie } = session.headers;
  const response = await submit(gateway, '/console/sign-out', {}, { cookie, ...headers });
  expect(response.statusCode).toBe(isAccepted ? 303 : 403);
  expect((await session.open()).statusCode).toBe(isAccepted ? 303 : 200);
});

test('loads a page again, with the cookie, after a link from another site', async ({ gateway }) => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const response = await gateway.app.inject({ url: '/console/offers', headers });
  expect(response).toMatchObject(shows(200, '<meta http-equiv="refresh" content="0" />'));
});

test('accepts cookies and forms on pages only, not in the API', async ({
  gateway,
  operator: { operatorId, operatorSecret },
  session: { headers },
}) => {
  const read = await gateway.app.inject({ url: '/operator/v1/offers', headers });
  expect(read.statusCode).toBe(401);
  const { token } = await newVendor(gateway);
  const bearer = { authorization: `Bearer ${token}` };
  for (const [path, form, given] of [
    ['/operator/v1/auth/token', { operatorId, operatorSecret }, ownPage],
    ['/api/v1/auth/token', { operatorId, operatorSecret }, ownPage],
    ['/api/v1/scent/offers', { rawBrandName: 'B' }, bearer],
  ] as const)
    expect((await submit(gateway, path, form, given)).statusCode, path).toBe(415);
});

test('shows the browser’s language until an operator chooses another', async ({ gateway }) => {
  const arabic = { 'accept-language': 'ar-SA,en;q=0.5' };
  const page = await gateway.app.inject({ url, headers: arabic });
  expect(page.body).toContain('<html lang="ar" dir="rtl">');
  const chosen = await submit(gateway, '/console/language', { language: 'en', to: url });
  expect(chosen).toMatchObject({ statusCode: 303, headers: { location: url } });
  const [cookie] = chosen.cookies;
  const headers = { ...arabic, cookie: `${cookie?.name}=${cookie?.value}` };
  const again = await gateway.app.inject({ url, headers });
  expect(again.body).toContain('<html lang="en" dir="ltr">');
});
