import { describe, expect } from 'vitest';
import { freeFormOffer } from '../../../support/api/actors.ts';
import {
  call,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Gateway,
} from '../../../support/api/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { newOfferFixture, type OfferFixture } from '../offer-fixture.ts';

// The forms of the parameters have their cases in `test/api/validation`, what a poll may miss in
// `test/db/offers/offer-changes.test.ts`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newOfferFixture(gateway));

const read = ({ send }: OfferFixture, query: Record<string, string> = {}) =>
  send('GET', `?${new URLSearchParams(query).toString()}`);
const idsOf = async (fixture: OfferFixture, query: Record<string, string> = {}) =>
  itemsOf(await read(fixture, query)).map(({ id }) => String(id));

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

test("lists all of the vendor's offers, entered ones too, and no other vendor's", async ({
  gateway,
  fixture,
}) => {
  const other = await newOfferFixture(gateway);
  const [id, foreign] = [await fixture.create(), await other.create()];
  const url = `/operator/v1/vendors/${fixture.vendor.vendorId}/offers`;
  const { operator } = fixture;
  const manual = await call(gateway, 'POST', url, { ...operator, body: freeFormOffer });
  expect(await idsOf(fixture)).toEqual([textOf(manual, 'id'), id]);
  expect(await idsOf(other)).toEqual([foreign]);
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
    [{ vendorSku: 'SKU' }, []],
    [{ vendorSku: ' SKU%' }, []],
    [key, [one]],
    [{ vendorExternalId: 'one' }, []],
    [{ status: 'PendingMatch' }, [two]],
    [{ status: 'PendingReview' }, [none, three, one]],
    [{ status: 'Suspended' }, []],
    [{ ...twin, status: 'PendingReview' }, [one]],
    [{ ...twin, ...upper, status: 'PendingMatch' }, [two]],
    [{ ...twin, ...upper, status: 'PendingReview' }, []],
    [{ vendorSku: "'; drop table offers; --" }, []],
  ]);
});

describe('by time', () => {
  test('lists what changed strictly after changedSince, by change time and id', async ({
    gateway,
    fixture,
  }) => {
    const [one, two, three, four] = await datedOffers(gateway, fixture, [
      [1, 9],
      [2, 7],
      [3, 7],
      [4, 5],
    ]);
    await expectLists(fixture, [
      [{ changedSince: at(0) }, [four, two, three, one]],
      [{ changedSince: at(5) }, [two, three, one]],
      [{ changedSince: at(4, '999999') }, [four, two, three, one]],
      [{ changedSince: at(9) }, []],
      [{ changedSince: '2026-03-01T13:07:00+03:00' }, [one]],
      [{ changedSince: '2026-03-01t10:07:00z' }, [one]],
      [{ changedSince: at(0), page: '2', pageSize: '3' }, [one]],
    ]);
  });

  test('includes both ends of the range of creation, to the microsecond', async ({
    gateway,
    fixture,
  }) => {
    const [one, two, three] = await datedOffers(gateway, fixture, [
      [1, 9],
      [2, 8],
      [3, 7],
    ]);
    await gateway.sql`
      update offers set change_time = ${at(9, '000001')}::text::timestamptz,
        created_at = ${at(1, '000001')}::text::timestamptz
      where id = ${one ?? ''}`;
    await expectLists(fixture, [
      [{ from: at(2) }, [three, two]],
      [{ to: at(2) }, [two, one]],
      [{ from: at(2), to: at(2) }, [two]],
      [{ from: at(1), to: at(3) }, [three, two, one]],
      [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
      [{ from: at(4) }, []],
      [{ from: at(1), to: at(2), changedSince: at(8) }, [one]],
      [{ from: at(1), changedSince: at(6) }, [three, two, one]],
      [{ from: at(2), status: 'PendingReview' }, [three, two]],
      [{ from: at(2), status: 'Approved' }, []],
      [{ changedSince: at(9) }, [one]],
      [{ changedSince: at(9, '000000999') }, [one]],
      [{ changedSince: at(9, '000001') }, []],
      [{ from: at(1, '000001') }, [three, two, one]],
      [{ from: at(1, '000002') }, [three, two]],
      [{ to: at(1, '000001') }, [one]],
      [{ to: at(1) }, []],
    ]);
  });

  test('finds what any change has touched since, and nothing else', async ({
    gateway,
    fixture,
  }) => {
    const { create, offerIn, patch, send } = fixture;
    const ids = [await create(), await create(), await offerIn('Draft')];
    const [edited = '', stocked = '', submitted = ''] = ids;
    const still = await offerIn('Approved');
    const [row] = await gateway.sql<[{ last: Date }]>`
      select max(change_time) + interval '1 millisecond' as last from offers`;
    const changedSince = row.last.toISOString();
    expect(await idsOf(fixture, { changedSince })).toEqual([]);
    await patch(edited, { vendorSku: 'S' });
    await send('PATCH', `/${stocked}/stock`, { declaredInStock: true });
    await send('POST', `/${submitted}/submit`);
    // No change at all.
    await patch(still, {});
    await send('PATCH', `/${still}/cost`, { cost: 100, costIsVatInclusive: false });
    expect(new Set(await idsOf(fixture, { changedSince }))).toEqual(new Set(ids));
  });
});

test.for([
  [`vendorSku=${'x'.repeat(101)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [`vendorExternalId=${'x'.repeat(256)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['vendorExternalId=x&vendorExternalId=x', 'VALIDATION_INVALID_QUERY_PARAMETER'],
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
