import { describe, expect } from 'vitest';
import { newOperator, newVendor } from '../support/api/actors.ts';
import { unknownId } from '../support/api/api.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { ownPage, signIn, submit } from './console-fixture.ts';
// Sign-in, cookies, forms of other sites, and the scope of the pages (D138).

const test = gatewayTest.extend('operator', ({ gateway }) => newOperator(gateway, ['Reviewer']));
const asHttps = { host: 'gateway.example', ...ownPage };

describe('a sign-in', () => {
  test('sets the cookie of a session and leads to the page that was asked for', async ({
    gateway,
    operator,
  }) => {
    const { operatorId, operatorSecret } = operator;
    const to = '/console/offers?status=PendingMatch';
    const form = { operatorId, operatorSecret, to };
    const answer = await submit(gateway, '/console/sign-in', form, {
      ...ownPage,
      host: '127.0.0.1:3000',
    });
    expect(answer).toMatchObject({ statusCode: 303, headers: { location: to } });
    expect(answer.headers['set-cookie']).toMatch(
      /^console=cs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test('answers a wrong secret and an unknown name alike, and repeats no secret', async ({
    gateway,
    operator: { operatorId },
  }) => {
    const [wrong, unknown] = await Promise.all(
      [operatorId, 'nobody'].map((name) =>
        submit(gateway, '/console/sign-in', { operatorId: name, operatorSecret: 'os_guess' }),
      ),
    );
    for (const answer of [wrong, unknown]) {
      expect(answer).toMatchObject({ statusCode: 401 });
      expect(answer?.body).toContain('The name or the secret is wrong.');
      expect(answer?.body).not.toContain('os_guess');
      expect(answer?.headers['set-cookie']).toBeUndefined();
    }
  });

  test('counts with the calls of the token route: the eleventh failure is refused', async ({
    gateway,
    operator: { operatorId, operatorSecret },
  }) => {
    for (let guess = 0; guess < 10; guess += 1)
      await submit(gateway, '/console/sign-in', { operatorId, operatorSecret: `x${guess}` });
    const answer = await submit(gateway, '/console/sign-in', { operatorId, operatorSecret });
    expect(answer.statusCode).toBe(429);
    expect(answer.body).toMatch(/Try again in \d+ seconds/);
    const route = await gateway.app.inject({
      method: 'POST',
      url: '/operator/v1/auth/token',
      payload: { operatorId, operatorSecret },
    });
    expect(route.statusCode).toBe(429);
  });

  test('needs HTTPS, except on the machine itself', async ({ gateway, operator }) => {
    const { operatorId, operatorSecret } = operator;
    const form = { operatorId, operatorSecret };
    const answer = await submit(gateway, '/console/sign-in', form, asHttps);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});

test('a sign-out ends the session, and a copy of its cookie is of no use', async ({
  gateway,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  const open = () => gateway.app.inject({ url: '/console', headers });
  expect((await open()).statusCode).toBe(200);
  const left = await submit(gateway, '/console/sign-out', {}, headers);
  expect(left.headers['set-cookie']).toMatch(/^console=; Max-Age=0; Path=\/;/);
  expect(await open()).toMatchObject({
    statusCode: 303,
    headers: { location: '/console/sign-in?to=%2Fconsole' },
  });
});

test('a form that is sent after the session has ended is sent again after the sign-in', async ({
  gateway,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  await submit(gateway, '/console/sign-out', {}, headers);
  const path = `/console/offers/${unknownId()}/reject`;
  const form = { expectedVersion: '1', reason: 'The "size" <is> missing.' };
  const asked = await submit(gateway, path, form, headers);
  expect(asked).toMatchObject({ statusCode: 401 });
  expect(asked.headers['location']).toBeUndefined();
  const kept = /name="kept" value="([^"]*)"/.exec(asked.body)?.[1] ?? '';
  const { operatorId, operatorSecret } = operator;
  const again = {
    operatorId,
    kept: kept.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>'),
  };
  // A wrong secret loses nothing either.
  const wrong = await submit(gateway, '/console/sign-in', { ...again, operatorSecret: 'x' });
  expect(wrong.body).toContain(`name="kept" value="${kept}"`);
  const answer = await submit(gateway, '/console/sign-in', { ...again, operatorSecret });
  expect(answer.statusCode).toBe(200);
  expect(answer.cookies).toHaveLength(1);
  expect(answer.body).toContain(`<form method="post" action="${path}"`);
  expect(answer.body).toContain('name="expectedVersion" value="1"');
  expect(answer.body).toContain('>The &quot;size&quot; &lt;is&gt; missing.</textarea>');
});

test('a kept form keeps every value of a field', async ({ gateway, operator }) => {
  const { operatorId, operatorSecret } = operator;
  const kept = JSON.stringify({ path: '/console/offers', fields: { offer: ['one', 'two'] } });
  const { body } = await submit(gateway, '/console/sign-in', { operatorId, operatorSecret, kept });
  for (const value of ['one', 'two']) expect(body).toContain(`name="offer" value="${value}"`);
});

test('a sign-out everywhere ends all sessions of the operator', async ({ gateway, operator }) => {
  const [one, other] = [await signIn(gateway, operator), await signIn(gateway, operator)];
  await submit(gateway, '/console/sign-out-everywhere', {}, one);
  for (const headers of [one, other])
    expect((await gateway.app.inject({ url: '/console', headers })).statusCode).toBe(303);
});

describe('a request that changes something', () => {
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
  ] as const)('with %j: accepted %s', async ([headers, isAccepted], { gateway, operator }) => {
    const { cookie } = await signIn(gateway, operator);
    const answer = await submit(gateway, '/console/sign-out', {}, { cookie, ...headers });
    expect(answer.statusCode).toBe(isAccepted ? 303 : 403);
    const open = await gateway.app.inject({ url: '/console', headers: { cookie } });
    expect(open.statusCode).toBe(isAccepted ? 303 : 200);
  });
});

test('a link from another site loads the page again, so that the browser sends the cookie', async ({
  gateway,
}) => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const answer = await gateway.app.inject({ url: '/console/offers', headers });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('<meta http-equiv="refresh" content="0" />');
});

test('cookies and forms are of the pages only: the API takes neither', async ({
  gateway,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  const read = await gateway.app.inject({ url: '/operator/v1/offers', headers });
  expect(read.statusCode).toBe(401);
  for (const url of ['/operator/v1/auth/token', '/api/v1/auth/token']) {
    const { operatorId, operatorSecret } = operator;
    const answer = await submit(gateway, url, { operatorId, operatorSecret });
    expect(answer.statusCode).toBe(415);
  }
  const { token } = await newVendor(gateway);
  const bearer = { authorization: `Bearer ${token}` };
  const form = await submit(gateway, '/api/v1/scent/offers', { rawBrandName: 'B' }, bearer);
  expect(form.statusCode).toBe(415);
});

test('every page is kept by no cache and has the policy; its errors are pages too', async ({
  gateway,
  operator,
}) => {
  const headers = await signIn(gateway, operator);
  for (const [url, status] of [
    ['/console', 200],
    ['/console/offers', 200],
    ['/console/sign-in', 200],
    ['/console/nothing', 404],
    ['/console/offers/nothing', 404],
    ['/console/returns', 403],
  ] as const) {
    const answer = await gateway.app.inject({ url, headers });
    expect(answer.statusCode, url).toBe(status);
    expect(answer.headers, url).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    });
  }
});

test('the language is that of the browser until the operator chooses another', async ({
  gateway,
}) => {
  const arabic = { 'accept-language': 'ar-SA,en;q=0.5' };
  const page = await gateway.app.inject({ url: '/console/sign-in', headers: arabic });
  expect(page.body).toContain('<html lang="ar" dir="rtl">');
  const form = { language: 'en', to: '/console/sign-in' };
  const chosen = await submit(gateway, '/console/language', form);
  expect(chosen).toMatchObject({ statusCode: 303, headers: { location: '/console/sign-in' } });
  const [cookie] = chosen.cookies;
  const headers = { ...arabic, cookie: `${cookie?.name}=${cookie?.value}` };
  const again = await gateway.app.inject({ url: '/console/sign-in', headers });
  expect(again.body).toContain('<html lang="en" dir="ltr">');
});
