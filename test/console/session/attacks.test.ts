import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { unknownId } from '../../support/api/api.ts';
import { newRecord, pages } from '../every-page.ts';
import { consoleTest, ownPage, signIn, submit } from '../console-fixture.ts';
// What other sites, vendors and people without a session can do to the pages.

/** Ends an element, an attribute and a comment, and shows in a page's source when it is markup. */
const hostile = `--></title></script>"'><img src=x onerror=alert(1)>{{7*7}}`;
const showsVendors = /^(queue|decision.*|many|return|order|vendor|deliver.*|webhooks)$/;

const ofPages = {
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
};

const test = consoleTest.extend('ids', { scope: 'file' }, ({ gateway }) =>
  newRecord(gateway, hostile),
);

test.for(pages)(
  'escapes vendors’ texts on the page %s, and forbids caches and frames',
  async ([name, pathOf], { ids, admin }) => {
    const [page, live] = [
      await admin.open(pathOf(ids)),
      await admin.open(pathOf(ids), { 'x-live': 'true' }),
    ];
    for (const { body } of [page, live]) {
      expect(body).not.toMatch(/<img|onerror=alert\(1\)>/i);
      expect(body).not.toMatch(/="\s*(?:javascript|vbscript|data:(?!,"))/i);
    }
    if (showsVendors.test(name)) expect(page.body).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page.statusCode).toBe(name === 'not-found' ? 404 : 200);
    expect(page.headers).toMatchObject(ofPages);
  },
);

test.for([
  ['/console/offers/nothing', 404],
  ['/console/vendors/nothing', 404],
  ['/console/returns', 403],
] as const)('shows the refusal of %s as a page', async ([url, statusCode], { reviewer }) => {
  expect(await reviewer.open(url)).toMatchObject({ statusCode, headers: ofPages });
});

test.for(pages.filter(([name]) => name !== 'sign-in'))(
  'shows nothing on the page %s without a session',
  async ([name, pathOf], { gateway, ids }) => {
    for (const headers of [{}, { 'x-live': 'true' }, { cookie: 'console=cs_guess' }]) {
      const response = await gateway.app.inject({ url: pathOf(ids), headers });
      expect(response.statusCode).toBe(name === 'not-found' ? 404 : 303);
      expect(response.body).not.toContain('onerror');
    }
  },
);

test.for([
  '/console/sign-in',
  '/console/sign-out-everywhere',
  '/console/language',
  `/console/offers/${unknownId()}/approve`,
  `/console/returns/${unknownId()}/decide`,
  '/console/operators',
  '/console/stuck',
])('refuses a form from another site to %s', async (url, { gateway, admin }) => {
  const { cookie } = admin.headers;
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    const response = await submit(gateway, url, {}, { cookie, ...headers });
    expect(response.statusCode).toBe(403);
    expect(response.headers['set-cookie']).toBeUndefined();
  }
});

test.for([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/console/..//evil.example',
])('redirects no form to %s', async (to, { gateway }) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  const form = { to, operatorId, operatorSecret, language: 'ar' };
  for (const path of ['/console/sign-in', '/console/language'])
    expect((await submit(gateway, path, form)).headers['location']).toBe('/console');
});

test('signs in by a new session, and ends the session of an earlier cookie', async ({
  gateway,
}) => {
  const [victim, attacker] = [await newOperator(gateway), await newOperator(gateway)];
  const planted = await signIn(gateway, attacker);
  const { operatorId, operatorSecret } = victim;
  for (const cookie of [planted.cookie, `console=cs_${'A'.repeat(43)}`]) {
    const form = { operatorId, operatorSecret };
    const response = await submit(gateway, '/console/sign-in', form, { ...ownPage, cookie });
    expect(response.headers['set-cookie']).not.toContain(cookie);
    const open = await gateway.app.inject({ url: '/console', headers: { cookie } });
    expect(open.statusCode).toBe(303);
  }
});
