import { expect } from 'vitest';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { costPlus, percentageOfSale, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../../support/api/api.ts';
import { atMinute as at, expectLists, listOf } from '../../support/api/lists.ts';
import { instant } from '../../support/api/matchers.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { seedManyOffers } from '../../support/seeds/seed-many-offers.ts';
import { newOfferFixture, type OfferFixture } from './offer-fixture.ts';
import { rowOf } from './offer-record.ts';

// The forms of the parameters have their cases in `test/api/validation`, what a poll may miss in
// `test/db/offers/offer-changes.test.ts`.

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newOfferFixture(gateway))
  .extend('list', listOf);

/** Offers, by the minutes of creation and last change, as `1-9 2-8`. */
async function datedOffers(
  { sql }: Gateway,
  { create }: OfferFixture,
  minutes: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const pair of minutes.split(' ')) {
    const [created = 0, changed = 0] = pair.split('-').map(Number);
    const id = await create();
    await sql`
      update offers set created_at = ${at(created)}::text::timestamptz,
        change_time = ${at(changed)}::text::timestamptz
      where id = ${id}`;
    ids.push(id);
  }
  return ids;
}

test('lists the newest first, page by page', async ({ gateway, fixture, list }) => {
  const pagination = { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 };
  expect((await list()).payload).toStrictEqual({ items: [], pagination });
  const dates = '1-9 2-8 2-7 0-6 3-5';
  const [one, two, three, oldest, newest] = await datedOffers(gateway, fixture, dates);
  const first = await list({ pageSize: '2' });
  const counted = { page: 1, pageSize: 2, totalCount: 5, totalPages: 3 };
  expect(first.payload?.['pagination']).toStrictEqual(counted);
  // Of those made in the same instant, the later id comes first.
  await expectLists(list, [
    [{ page: '1', pageSize: '2' }, [newest, three]],
    [{ page: '2', pageSize: '2' }, [two, one]],
    [{ page: '3', pageSize: '2' }, [oldest]],
    [{ page: '4', pageSize: '2' }, []],
    [{ page: '999999999999999', pageSize: '100' }, []],
  ]);
});

test('filters exactly by status, vendorSku and vendorExternalId, alone and together', async ({
  fixture,
  list,
}) => {
  const twin = { vendorSku: 'SKU%_\\ä 😀' };
  const key = { vendorExternalId: 'one & only=?' };
  const upper = { vendorExternalId: 'ONE & ONLY=?' };
  const one = await fixture.create({ declared: { ...twin, ...key } });
  const two = await fixture.create({ isMatched: false, declared: { ...twin, ...upper } });
  const three = await fixture.create({ declared: { vendorSku: 'SKU%' } });
  const none = await fixture.create();
  await expectLists(list, [
    [twin, [two, one]],
    [{ vendorSku: 'SKU%' }, [three]],
    [{ vendorSku: 'sku%' }, []],
    [key, [one]],
    [{ vendorExternalId: 'one' }, []],
    [{ ...key, changedSince: '2020-01-01T00:00:00Z' }, [one]],
    [{ status: 'PendingMatch' }, [two]],
    [{ status: 'PendingReview' }, [none, three, one]],
    [{ ...twin, status: 'PendingReview' }, [one]],
    [{ ...twin, ...upper, status: 'PendingMatch' }, [two]],
    [{ vendorSku: "'; drop table offers; --" }, []],
  ]);
});

test('filters by change and creation, to the microsecond', async ({ gateway, fixture, list }) => {
  const [one, two, three, four] = await datedOffers(gateway, fixture, '1-9 2-7 3-7 4-5');
  await gateway.sql`
    update offers set change_time = ${at(9, '000001')}::text::timestamptz,
      created_at = ${at(1, '000001')}::text::timestamptz
    where id = ${one ?? ''}`;
  await expectLists(list, [
    // By change time and id, strictly after.
    [{ changedSince: at(0) }, [four, two, three, one]],
    [{ changedSince: at(5) }, [two, three, one]],
    [{ changedSince: at(4, '999999') }, [four, two, three, one]],
    [{ changedSince: at(9) }, [one]],
    [{ changedSince: at(9, '000000999') }, [one]],
    [{ changedSince: at(9, '000001') }, []],
    [{ changedSince: at(0), page: '2', pageSize: '3' }, [one]],
    // The newest first, with both ends.
    [{ from: at(3) }, [four, three]],
    [{ to: at(2) }, [two, one]],
    [{ from: at(2), to: at(2) }, [two]],
    [{ from: at(1, '000001'), to: at(1, '000001') }, [one]],
    [{ from: at(1, '000002'), to: at(2) }, [two]],
    [{ to: at(1) }, []],
    [{ from: at(1), to: at(2), changedSince: at(8) }, [one]],
    [{ from: at(2), status: 'PendingReview' }, [four, three, two]],
    [{ from: at(2), status: 'Approved' }, []],
  ]);
});

