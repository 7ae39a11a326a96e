import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { consoleTest as test, ownPage, shows, signIn, submit } from '../console-fixture.ts';

// What an operator chooses for the console is in its record, not in its browser (D165).

const language = (page: string): string => /<html\s+lang="(\w+)"/.exec(page)?.[1] ?? '';

test.for([
  ['ar-SA', 'ar'],
  ['en;q=0.3, ar;q=0.9', 'ar'],
  ['fr, ar;q=0.5', 'ar'],
  ['en-GB, ar;q=0.5', 'en'],
  ['*', 'en'],
] as const)(
  'shows a browser that prefers %j the sign-in in %s',
  async ([header, shown], { gateway }) => {
    const headers = { 'accept-language': header };
    const { body } = await gateway.app.inject({ url: '/console/sign-in', headers });
    expect(language(body)).toBe(shown);
  },
);

test('keeps language, time zone and keys of an operator for its next browser', async ({
  gateway,
}) => {
  const operator = await newOperator(gateway);
  const first = await signIn(gateway, operator);
  const english = { ...first, 'accept-language': 'en' };
  const read = async (headers: Readonly<Record<string, string>>, url = '/console') =>
    (await gateway.app.inject({ url, headers })).body;
  expect(language(await read(english))).toBe('en');
  await submit(gateway, '/console/language', { language: 'ar', to: '/console' }, english);
  const form = { language: 'ar', timeZone: 'Asia/Riyadh' };
  const saved = await submit(gateway, '/console/settings', form, english);
  expect(saved).toMatchObject({ statusCode: 303 });
  const other = { ...(await signIn(gateway, operator)), 'accept-language': 'en' };
  const page = await read(other, '/console/settings?done=1');
  expect(language(page)).toBe('ar');
  expect(page).toMatch(/<body[^>]*\sdata-zone="Asia\/Riyadh"\s+data-keys="off"/);
  expect(page).toMatch(/<option value="Asia\/Riyadh" selected/);
  expect(page).toContain('تم الحفظ.');
  expect(await read(other, '/console/offers/none')).toMatch(/<html\s+lang="ar"/);
});

test('shows each instant in the time zone of the operator', async ({ admin }) => {
  const row = () => admin.read('/console/operators');
  expect(await row()).toMatch(/<time datetime="[^"]+">[^<]+UTC<\/time>/);
  await admin.submit('/console/settings', { timeZone: 'Asia/Kolkata', keys: 'true' });
  const [, iso = '', text] = /<time datetime="([^"]+)">([^<]+?)\s*<\/time>/.exec(await row()) ?? [];
  const form = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const;
  expect(text).toBe(new Intl.DateTimeFormat('en-GB', form).format(new Date(iso)));
  expect(await admin.read('/console')).toContain('Webhooks by hour, Asia/Kolkata');
  await admin.submit('/console/settings', { keys: 'true' });
});

test('refuses an unknown time zone, and keeps the page', async ({ reviewer }) => {
  const refused = await reviewer.submit('/console/settings', { timeZone: 'Asia/Atlantis' });
  expect(refused).toMatchObject(shows(400, 'must be a time zone of IANA'));
});

test.for([
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
  ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
  ['*/*', 'text/html; charset=utf-8'],
] as const)(
  'answers an error to a caller that accepts %j as %s',
  async ([accept, type], { gateway }) => {
    const response = await gateway.app.inject({
      url: '/console/nothing',
      headers: { accept, ...ownPage },
    });
    expect(response).toMatchObject({ statusCode: 404, headers: { 'content-type': type } });
  },
);
