import { expect } from 'vitest';
import { itemsOf, refusal, unknownId, type Gateway } from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, type OfferFixture } from '../offer-fixture.ts';

// The forms of the parameters have their cases in `test/api/validation`, what a poll may miss in
// `test/db/offers/offer-changes.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newOfferFixture(gateway));

const read = ({ send }: OfferFixture, query: Record<string, string> = {}) =>
  send('GET', `?${new URLSearchParams(query).toString()}`);

/** The minute of an hour. */
const at = (minute: number, micros = '000000') =>
  `2026-03-01T10:${String(minute).padStart(2, '0')}:00.${micros}Z`;

/** Offers whose creation and last change are at these minutes. */
async function datedOffers(
  { sql }: Gateway,
  { create }: OfferFixture,
  minutes: readonly (readonly [created: number, changed: number])[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [created, changed] of minutes) {
    const id = await create();
    await sql`
      update offers set created_at = ${at(created)}::text::timestamptz,
        change_time = ${at(changed)}::text::timestamptz
      where id = ${id}`;
    ids.push(id);
  }
  return ids;
}

type Cases = readonly (readonly [
  query: Record<string, string>,
  ids: readonly (string | undefined)[],
])[];
async function expectLists(fixture: OfferFixture, cases: Cases): Promise<void> {
  for (const [query, ids] of cases) {
    const answer = await read(fixture, query);
    const found = itemsOf(answer).map(({ id }) => id);
    expect(found, JSON.stringify(query)).toEqual(ids);
    const { page, pageSize } = query;
    if (page === undefined && pageSize === undefined)
      expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
}

test('lists the newest first, page by page', async ({ gateway, fixture }) => {
  const pagination = { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 };
  expect((await read(fixture)).payload).toStrictEqual({ items: [], pagination });
  const [one, two, three, oldest, newest] = await datedOffers(gateway, fixture, [
    [1, 9],
    [2, 8],
    [2, 7],
    [0, 6],
    [3, 5],
  ]);
  const first = await read(fixture, { pageSize: '2' });
  const counted = { page: 1, pageSize: 2, totalCount: 5, totalPages: 3 };
  expect(first.payload?.['pagination']).toStrictEqual(counted);
  // Of those made in the same instant, the later id comes first.
  await expectLists(fixture, [
    [{ page: '1', pageSize: '2' }, [newest, three]],
    [{ page: '2', pageSize: '2' }, [two, one]],
    [{ page: '3', pageSize: '2' }, [oldest]],
    [{ page: '4', pageSize: '2' }, []],
    [{ page: '999999999999999', pageSize: '100' }, []],
  ]);
});

test('filters exactly by status, vendorSku and vendorExternalId, alone and together', async ({
  fixture,
}) => {
  const twin = { vendorSku: 'SKU%_\\ä 😀' };
  const key = { vendorExternalId: 'one & only=?' };
  const upper = { vendorExternalId: 'ONE & ONLY=?' };
  const one = await fixture.create({ declared: { ...twin, ...key } });
  const two = await fixture.create({ isMatched: false, declared: { ...twin, ...upper } });
  const three = await fixture.create({ declared: { vendorSku: 'SKU%' } });
  const none = await fixture.create();
  await expectLists(fixture, [
    [twin, [two, one]],
    [{ vendorSku: 'SKU%' }, [three]],
    [{ vendorSku: 'sku%' }, []],
    [key, [one]],
    [{ vendorExternalId: 'one' }, []],
    [{ status: 'PendingMatch' }, [two]],
    [{ status: 'PendingReview' }, [none, three, one]],
    [{ ...twin, status: 'PendingReview' }, [one]],
    [{ ...twin, ...upper, status: 'PendingMatch' }, [two]],
    [{ vendorSku: "'; drop table offers; --" }, []],
  ]);
});

test('filters by the last change and by creation, to the microsecond', async ({
  gateway,
  fixture,
}) => {
  const [one, two, three, four] = await datedOffers(gateway, fixture, [
    [1, 9],
    [2, 7],
    [3, 7],
    [4, 5],
  ]);
  await gateway.sql`
    update offers set change_time = ${at(9, '000001')}::text::timestamptz,
      created_at = ${at(1, '000001')}::text::timestamptz
    where id = ${one ?? ''}`;
  await expectLists(fixture, [
    // By change time and id, strictly after.
    [{ changedSince: at(0) }, [four, two, three, one]],
    [{ changedSince: at(5) }, [two, three, one]],
    [{ changedSince: at(4, '999999') }, [four, two, three, one]],
    [{ changedSince: at(9) }, [one]],
    [{ changedSince: at(9, '000000999') }, [one]],
    [{ changedSince: at(9, '000001') }, []],
    [{ changedSince: '2026-03-01T13:07:00+03:00' }, [one]],
    [{ changedSince: at(0), page: '2', pageSize: '3' }, [one]],
    // The newest first, with both ends.
    [{ from: at(3) }, [four, three]],
    [{ to: at(2) }, [two, one]],
    [{ from: at(2), to: at(2) }, [two]],
    [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
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
  ['changedSince=2026-03-01', 'VALIDATION_INVALID_DATE'],
  // A space in a query is no offset.
  ['to=2026-03-01T10:00:00+03:00', 'VALIDATION_INVALID_DATE'],
  ['from=2026-03-01T10:00:00-01:00&to=2026-03-01T10:30:00Z', 'VALIDATION_INVALID_DATE'],
] as const)('refuses ?%s: %s', async ([query, code], { fixture }) => {
  const [parameter = ''] = query.split('=');
  expect(await fixture.send('GET', `?${query}`)).toMatchObject(refusal(code, { parameter }));
});

test('refuses an unknown parameter, or include, before a missing offer', async ({ fixture }) => {
  const unknown = 'VALIDATION_UNKNOWN_QUERY_PARAMETER';
  const names = ['page', 'pageSize', 'status', 'vendorSku', 'vendorExternalId', 'changedSince'];
  const allowedParameters = [...names, 'from', 'to', 'include'];
  expect(await read(fixture, { sort: 'asc' })).toMatchObject(
    refusal(unknown, { allowedParameters }),
  );
  const one = (query: string) => fixture.send('GET', `/${unknownId()}?${query}`);
  expect(await one('sort=asc')).toMatchObject(refusal(unknown, { allowedParameters: ['include'] }));
  expect((await one('include=lines')).state).toBe('VALIDATION_UNKNOWN_INCLUDE');
});