test.for([
  [`vendorSku=${'x'.repeat(101)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [`vendorExternalId=${'x'.repeat(256)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['from=2026-03-01T10:00:00-01:00&to=2026-03-01T10:30:00Z', 'VALIDATION_INVALID_DATE'],
] as const)('refuses ?%s: %s', async ([query, code], { fixture }) => {
  const [parameter = ''] = query.split('=');
  expect(await fixture.send('GET', `?${query}`)).toMatchObject(refusal(code, { parameter }));
});

test('refuses unknown parameters or includes before a missing offer', async ({ fixture, list }) => {
  const unknown = 'VALIDATION_UNKNOWN_QUERY_PARAMETER';
  const names = ['page', 'pageSize', 'status', 'vendorSku', 'vendorExternalId', 'changedSince'];
  const allowedParameters = [...names, 'from', 'to', 'include'];
  expect(await list({ sort: 'asc' })).toMatchObject(refusal(unknown, { allowedParameters }));
  const one = (query: string) => fixture.send('GET', `/${unknownId()}?${query}`);
  expect(await one('sort=asc')).toMatchObject(refusal(unknown, { allowedParameters: ['include'] }));
  expect((await one('include=lines')).state).toBe('VALIDATION_UNKNOWN_INCLUDE');
});

test.for(offerStatuses)(
  'shows a %s offer in the same form alone and in the list (D144)',
  async (status, { gateway }) => {
    const agreement = offerStatuses.indexOf(status) % 2 === 0 ? costPlus : percentageOfSale;
    const fixture = await newOfferFixture(gateway, agreement);
    const id = await fixture.offerIn(status);
    const { payload } = await fixture.send('GET', `/${id.toUpperCase()}`);
    const changedAt = expect.stringMatching(/\.\d{6}Z$/);
    expect(payload).toMatchObject({ id, status, source: 'Api', changedAt });
    for (const query of ['', `?status=${status}`])
      expect(itemsOf(await fixture.send('GET', query))).toStrictEqual([payload]);
  },
);

test('requires one of Offers, Stock and Cost, and names Offers in the refusal', async ({
  gateway,
  fixture: { vendor, create },
}) => {
  const path = `/api/v1/scent/offers/${await create()}`;
  for (const capability of ['Offers', 'Stock', 'Cost'] as const) {
    const token = tokenWith(gateway, vendor, [capability]);
    expect((await call(gateway, 'GET', path, { token })).status).toBe(200);
  }
  const token = tokenWith(gateway, vendor, ['Orders', 'Account']);
  expect(await call(gateway, 'GET', path, { token })).toMatchObject(
    refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: 'Offers' }),
  );
});

type Change = { readonly at: string; readonly reason: string };
const historyOf = async ({ send }: OfferFixture, id: string) =>
  ((await send('GET', `/${id}?include=history`)).payload as { history: Change[] }).history;

test('adds every status change, the oldest first, with include=history only', async ({
  gateway,
  fixture,
}) => {
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

async function longHistory(gateway: Gateway, historyLength = length) {
  const { send, vendor } = await newOfferFixture(gateway);
  await seedManyOffers(gateway.sql, vendor.vendorId, 1, { historyLength });
  const [{ id } = { id: '' }] = itemsOf(await send('GET', '')) as { id: string }[];
  return { send, id };
}

test('includes the newest 100 changes, and says whether there are earlier ones', async ({
  gateway,
}) => {
  const long = await longHistory(gateway);
  const [listed] = itemsOf(await long.send('GET', '?include=history'));
  const one = (await long.send('GET', `/${long.id}?include=history`)).payload;
  for (const offer of [listed, one]) {
    expect(reasonsOf(offer?.['history'])).toEqual(reasons(151, 250));
    expect(offer?.['historyHasEarlier']).toBe(true);
  }
  const hundred = await longHistory(gateway, 100);
  const [whole] = itemsOf(await hundred.send('GET', '?include=history'));
  expect(reasonsOf(whole?.['history'])).toEqual(reasons(1, 100));
  expect(whole).not.toHaveProperty('historyHasEarlier');
});

test('lists every change by its own route, oldest first, page by page', async ({ gateway }) => {
  const { send, id } = await longHistory(gateway);
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
test('lists a switch of the agreement at once as the last change, on the last page', async ({
  gateway,
  fixture: { offerIn, send, switchAgreement },
}) => {
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
    if (page > 1) expect(itemsOf(await pageOf(1))).toHaveLength(pageSize);
  }
});
