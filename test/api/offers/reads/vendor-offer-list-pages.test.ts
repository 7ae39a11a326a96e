import { expect } from 'vitest';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { newOfferFixture } from '../offer-fixture.ts';
import { refusal, unknownId } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { list } from './vendor-offer-reads-fixture.ts';

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
    const fixture = await newOfferFixture(gateway);
    const page = await list(fixture, `?page=${value}`);
    expect(page).toMatchObject(refusal('VALIDATION_INVALID_PAGE', { parameter: 'page' }));
    const size = await list(fixture, `?pageSize=${value}`);
    expect(size).toMatchObject(refusal('VALIDATION_INVALID_PAGE_SIZE', { parameter: 'pageSize' }));
  },
);

test('a page size is 1 to 100, never clamped; a count given twice is refused', async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  for (const size of [1, 100]) expect((await list(fixture, `?pageSize=${size}`)).status).toBe(200);
  expect((await list(fixture, '?pageSize=101')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  expect((await list(fixture, '?pageSize=1000')).state).toBe('VALIDATION_INVALID_PAGE_SIZE');
  expect((await list(fixture, '?page=1&page=1')).state).toBe('VALIDATION_INVALID_PAGE');
  expect((await list(fixture, '?pageSize=5&pageSize=5')).state).toBe(
    'VALIDATION_INVALID_PAGE_SIZE',
  );
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
])('status=%s is refused with the allowed statuses', async (value, { gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const details = { parameter: 'status', allowedValues: [...offerStatuses] };
  const answer = await list(fixture, `?status=${value}`);
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
  'include=%s answers the unknown and the allowed values, before a missing offer',
  async (value, { gateway }) => {
    const fixture = await newOfferFixture(gateway);
    const id = await fixture.create();
    for (const path of ['', `/${id}`, `/${unknownId()}`]) {
      const answer = await fixture.send('GET', `${path}?include=${value}`);
      const details = { parameter: 'include', allowedValues: ['history'] };
      expect(answer).toMatchObject(refusal('VALIDATION_UNKNOWN_INCLUDE', details));
    }
  },
);

test('include given twice is refused', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const answer = await list(fixture, '?include=history&include=history');
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
  'the parameter %s is unknown: the answer lists the known ones, before any other fault',
  async (parameter, { gateway }) => {
    const fixture = await newOfferFixture(gateway);
    const id = await fixture.create();
    const all = await list(fixture, `?${parameter}&page=0&from=x`);
    expect(all).toMatchObject({ status: 400, state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER' });
    expect(all.details['allowedParameters']).toEqual(listParameters);
    for (const given of [id, unknownId()]) {
      const one = await fixture.send('GET', `/${given}?${parameter}`);
      expect(one).toMatchObject({ status: 400, state: 'VALIDATION_UNKNOWN_QUERY_PARAMETER' });
      expect(one.details['allowedParameters']).toEqual(['include']);
    }
  },
);
