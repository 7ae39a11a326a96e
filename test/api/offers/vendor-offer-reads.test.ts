import { expect } from 'vitest';
import { offerStatuses } from '../../../domain/offers/offer.ts';
import { costPlus, freeFormOffer, percentageOfSale, tokenWith } from '../support/actors.ts';
import { newBench, recordOf, rowOf, type Bench } from './offer-fixture.ts';
import {
  call,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Answer,
  type Gateway,
} from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway-test.ts';

const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));
const list = ({ send }: Bench, query = '') => send('GET', query);
const listedIds = async (bench: Bench, query: Record<string, string>) =>
  idsOf(await list(bench, `?${new URLSearchParams(query).toString()}`));

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Offers whose creation and last change are at these minutes of one hour. */
const at = (minute: number, micros = '000000') =>
  `2026-03-01T10:${String(minute).padStart(2, '0')}:00.${micros}Z`;
async function datedOffers(
  gateway: Gateway,
  bench: Bench,
  minutes: readonly (readonly [created: number, changed: number])[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [created, changed] of minutes) {
    const id = await bench.create();
    await gateway.sql`
      update offers set created_at = ${at(created)}::text::timestamptz, changed_at = ${at(changed)}::text::timestamptz
      where id = ${id}`;
    ids.push(id);
  }
  return ids;
}

test('one offer is read in the nested form to the letter', async ({ gateway }) => {
  const { create, read } = await newBench(gateway);
  const id = await create({
    isMatched: false,
    said: { vendorSku: 'S', vendorExternalId: 'K', declaredStockQuantity: 4, rawSizeMl: 50 },
  });
  const answer = await read(id);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id,
    status: 'PendingMatch',
    pricingModel: { name: 'CostPlusMargin', model: 1 },
    vendorExternalId: 'K',
    product: {
      variantId: null,
      vendorSku: 'S',
      barcode: '4006381333931',
      rawBrandName: 'Brand',
      rawProductName: 'Product',
      rawConcentration: null,
      rawDescription: null,
      rawSizeMl: 50,
    },
    cost: {
      amount: 100,
      isVatInclusive: false,
      enteredVatInclusive: false,
      inputVat: 15,
      pending: null,
    },
    price: {
      amount: null,
      isVatInclusive: false,
      enteredVatInclusive: null,
      vat: null,
      pending: null,
    },
    stock: { declaredQuantity: 4, declaredInStock: true },
    review: { reviewedAt: null, reason: null },
  });
});

test.for(offerStatuses)(
  'a %s offer is read, alone and in the list, in the same form',
  async (status, { gateway }) => {
    for (const agreement of [costPlus, percentageOfSale]) {
      const bench = await newBench(gateway, agreement);
      const id = await bench.offerIn(status);
      const { payload } = await bench.read(id.toUpperCase());
      expect(payload).toMatchObject({ id, status });
      expect(itemsOf(await list(bench))).toStrictEqual([payload]);
      expect(await listedIds(bench, { status })).toEqual([id]);
    }
  },
);

test('reading changes nothing, and tells no one who reviewed', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const id = await bench.offerIn('Rejected');
  const before = await recordOf(gateway, id);
  for (const path of [`/${id}`, `/${id}?include=history`, '', '?include=history']) {
    const answer = await bench.send('GET', path);
    expect(answer.text).toContain('No.');
    for (const secret of [bench.operator.id, bench.operator.operatorId]) {
      expect(answer.text).not.toContain(secret);
    }
  }
  expect(await recordOf(gateway, id)).toBe(before);
});

test("another vendor's offer, an unknown one and no uuid at all are the same 404", async ({
  gateway,
}) => {
  const [owner, stranger] = [await newBench(gateway), await newBench(gateway)];
  const id = await owner.create();
  for (const given of [id, unknownId(), '1', `${id}x`, '%00', '%2e%2e%2f', 'x'.repeat(300)]) {
    for (const query of ['', '?include=history']) {
      const answer = await stranger.send('GET', `/${given}${query}`);
      expect(answer).toMatchObject(refusal('NOT_FOUND_VENDOR_OFFER'));
    }
  }
  expect((await list(stranger)).payload).toMatchObject({
    items: [],
    pagination: { totalCount: 0 },
  });
});

