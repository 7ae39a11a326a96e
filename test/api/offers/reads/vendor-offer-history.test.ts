import { expect } from 'vitest';
import { percentageOfSale } from '../../../support/api/actors.ts';
import { itemsOf, type Gateway } from '../../../support/api/api.ts';
import { instant } from '../../../support/api/matchers.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { seedManyOffers } from '../../../support/seeds/seed-many-offers.ts';
import { newOfferFixture, type OfferFixture } from '../offer-fixture.ts';
import { rowOf } from '../offer-record.ts';

type Change = { readonly at: string; readonly reason: string };
const historyOf = async ({ send }: OfferFixture, id: string) =>
  ((await send('GET', `/${id}?include=history`)).payload as { history: Change[] }).history;

test('adds every status change, the oldest first, with include=history only', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const { offerIn, patch, send } = fixture;
  const draft = await offerIn('Draft');
  const id = await offerIn('Rejected', { isMatched: false });
  await patch(id, { vendorSku: 'S' });
  await patch(id, { rawSizeMl: 5 });
  await send('PATCH', `/${id}/stock`, { declaredInStock: true });
  await send('POST', `/${id}/withdraw`);
  const plain = await send('GET', `/${id}`);
  const history = await historyOf(fixture, id);
  expect(history).toStrictEqual([
    { at: instant, from: null, to: 'PendingMatch', reason: null },
    { at: instant, from: 'PendingMatch', to: 'Rejected', reason: 'No.' },
    { at: instant, from: 'Rejected', to: 'PendingMatch', reason: null },
    { at: instant, from: 'PendingMatch', to: 'Withdrawn', reason: null },
  ]);
  const times = history.map((change) => change.at);
  expect(times).toEqual(times.toSorted());
  expect(times.at(-1)).toBe((await rowOf(gateway.sql, id))?.['changedAt'].toISOString());
  expect(plain.payload).not.toHaveProperty('history');
  // In a list each offer has its own.
  expect(itemsOf(await send('GET', '?include=history'))).toStrictEqual([
    { ...plain.payload, history },
    { ...itemsOf(await send('GET', ''))[1], history: await historyOf(fixture, draft) },
  ]);
});

const length = 250;
const reasonsOf = (history: unknown) => (history as readonly Change[]).map(({ reason }) => reason);
const reasons = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `change ${from + index}`);

async function longHistories(gateway: Gateway, offers = 1, historyLength = length) {
  const { send, vendor } = await newOfferFixture(gateway);
  await seedManyOffers(gateway.sql, vendor.vendorId, offers, { historyLength });
  const [{ id } = { id: '' }] = itemsOf(await send('GET', '')) as { id: string }[];
  return { send, id };
}

test('includes the newest 100 changes, and says whether there are earlier ones', async ({
  gateway,
}) => {
  const long = await longHistories(gateway);
  const [listed] = itemsOf(await long.send('GET', '?include=history'));
  const one = (await long.send('GET', `/${long.id}?include=history`)).payload;
  for (const offer of [listed, one]) {
    expect(reasonsOf(offer?.['history'])).toEqual(reasons(151, 250));
    expect(offer?.['historyHasEarlier']).toBe(true);
  }
  const hundred = await longHistories(gateway, 1, 100);
  const [whole] = itemsOf(await hundred.send('GET', '?include=history'));
  expect(reasonsOf(whole?.['history'])).toEqual(reasons(1, 100));
  expect(whole).not.toHaveProperty('historyHasEarlier');
});

test('keeps a list of 100 much-edited offers with history below 2 MB', async ({ gateway }) => {
  const { send } = await longHistories(gateway, 100, 300);
  const { text } = await send('GET', '?include=history&pageSize=100');
  expect(text.length).toBeLessThan(2_000_000);
});

test('lists every change by its own route, oldest first, page by page', async ({ gateway }) => {
  const { send, id } = await longHistories(gateway);
  const pageOf = (page: number, pageSize = 100) =>
    send('GET', `/${id}/history?page=${page}&pageSize=${pageSize}`);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(page)));
  expect(pages.flatMap((page) => reasonsOf(itemsOf(page)))).toEqual(reasons(1, length));
  const first = { at: instant, from: null, to: expect.any(String), reason: 'change 1' };
  expect(itemsOf(await pageOf(1))[0]).toStrictEqual(first);
  const pagination = { page: 4, pageSize: 100, totalCount: length, totalPages: 3 };
  expect(pages[3]?.payload?.['pagination']).toEqual(pagination);
  // Deep pages are read from the end.
  expect(reasonsOf(itemsOf(await pageOf(3, 99)))).toEqual(reasons(199, 250));
});

// `operator-agreement-reads.test.ts` has what a switch that is not stored shows elsewhere.
test('lists a switch at once as the last change, on the last page', async ({ gateway }) => {
  const { offerIn, send, switchAgreement } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  await switchAgreement(percentageOfSale);
  expect(await rowOf(gateway.sql, id)).toMatchObject({ status: 'Approved' });
  const last = { at: instant, from: 'Approved', to: 'PendingRepricing', reason: null };
  for (const pageSize of [2, 3, 100]) {
    const pageOf = (page: number) =>
      send('GET', `/${id}/history?page=${page}&pageSize=${pageSize}`);
    const page = Math.ceil(3 / pageSize);
    expect(itemsOf(await pageOf(page)).at(-1)).toEqual(last);
    expect((await pageOf(page)).payload).toMatchObject({ pagination: { totalCount: 3 } });
    expect(itemsOf(await pageOf(page + 1))).toEqual([]);
  }
});
