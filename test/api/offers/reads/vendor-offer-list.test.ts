import { expect } from 'vitest';
import { freeFormOffer } from '../../support/actors.ts';
import { newOfferFixture } from '../offer-fixture.ts';
import { call, refusal, textOf, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { idsOf, list, datedOffers } from './vendor-offer-reads-fixture.ts';

test('the list has the form of every list, the newest first, page by page', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  expect((await list(fixture)).payload).toStrictEqual({
    items: [],
    pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
  });
  const ids = await datedOffers(gateway, fixture, [
    [1, 9],
    [2, 8],
    [2, 7],
    [0, 6],
    [3, 5],
  ]);
  const [one, two, three, oldest, newest] = ids;
  const first = await list(fixture, '?page=1&pageSize=2');
  expect(first.payload?.['pagination']).toStrictEqual({
    page: 1,
    pageSize: 2,
    totalCount: 5,
    totalPages: 3,
  });
  const pages = [
    first,
    await list(fixture, '?page=2&pageSize=2'),
    await list(fixture, '?pageSize=2&page=3'),
  ];
  // Made in the same instant, the later id comes first.
  expect(pages.flatMap(idsOf)).toEqual([newest, three, two, one, oldest]);
  expect(idsOf(await list(fixture, '?page=4&pageSize=2'))).toEqual([]);
  for (const page of ['999999999999', '99999999999999', '999999999999999']) {
    const answer = await list(fixture, `?page=${page}&pageSize=100`);
    expect(answer).toMatchObject({
      status: 200,
      payload: { items: [], pagination: { totalCount: 5 } },
    });
  }
});

test("the list has all of the vendor's offers, entered ones too, and no other vendor's", async ({
  gateway,
}) => {
  const [fixture, other] = [await newOfferFixture(gateway), await newOfferFixture(gateway)];
  const id = await fixture.create();
  const foreign = await other.create();
  const url = `/operator/v1/vendors/${fixture.vendor.vendorId}/offers`;
  const manual = await call(gateway, 'POST', url, {
    token: fixture.operator.token,
    body: freeFormOffer,
  });
  expect(idsOf(await list(fixture))).toEqual([textOf(manual, 'id'), id]);
  expect(idsOf(await list(other))).toEqual([foreign]);
});

test('status, vendorSku and vendorExternalId filter exactly, alone and together', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const twin = { vendorSku: 'SKU%_\\ä 😀' };
  const one = await fixture.create({ declared: { ...twin, vendorExternalId: 'one & only=?' } });
  const two = await fixture.create({
    isMatched: false,
    declared: { ...twin, vendorExternalId: 'ONE & ONLY=?' },
  });
  const three = await fixture.create({ declared: { vendorSku: 'SKU%' } });
  const none = await fixture.create();
  const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{ ...twin }, [two, one]],
    [{ vendorSku: 'SKU%' }, [three]],
    [{ vendorSku: 'sku%' }, []],
    [{ vendorSku: 'SKU' }, []],
    [{ vendorSku: ' SKU%' }, []],
    [{ vendorExternalId: 'one & only=?' }, [one]],
    [{ vendorExternalId: 'one' }, []],
    [{ status: 'PendingMatch' }, [two]],
    [{ status: 'PendingReview' }, [none, three, one]],
    [{ status: 'Suspended' }, []],
    [{ ...twin, status: 'PendingReview' }, [one]],
    [{ ...twin, vendorExternalId: 'ONE & ONLY=?', status: 'PendingMatch' }, [two]],
    [{ ...twin, vendorExternalId: 'ONE & ONLY=?', status: 'PendingReview' }, []],
    [{ vendorSku: "'; drop table offers; --" }, []],
  ];
  for (const [query, ids] of cases) {
    const answer = await list(fixture, `?${new URLSearchParams(query).toString()}`);
    expect(idsOf(answer), JSON.stringify(query)).toEqual(ids);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
});

test.for([
  ['page=0', 'VALIDATION_INVALID_PAGE'],
  ['pageSize=101', 'VALIDATION_INVALID_PAGE_SIZE'],
  ['status=draft', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['vendorSku=%00', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [`vendorSku=${'x'.repeat(101)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  [`vendorExternalId=${'x'.repeat(256)}`, 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['vendorExternalId=x&vendorExternalId=x', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['changedSince=2026-03-01', 'VALIDATION_INVALID_DATE'],
  ['from=x', 'VALIDATION_INVALID_DATE'],
  ['to=2026-03-01T10:00:00+03:00', 'VALIDATION_INVALID_DATE'],
  ['include=lines', 'VALIDATION_UNKNOWN_INCLUDE'],
] as const)('?%s is 400 %s', async ([query, code], { gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const [parameter = ''] = query.split('=');
  expect(await list(fixture, `?${query}`)).toMatchObject(refusal(code, { parameter }));
});

test('an unknown parameter, or include, is refused before a missing offer', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const unknown = 'VALIDATION_UNKNOWN_QUERY_PARAMETER';
  expect(await list(fixture, '?sort=asc')).toMatchObject(
    refusal(unknown, {
      allowedParameters: [
        'page',
        'pageSize',
        'status',
        'vendorSku',
        'vendorExternalId',
        'changedSince',
        'from',
        'to',
        'include',
      ],
    }),
  );
  const one = (query: string) => fixture.send('GET', `/${unknownId()}?${query}`);
  expect(await one('sort=asc')).toMatchObject(refusal(unknown, { allowedParameters: ['include'] }));
  expect((await one('include=lines')).state).toBe('VALIDATION_UNKNOWN_INCLUDE');
});