test('any one of Offers, Stock and Cost may read; without all of them Offers is named', async ({
  gateway,
}) => {
  const { vendor, create } = await newBench(gateway);
  const id = await create();
  for (const path of ['', `/${id}`, '?include=history']) {
    const get = (token: string) => call(gateway, 'GET', `/api/v1/scent/offers${path}`, { token });
    for (const capability of ['Offers', 'Stock', 'Cost'] as const) {
      expect((await get(tokenWith(gateway, vendor, [capability]))).status).toBe(200);
    }
    for (const capabilities of [['Orders'], ['Account'], ['Orders', 'Account']] as const) {
      const details = { requiredCapability: 'Offers' };
      const answer = await get(tokenWith(gateway, vendor, capabilities));
      expect(answer).toMatchObject(refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', details));
    }
  }
});

test('the list has the form of every list, the newest first, page by page', async ({ gateway }) => {
  const bench = await newBench(gateway);
  expect((await list(bench)).payload).toStrictEqual({
    items: [],
    pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
  });
  const ids = await datedOffers(gateway, bench, [
    [1, 9],
    [2, 8],
    [2, 7],
    [0, 6],
    [3, 5],
  ]);
  const [one, two, three, oldest, newest] = ids;
  const first = await list(bench, '?page=1&pageSize=2');
  expect(first.payload?.['pagination']).toStrictEqual({
    page: 1,
    pageSize: 2,
    totalCount: 5,
    totalPages: 3,
  });
  const pages = [
    first,
    await list(bench, '?page=2&pageSize=2'),
    await list(bench, '?pageSize=2&page=3'),
  ];
  // Made in the same instant, the later id comes first.
  expect(pages.flatMap(idsOf)).toEqual([newest, three, two, one, oldest]);
  expect(idsOf(await list(bench, '?page=4&pageSize=2'))).toEqual([]);
  for (const page of ['999999999999', '99999999999999', '999999999999999']) {
    const answer = await list(bench, `?page=${page}&pageSize=100`);
    expect(answer).toMatchObject({
      status: 200,
      payload: { items: [], pagination: { totalCount: 5 } },
    });
  }
});

test("the list holds all of the vendor's own offers, entered by hand too, and nobody else's", async ({
  gateway,
}) => {
  const [bench, other] = [await newBench(gateway), await newBench(gateway)];
  const id = await bench.create();
  const foreign = await other.create();
  const url = `/operator/v1/vendors/${bench.vendor.vendorId}/offers`;
  const manual = await call(gateway, 'POST', url, {
    token: bench.operator.token,
    body: freeFormOffer,
  });
  expect(idsOf(await list(bench))).toEqual([textOf(manual, 'id'), id]);
  expect(idsOf(await list(other))).toEqual([foreign]);
});

test('status, vendorSku and vendorExternalId filter exactly, alone and together', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const twin = { vendorSku: 'SKU%_\\ä 😀' };
  const one = await bench.create({ said: { ...twin, vendorExternalId: 'one & only=?' } });
  const two = await bench.create({
    isMatched: false,
    said: { ...twin, vendorExternalId: 'ONE & ONLY=?' },
  });
  const three = await bench.create({ said: { vendorSku: 'SKU%' } });
  const none = await bench.create();
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
    const answer = await list(bench, `?${new URLSearchParams(query).toString()}`);
    expect(idsOf(answer), JSON.stringify(query)).toEqual(ids);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
});

test('the length of a text filter is that of its field, in code points', async ({ gateway }) => {
  const bench = await newBench(gateway);
  for (const [name, max] of [
    ['vendorSku', 100],
    ['vendorExternalId', 255],
  ] as const) {
    const value = '😀'.repeat(max);
    const id = await bench.create({ said: { [name]: value } });
    expect(await listedIds(bench, { [name]: value })).toEqual([id]);
    for (const long of ['x'.repeat(max + 1), '😀'.repeat(max + 1)]) {
      const answer = await list(bench, `?${new URLSearchParams({ [name]: long }).toString()}`);
      const details = { parameter: name };
      expect(answer).toMatchObject(refusal('VALIDATION_INVALID_QUERY_PARAMETER', details));
    }
  }
});

