import { expect } from 'vitest';
import { newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newOperator } from '../support/api/actors.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { signIn } from './console-fixture.ts';
// Views that the browser's module reads again and again (D139).

const test = gatewayTest.extend(
  'readAs',
  ({ gateway }) =>
    async (roles: Parameters<typeof newOperator>[1]) => {
      const browser = await signIn(gateway, await newOperator(gateway, roles));
      return (url: string, headers: Readonly<Record<string, string>> = {}) =>
        gateway.app.inject({ url, headers: { ...browser, 'x-live': 'true', ...headers } });
    },
);

test('a live view answers its part of the page, and 304 while the part is the same', async ({
  gateway,
  readAs,
}) => {
  const read = await readAs(['Reviewer']);
  // A query that no other test has, because operators share a view for seconds.
  const before = await read('/console/offers?test=304');
  expect(before.body).toMatch(/^<!doctype html>\n<main id="main" data-live>[^]*<\/main>$/);
  const { etag = '' } = before.headers;
  const again = await read('/console/offers?test=304', { 'if-none-match': etag });
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  await submitOffer(await newParties(gateway));
  const after = await read('/console/offers?test=changed', { 'if-none-match': etag });
  expect(after).toMatchObject({ statusCode: 200 });
});

test('only operators of the same roles share what a live view has read', async ({ readAs }) => {
  const reviewer = await readAs(['Reviewer']);
  const operations = await readAs(['Operations']);
  expect((await reviewer('/console')).body).toContain('/console/offers');
  expect((await operations('/console')).body).not.toContain('/console/offers');
  expect((await operations('/console/offers')).statusCode).toBe(403);
});

test('a page that is not live is never shared', async ({ gateway, readAs }) => {
  const id = await submitOffer(await newParties(gateway));
  const one = await (await readAs(['Reviewer']))(`/console/offers/${id}`);
  const other = await (await readAs(['Reviewer']))(`/console/offers/${id}`);
  for (const { body, headers } of [one, other]) {
    expect(body).toContain('</nav>');
    expect(headers['etag']).toBeUndefined();
  }
});

test('a live view does not keep a session in use', async ({ gateway }) => {
  const operator = await newOperator(gateway);
  const browser = await signIn(gateway, operator);
  const idle = (minutes: number) => gateway.sql`
    update operator_sessions set used_at = clock_timestamp() - ${`${minutes} minutes`}::interval
    where operator_id = ${operator.id}`;
  const read = () =>
    gateway.app.inject({ url: '/console', headers: { ...browser, 'x-live': 'true' } });
  await idle(29);
  expect((await read()).statusCode).toBe(200);
  const [session] = await gateway.sql<[{ isIdle: boolean }]>`
    select used_at < clock_timestamp() - interval '29 minutes' as is_idle
    from operator_sessions where operator_id = ${operator.id}`;
  expect(session.isIdle).toBe(true);
  await idle(31);
  expect((await read()).statusCode).toBe(303);
});
