import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'vitest';
import { baseUrlOf } from '../api/error-codes/http.ts';
import { approvedOffer, newParties, submitOffer } from '../api/offers/offer-record.ts';
import { succeeded, unknownId } from '../support/api/api.ts';
import { consoleTest, failure, hiddenFieldsOf, shows } from './console-fixture.ts';
// How many calls of the API a preview of many offers makes (D102).

const path = '/console/offers/many';

const test = consoleTest
  .extend('parties', { scope: 'file' }, ({ gateway }) => newParties(gateway))
  /** Some offers that are not in the queue, so that the preview reads each of them. */
  .extend('ids', { scope: 'file' }, async ({ parties }) => {
    const ids: string[] = [];
    while (ids.length < 6) ids.push(await approvedOffer(parties));
    return ids;
  })
  /** The ids of the offers that pages have read one by one, and what precedes each such read. */
  .extend('reads', ({ intercept }) => {
    const reads = { ids: [] as string[], before: () => Promise.resolve() };
    intercept(async (options, call) => {
      const [, id] = /^\/operator\/v1\/offers\/([\da-f-]{36})$/.exec(options.url as string) ?? [];
      if (id !== undefined) reads.ids.push(id);
      if (id !== undefined) await reads.before();
      return call();
    });
    return reads;
  });

const selectionOf = (ids: readonly string[]): string =>
  `${path}?${ids.map((id) => `offer=${id}`).join('&')}`;
const itemsOf = (ids: readonly string[]): string => ids.map((id) => `${id}.1`).join('_');

test('reads an offer once that is selected 11,500 times', async ({ reviewer, ids, reads }) => {
  const [id = ''] = ids;
  const items = itemsOf(Array.from({ length: 11_500 }, () => id));
  const response = await reviewer.submit(path, {
    items,
    count: '1',
    start: 'true',
    action: 'approve',
  });
  expect(response).toMatchObject(shows(400, 'Nothing was decided'));
  expect(reads.ids).toEqual([id]);
});

test('shows the navigation with a failure of the preview', async ({ reviewer, intercept }) => {
  intercept(({ url }, call) =>
    (url as string).startsWith('/operator/') ? Promise.resolve(failure(503)) : call(),
  );
  const response = await reviewer.open(`${path}?scope=all`);
  expect(response).toMatchObject(shows(503, /<nav[^]*The gateway is not available/));
});

test('refuses a selection of more offers than a page has, and reads none', async ({
  reviewer,
  reads,
}) => {
  const ids = Array.from({ length: 51 }, unknownId);
  const refusal = shows(400, 'At most 50 offers can be selected at a time.');
  expect(await reviewer.open(selectionOf(ids))).toMatchObject(refusal);
  expect(await reviewer.submit(path, { items: itemsOf(ids), count: '1' })).toMatchObject(refusal);
  expect(reads.ids).toEqual([]);
});

test('reads nothing more for a browser that has gone', async ({
  gateway: { app },
  reviewer: { headers },
  ids,
  reads,
}) => {
  const browser = request((await baseUrlOf(app)) + selectionOf(ids), { headers });
  const closed = once(browser, 'close');
  browser.on('error', () => undefined).end();
  const ended = new Promise<void>((resolve) =>
    app.server.once('request', (_, response) => {
      response.once('close', () => setImmediate(resolve));
    }),
  );
  // The browser leaves during the first read.
  reads.before = async () => {
    browser.destroy();
    await Promise.all([closed, ended]);
  };
  await ended;
  reads.before = () => Promise.resolve();
  await app.inject({ url: selectionOf(ids), headers });
  expect(reads.ids).toHaveLength(1 + ids.length);
});

test('asks for the number again, with the same key, once other offers are shown', async ({
  reviewer,
  parties,
}) => {
  const id = await submitOffer(parties);
  const fields = hiddenFieldsOf(await reviewer.read(selectionOf([id])), path);
  const sent = { ...fields, ticked: id, count: '7' };
  const wrong = await reviewer.submit(path, { ...sent, start: 'true' });
  expect(wrong).toMatchObject(shows(400, 'name="count" aria-invalid="true" value="7"'));
  for (const button of ['again', 'part', 'without']) {
    const { body } = await reviewer.submit(path, { ...sent, [button]: '1' });
    expect(body).toContain('name="count" value=""');
    expect(hiddenFieldsOf(body, path)['key']).toBe(fields['key']);
  }
});

test('leads from a preview whose offers are all unticked to the queue', async ({
  reviewer,
  parties,
}) => {
  const brand = `All unticked ${unknownId()}`;
  await submitOffer(parties, { variantId: null, rawBrandName: brand });
  const query = new URLSearchParams({ scope: 'all', action: 'reject', brand });
  const fields = hiddenFieldsOf(await reviewer.read(`${path}?${String(query)}`), path);
  const response = await reviewer.submit(path, { ...fields, again: 'true' });
  expect(response).toMatchObject({
    statusCode: 303,
    headers: { location: `/console/offers?${String(new URLSearchParams({ brand }))}` },
  });
});

test('decides on an offer as it was shown, also if it has changed since on another part', async ({
  reviewer,
  parties,
}) => {
  const brand = `Two parts ${unknownId()}`;
  const given = { variantId: null, rawBrandName: brand };
  const first = await submitOffer(parties, given);
  for (let made = 0; made < 50; made += 1) await submitOffer(parties, given);
  const query = new URLSearchParams({ scope: 'all', action: 'reject', brand });
  const fieldsOf = (page: string) => hiddenFieldsOf(page, path);
  const turnTo = async (fields: Record<string, string>, part: string) => {
    const ticked = String(fields['shown']).split('_');
    const sent = Object.entries({ ...fields, part }).filter(([name]) => name !== 'ticked');
    const form = [...sent, ...ticked.map((id) => ['ticked', id])] as [string, string][];
    return fieldsOf((await reviewer.submit(path, form)).body);
  };
  const itemOf = (version: number): unknown => expect.stringContaining(`${first}.${version}`);
  const shown = fieldsOf(await reviewer.read(`${path}?${String(query)}`));
  expect(shown).toMatchObject({ items: itemOf(1), part: '1' });
  const price = { cost: 130, costIsVatInclusive: false };
  succeeded(await parties.byVendor('PATCH', `/${first}/cost`, price));
  const other = await turnTo(shown, '2');
  expect(other).toMatchObject({ items: itemOf(1), part: '2' });
  const again = await turnTo(other, '1');
  expect(again).toMatchObject({ items: itemOf(2), part: '1' });
});