test.for(['vendorSku', 'vendorExternalId'])(
  '%s with a NUL, or given twice, is a clear 400 that names it',
  async (name, { gateway }) => {
    const bench = await newBench(gateway);
    for (const value of ['%00', 'a%00b', '%00%00', `x&${name}=x`, `&${name}=`]) {
      const answer = await list(bench, `?${name}=${value}`);
      const details = { parameter: name };
      expect(answer).toMatchObject(refusal('VALIDATION_INVALID_QUERY_PARAMETER', details));
      expect(answer.details).toEqual(details);
    }
  },
);

test.for([
  '%',
  '%zz',
  '%ff',
  '%c3',
  '%ed%a0%80',
  '%f0%90%80',
  '%c0%80',
  '%e2%28%a1',
  '+',
  '%2b',
  '%u0000',
])('the bytes %s in a query are never a fault of ours', async (value, { gateway }) => {
  const bench = await newBench(gateway);
  await bench.create();
  for (const name of [
    'vendorSku',
    'vendorExternalId',
    'status',
    'changedSince',
    'from',
    'page',
    'include',
    value,
  ]) {
    const answer = await list(bench, `?${name}=${value}`);
    expect([200, 400]).toContain(answer.status);
    if (answer.status === 200) expect(itemsOf(answer)).toEqual([]);
  }
});

test('changedSince is strictly after, and sorts by change time and then by id', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const [one, two, three, four] = await datedOffers(gateway, bench, [
    [1, 9],
    [2, 7],
    [3, 7],
    [4, 5],
  ]);
  const since = (changedSince: string) => listedIds(bench, { changedSince });
  expect(await since(at(0))).toEqual([four, two, three, one]);
  expect(await since(at(5))).toEqual([two, three, one]);
  expect(await since(at(4, '999999'))).toEqual([four, two, three, one]);
  expect(await since(at(7))).toEqual([one]);
  expect(await since(at(9))).toEqual([]);
  expect(await since('2026-03-01T13:07:00+03:00')).toEqual([one]);
  expect(await since('2026-03-01T05:07:00-05:00')).toEqual([one]);
  expect(await since('2026-03-01t10:07:00z')).toEqual([one]);
  const pages = ['1', '2'].map((page) =>
    listedIds(bench, { changedSince: at(0), page, pageSize: '3' }),
  );
  expect((await Promise.all(pages)).flat()).toEqual([four, two, three, one]);
});

test('microseconds count, in every date', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const [one, two] = await datedOffers(gateway, bench, [
    [1, 7],
    [2, 8],
  ]);
  await gateway.sql`
    update offers set changed_at = ${at(7, '000001')}::text::timestamptz,
      created_at = ${at(1, '000001')}::text::timestamptz
    where id = ${one ?? ''}`;
  const cases: readonly (readonly [Record<string, string>, readonly (string | undefined)[]])[] = [
    [{ changedSince: at(7) }, [one, two]],
    [{ changedSince: at(7, '000000999') }, [one, two]],
    [{ changedSince: at(7, '000001') }, [two]],
    [{ from: at(1, '000001') }, [two, one]],
    [{ from: at(1, '000002') }, [two]],
    [{ to: at(1, '000001') }, [one]],
    [{ to: at(1) }, []],
  ];
  for (const [query, ids] of cases) {
    expect(await listedIds(bench, query), JSON.stringify(query)).toEqual(ids);
  }
});

test('changedSince finds what any change has touched since, and nothing else', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const ids = [await bench.create(), await bench.create(), await bench.offerIn('Draft')];
  const [edited = '', stocked = '', submitted = ''] = ids;
  const still = await bench.offerIn('Approved');
  const [row] = await gateway.sql<[{ last: Date }]>`select max(changed_at) as last from offers`;
  const changedSince = row.last.toISOString();
  expect(await listedIds(bench, { changedSince })).toEqual([]);
  await bench.patch(edited, { vendorSku: 'S' });
  await bench.send('PATCH', `/${stocked}/stock`, { declaredInStock: true });
  await bench.send('POST', `/${submitted}/submit`);
  // No change at all.
  await bench.patch(still, {});
  await bench.send('PATCH', `/${still}/cost`, { cost: 100, costIsVatInclusive: false });
  expect(new Set(await listedIds(bench, { changedSince }))).toEqual(new Set(ids));
});

