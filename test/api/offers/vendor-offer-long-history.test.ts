import { expect } from 'vitest';
import { seedManyOffers } from '../../support/seeds/seed-many-offers.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { percentageOfSale } from '../support/actors.ts';
import { call, itemsOf, type Answer, type Gateway } from '../support/api.ts';
import { newOfferFixture, type OfferFixture } from './offer-fixture.ts';

/** An offer that changes often does not make the lists slow: its history comes in pages. */

const length = 250;

async function longHistories(gateway: Gateway, offers = 1, historyLength = length) {
  const fixture = await newOfferFixture(gateway);
  await seedManyOffers(gateway.sql, fixture.vendor.vendorId, offers, { historyLength });
  const [{ id } = { id: '' }] = itemsOf(await fixture.send('GET', '')) as { id: string }[];
  return { fixture, id };
}

const reasonsOf = (history: unknown) =>
  (history as readonly { reason: string }[]).map(({ reason }) => reason);
const reasons = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `change ${from + index}`);
const pageOf = (fixture: OfferFixture, id: string, page: number, pageSize = 100): Promise<Answer> =>
  fixture.send('GET', `/${id}/history?page=${page}&pageSize=${pageSize}`);

test('include=history has the newest 100 changes, oldest first; it tells of earlier ones', async ({
  gateway,
}) => {
  const { fixture, id } = await longHistories(gateway);
  const [listed] = itemsOf(await fixture.send('GET', '?include=history'));
  const one = (await fixture.send('GET', `/${id}?include=history`)).payload;
  for (const offer of [listed, one]) {
    expect(reasonsOf(offer?.['history'])).toEqual(reasons(151, 250));
    expect(offer?.['historyHasEarlier']).toBe(true);
  }
});

test('returns a history of 100 changes in full, without a note that it is longer', async ({
  gateway,
}) => {
  const { fixture } = await longHistories(gateway, 1, 100);
  const [listed] = itemsOf(await fixture.send('GET', '?include=history'));
  expect(reasonsOf(listed?.['history'])).toEqual(reasons(1, 100));
  expect(listed).not.toHaveProperty('historyHasEarlier');
});

test('a list of 100 much-edited offers with history stays below 2 MB', async ({ gateway }) => {
  const { fixture } = await longHistories(gateway, 100, 300);
  const { text } = await fixture.send('GET', '?include=history&pageSize=100');
  expect(text.length).toBeLessThan(2_000_000);
});

test('the history route lists every change, oldest first, page by page', async ({ gateway }) => {
  const { fixture, id } = await longHistories(gateway);
  const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf(fixture, id, page)));
  expect(pages.flatMap((page) => reasonsOf(itemsOf(page)))).toEqual(reasons(1, length));
  expect(itemsOf(await pageOf(fixture, id, 1))[0]).toStrictEqual({
    at: expect.stringMatching(/Z$/),
    from: null,
    to: expect.any(String),
    reason: 'change 1',
  });
  expect(pages[3]?.payload?.['pagination']).toEqual({
    page: 4,
    pageSize: 100,
    totalCount: length,
    totalPages: 3,
  });
  // Deep pages are read from the end.
  expect(reasonsOf(itemsOf(await pageOf(fixture, id, 3, 99)))).toEqual(reasons(199, 250));
});

test('a switch that is not stored yet is the last change, on the last page', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Approved');
  const { payload } = await pageOf(fixture, id, 1);
  const { totalCount } = (payload as { pagination: { totalCount: number } }).pagination;
  await fixture.switchAgreement(percentageOfSale);
  const last = { at: expect.any(String), from: 'Approved', to: 'PendingRepricing', reason: null };
  for (const pageSize of [totalCount, totalCount + 1, 100]) {
    const page = Math.ceil((totalCount + 1) / pageSize);
    const answer = await pageOf(fixture, id, page, pageSize);
    expect(itemsOf(answer).at(-1)).toEqual(last);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: totalCount + 1 } });
    expect(itemsOf(await pageOf(fixture, id, page + 1, pageSize))).toEqual([]);
  }
  const { token } = fixture.vendor;
  const url = `/api/v1/scent/offers/${id}?include=history`;
  const { payload: read } = await call(gateway, 'GET', url, { token });
  const { history } = read as { history: unknown[] };
  expect(history.at(-1)).toEqual(last);
});
