import { once } from 'node:events';
import { request } from 'node:http';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { baseUrlOf } from '../api/error-codes/http.ts';
import { approvedOffer, newParties } from '../api/offers/offer-record.ts';
import { unknownId } from '../support/api/api.ts';
import { consoleTest, shows } from './console-fixture.ts';
// How many calls of the API a preview of many offers makes (D102).

const path = '/console/offers/many';

const test = consoleTest
  /** Some offers that are not in the queue, so that the preview reads each of them. */
  .extend('ids', { scope: 'file' }, async ({ gateway }) => {
    const parties = await newParties(gateway);
    const ids: string[] = [];
    while (ids.length < 6) ids.push(await approvedOffer(parties));
    return ids;
  })
  /** The ids of the offers that pages have read one by one, and what precedes each such read. */
  .extend('reads', ({ gateway: { app } }, { onCleanup }) => {
    const reads = { ids: [] as string[], before: () => Promise.resolve() };
    const inject = Reflect.get(app, 'inject') as (
      options: InjectOptions,
    ) => Promise<LightMyRequestResponse>;
    const recorded = async (options: InjectOptions) => {
      const [, id] = /^\/operator\/v1\/offers\/([\da-f-]{36})$/.exec(options.url as string) ?? [];
      if (id !== undefined) reads.ids.push(id);
      if (id !== undefined) await reads.before();
      return inject.call(app, options);
    };
    app.inject = recorded as typeof app.inject;
    onCleanup(() => {
      app.inject = inject as typeof app.inject;
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