test('from and to are times of creation, both of them included', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const [one, two, three] = await datedOffers(gateway, bench, [
    [1, 9],
    [2, 8],
    [3, 7],
  ]);
  const cases: readonly (readonly [Record<string, string>, readonly (string | undefined)[]])[] = [
    [{ from: at(2) }, [three, two]],
    [{ to: at(2) }, [two, one]],
    [{ to: at(1, '999999') }, [one]],
    [{ from: at(2), to: at(2) }, [two]],
    [{ from: at(1), to: at(3) }, [three, two, one]],
    [{ from: '2026-03-01T13:02:00+03:00', to: '2026-03-01T05:02:00-05:00' }, [two]],
    [{ from: at(4) }, []],
    [{ from: at(1), to: at(2), changedSince: at(8) }, [one]],
    [{ from: at(1), changedSince: at(6) }, [three, two, one]],
    [{ from: at(2), status: 'PendingReview' }, [three, two]],
    [{ from: at(2), status: 'Approved' }, []],
  ];
  for (const [query, ids] of cases) {
    expect(await listedIds(bench, query), JSON.stringify(query)).toEqual(ids);
  }
});

test('a range that ends before it starts is VALIDATION_INVALID_DATE, by the instants and not by their text', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const range = (from: string, to: string) =>
    list(bench, `?${new URLSearchParams({ from, to }).toString()}`);
  for (const [from, to] of [
    [at(2), at(1)],
    [at(1, '000001'), at(1)],
    ['2026-03-01T10:00:00-01:00', '2026-03-01T10:30:00Z'],
    ['9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'],
  ] as const) {
    expect(await range(from, to)).toMatchObject({ status: 400, state: 'VALIDATION_INVALID_DATE' });
  }
  for (const [from, to] of [
    [at(1), at(1)],
    ['2026-03-01T10:30:00+01:00', '2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00Z', '2026-03-01T13:00:00+03:00'],
  ] as const) {
    expect((await range(from, to)).status).toBe(200);
  }
});

const dates = ['changedSince', 'from', 'to'] as const;

test.for([
  '',
  '%20',
  'now',
  '0',
  '1767225600',
  '2026-03-01',
  '2026-03-01T10:00',
  '2026-03-01T10:00:00',
  '2026-03-01 10:00:00Z',
  '2026-03-01T10:00:00+03:00',
  '2026-03-01T10:00:00%2B0300',
  '2026-02-29T10:00:00Z',
  '2026-02-30T10:00:00Z',
  '2026-04-31T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:00:61Z',
  '2026-03-01T10:00:00%2B24:00',
  '12026-03-01T10:00:00Z',
  '-0001-03-01T10:00:00Z',
  '2026-03-01T10:00:00Z%00',
  '%00',
  'infinity',
  '-infinity',
  'epoch',
  '[]',
  'null',
])(
  'the date %s is VALIDATION_INVALID_DATE, wherever a date is asked for',
  async (value, { gateway }) => {
    const bench = await newBench(gateway);
    for (const name of dates) {
      const answer = await list(bench, `?${name}=${value}`);
      expect(answer).toMatchObject(refusal('VALIDATION_INVALID_DATE', { parameter: name }));
    }
  },
);

test('a date given twice is VALIDATION_INVALID_DATE, also if it is the same', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  for (const name of dates) {
    const answer = await list(bench, `?${name}=${at(1)}&${name}=${at(1)}`);
    expect(answer).toMatchObject(refusal('VALIDATION_INVALID_DATE', { parameter: name }));
  }
});

test.for([
  ['0000-01-01T00:00:00Z', 1],
  ['0000-01-01T00:00:00%2B23:59', 1],
  ['0001-01-01T00:00:00Z', 1],
  ['0001-01-01T00:00:00%2B00:01', 1],
  ['9999-12-31T23:59:59Z', 0],
  ['9999-12-31T23:59:59.999999999Z', 0],
  ['9999-12-31T23:59:59-23:59', 0],
] as const)(
  '%s is a date like any other: since then %i offers',
  async ([date, count], { gateway }) => {
    const bench = await newBench(gateway);
    await bench.create();
    for (const [name, expected] of [
      ['changedSince', count],
      ['from', count],
      ['to', 1 - count],
    ] as const) {
      const answer = await list(bench, `?${name}=${date}`);
      expect(answer).toMatchObject({
        status: 200,
        payload: { pagination: { totalCount: expected } },
      });
    }
  },
);

