import { expect } from 'vitest';
import { newParties, submitOffer } from '../api/offers/offer-record.ts';
import { newOperator } from '../support/api/actors.ts';
import { browserOf, consoleTest as test, signIn } from './console-fixture.ts';
// Views that the browser's module reads again and again (D139).

const live = { 'x-live': 'true' };

test('returns its part of the page, and 304 while that is the same', async ({
  gateway,
  reviewer: { open },
}) => {
  // A query that no other test has, because operators share a view for seconds.
  const before = await open('/console/offers?test=304', live);
  expect(before.body).toMatch(/^<!doctype html>\n<main id="main" data-live>[^]*<\/main>$/);
  const known = { ...live, 'if-none-match': before.headers['etag'] ?? '' };
  const again = await open('/console/offers?test=304', known);
  expect(again).toMatchObject({ statusCode: 304, body: '' });
  await submitOffer(await newParties(gateway));
  expect((await open('/console/offers?test=changed', known)).statusCode).toBe(200);
});

test('shares what a view has read between operators of equal roles only', async ({
  reviewer,
  operations,
}) => {
  expect((await reviewer.open('/console', live)).body).toContain('/console/offers');
  expect((await operations.open('/console', live)).body).not.toContain('/console/offers');
  expect((await operations.open('/console/offers', live)).statusCode).toBe(403);
});

test('shares no page that is not live', async ({ gateway, reviewer }) => {
  const url = `/console/offers/${await submitOffer(await newParties(gateway))}`;
  for (const { open } of [reviewer, await browserOf(gateway, 'Reviewer')]) {
    const { body, headers } = await open(url, live);
    expect(body).toContain('</nav>');
    expect(headers['etag']).toBeUndefined();
  }
});

test('says live to each operator who else has an offer open', async ({ gateway, reviewer }) => {
  const other = await browserOf(gateway, 'Reviewer');
  const url = `/console/offers/${await submitOffer(await newParties(gateway))}`;
  // They have the same roles, by which other views are shared.
  for (const { read } of [reviewer, other]) expect(await read(url)).toContain(`"${url}/viewers"`);
  const seen: (string | undefined)[] = [];
  for (const { open } of [reviewer, other]) {
    const { body } = await open(`${url}/viewers`, live);
    expect(body).toMatch(/id="viewers"[^]*opened it now/);
    expect(body.match(/opened it/g)).toHaveLength(1);
    expect(body).not.toContain('expectedVersion');
    seen.push(/<bdi>([^<]+)/.exec(body.slice(body.indexOf('id="viewers"')))?.[1]);
  }
  expect(new Set(seen).size).toBe(2);
});

test('records no viewer of an offer for a read of a live view', async ({
  gateway,
  reviewer,
  admin,
}) => {
  const id = await submitOffer(await newParties(gateway));
  const url = `/console/offers/${id}`;
  await reviewer.open(url);
  await gateway.sql`
    update operator_looks set looked_at = looked_at - interval '6 minutes' where offer_id = ${id}`;
  expect((await reviewer.open(`${url}/viewers`, live)).statusCode).toBe(200);
  expect(await admin.read(url)).not.toContain('opened it');
});

test('keeps no session alive by a live view', async ({ gateway }) => {
  const operator = await newOperator(gateway);
  const browser = await signIn(gateway, operator);
  const idle = (minutes: number) => gateway.sql`
    update operator_sessions set used_at = clock_timestamp() - ${`${minutes} minutes`}::interval
    where operator_id = ${operator.id}`;
  const read = () => gateway.app.inject({ url: '/console', headers: { ...browser, ...live } });
  await idle(29);
  expect((await read()).statusCode).toBe(200);
  const [session] = await gateway.sql<[{ isIdle: boolean }]>`
    select used_at < clock_timestamp() - interval '29 minutes' as is_idle
    from operator_sessions where operator_id = ${operator.id}`;
  expect(session.isIdle).toBe(true);
  await idle(31);
  expect((await read()).statusCode).toBe(303);
});