const badCounts = [
  '0',
  '-1',
  '+1',
  '1.0',
  '1.5',
  '1e0',
  '1e1',
  '',
  '%20',
  'x',
  '0x1',
  '1,2',
  '١',
  'null',
  '%00',
];

test.for(badCounts)(
  'page=%s is VALIDATION_INVALID_PAGE, page size alike',
  async (value, { gateway }) => {
    const bench = await newBench(gateway);
    const page = await list(bench, `?page=${value}`);
    expect(page).toMatchObject(refusal('VALIDATION_INVALID_PAGE', { parameter: 'page' }));
    const size = await list(bench, `?pageSize=${value}`);
    expect(size).toMatchObject(refusal('VALIDATION_INVALID_PAGE_SIZE', { parameter: 'pageSize' }));
  },
);

test('a page size is 1 to 100, never clamped; a count given twice is refused', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  for (const size of [1, 100]) expect((await list(bench, `?pageSize=${size}`)).status).toBe(200);
  expect((await list(bench, '?pageSize=101')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  expect((await list(bench, '?pageSize=1000')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  expect((await list(bench, '?page=1&page=1')).state).toBe('VALIDATION_INVALID_PAGE');
  expect((await list(bench, '?pageSize=5&pageSize=5')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
});

test.for([
  'approved',
  'APPROVED',
  '',
  ' Approved',
  'Approved,Draft',
  'Live',
  '%00',
  'Draft&status=Draft',
])('status=%s is no status: the allowed ones are told', async (value, { gateway }) => {
  const bench = await newBench(gateway);
  const details = { parameter: 'status', allowedValues: [...offerStatuses] };
  const answer = await list(bench, `?status=${value}`);
  expect(answer).toMatchObject(refusal('VALIDATION_INVALID_QUERY_PARAMETER', details));
});

test.for([
  'History',
  'lines',
  '',
  'history,',
  'history,lines',
  ' history',
  'history%00',
  'history;lines',
])(
  'include=%s names what is unknown: the allowed values are told, before a missing offer',
  async (value, { gateway }) => {
    const bench = await newBench(gateway);
    const id = await bench.create();
    for (const path of ['', `/${id}`, `/${unknownId()}`]) {
      const answer = await bench.send('GET', `${path}?include=${value}`);
      const details = { parameter: 'include', allowedValues: ['history'] };
      expect(answer).toMatchObject(refusal('VALIDATION_UNKNOWN_INCLUDE', details));
    }
  },
);

test('include given twice is refused', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const answer = await list(bench, '?include=history&include=history');
  expect(answer).toMatchObject({
    status: 400,
    details: { parameter: 'include', allowedValues: ['history'] },
  });
});

const listParameters = [
  'page',
  'pageSize',
  'status',
  'vendorSku',
  'vendorExternalId',
  'changedSince',
  'from',
  'to',
  'include',
];

test.for([
  'Status=Draft',
  'vendorId=x',
  'page[]=1',
  'sort=asc',
  '__proto__=1',
  'toString=1',
  '=1',
  'x',
])(
  'the parameter %s is unknown, and the known ones are told, before any other fault',
  async (parameter, { gateway }) => {
    const bench = await newBench(gateway);
    const id = await bench.create();
    const all = await list(bench, `?${parameter}&page=0&from=x`);
    expect(all).toMatchObject({ status: 400, state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER' });
    expect(all.details['allowedParameters']).toEqual(listParameters);
    for (const given of [id, unknownId()]) {
      const one = await bench.send('GET', `/${given}?${parameter}`);
      expect(one).toMatchObject({ status: 400, state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER' });
      expect(one.details['allowedParameters']).toEqual(['include']);
    }
  },
);

test('include=history adds every status change, the oldest first, and without it there is none', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const id = await bench.offerIn('Rejected', { isMatched: false });
  await bench.patch(id, { vendorSku: 'S' });
  await bench.patch(id, { rawSizeMl: 5 });
  await bench.send('PATCH', `/${id}/stock`, { declaredInStock: true });
  await bench.send('POST', `/${id}/withdraw`);
  const plain = await bench.read(id);
  const answer = await bench.send('GET', `/${id}?include=history`);
  expect(answer.payload).toStrictEqual({
    ...plain.payload,
    history: [
      { at: instant, from: null, to: 'PendingMatch', reason: null },
      { at: instant, from: 'PendingMatch', to: 'Rejected', reason: 'No.' },
      { at: instant, from: 'Rejected', to: 'PendingMatch', reason: null },
      { at: instant, from: 'PendingMatch', to: 'Withdrawn', reason: null },
    ],
  });
  expect(plain.payload).not.toHaveProperty('history');
  const { history } = answer.payload as { history: { at: string }[] };
  const times = history.map((change) => change.at);
  expect(times).toEqual(times.toSorted());
  expect(times.at(-1)).toBe((await rowOf(gateway, id))?.['changedAt'].toISOString());
});

test('in a list each offer has its own history', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const draft = await bench.offerIn('Draft');
  const suspended = await bench.offerIn('Suspended');
  const other = await newBench(gateway);
  await other.create();
  const items = itemsOf(await list(bench, '?include=history'));
  expect(
    items.map(({ id, history }) => [id, (history as { to: string }[]).map(({ to }) => to)]),
  ).toEqual([
    [suspended, ['PendingReview', 'Approved', 'Suspended']],
    [draft, ['Draft']],
  ]);
  expect(itemsOf(await list(bench, '?include=history&status=Withdrawn'))).toEqual([]);
  expect(itemsOf(await list(bench))[0]).not.toHaveProperty('history');
});

test('from the moment the agreement is switched, reads, filters, order and history tell offers as switched', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const draft = await bench.offerIn('Draft');
  const approved = await bench.offerIn('Approved');
  await bench.send('PATCH', `/${approved}/cost`, { cost: 50, costIsVatInclusive: false });
  const before = new Date(Date.now() - 1).toISOString();
  await bench.switchAgreement(percentageOfSale);
  expect(await rowOf(gateway, approved)).toMatchObject({ status: 'Approved' });

  const { payload } = await bench.send('GET', `/${approved}?include=history`);
  expect(payload).toMatchObject({
    status: 'PendingRepricing',
    pricingModel: { name: 'PercentageOfSale', model: 2 },
    cost: { amount: null, pending: null },
    price: { amount: null, pending: null },
    history: [{}, { to: 'Approved' }, { from: 'Approved', to: 'PendingRepricing', reason: null }],
  });
  expect(itemsOf(await list(bench, '?status=PendingRepricing&include=history'))).toStrictEqual([
    payload,
  ]);
  expect(await listedIds(bench, { status: 'Approved' })).toEqual([]);
  expect(await listedIds(bench, { status: 'Draft' })).toEqual([draft]);
  expect(new Set(await listedIds(bench, { changedSince: before }))).toEqual(
    new Set([draft, approved]),
  );
});

test('while a switch is under way, what changes after it is found by changedSince as changed after it', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const [edited, stocked] = [await bench.offerIn('Approved'), await bench.offerIn('Approved')];
  await bench.switchAgreement(percentageOfSale);
  const [vendor] = await gateway.sql<[{ at: Date }]>`
    select agreement_changed_at as at from vendors where id = ${bench.vendor.vendorId}`;
  const changedSince = vendor.at.toISOString();
  expect(await listedIds(bench, { changedSince })).toEqual([]);
  await bench.patch(edited, { vendorSku: 'S' });
  expect(await listedIds(bench, { changedSince })).toEqual([edited]);
  await bench.send('PATCH', `/${stocked}/stock`, {
    declaredInStock: true,
    declaredStockQuantity: 3,
  });
  expect(await listedIds(bench, { changedSince })).toEqual([edited, stocked]);
  // The history keeps the moment of the switch itself.
  for (const id of [edited, stocked]) {
    const { payload } = await bench.send('GET', `/${id}?include=history`);
    const { history } = payload as { history: { at: string }[] };
    expect(history.at(-1)).toEqual({
      at: changedSince,
      from: 'Approved',
      to: 'PendingRepricing',
      reason: null,
    });
  }
});
