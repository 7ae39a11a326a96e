import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { itemsOf, refusal, textOf, unknownId, type Answer } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import { newReturnFixture, succeeded, type ReturnFixture } from './return-fixture.ts';

const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));
const list = ({ staff, vendor }: ReturnFixture, query: Record<string, string> = {}) =>
  staff('GET', `?${new URLSearchParams({ vendorId: vendor.vendorId, ...query }).toString()}`);

test('lists returns by deadline first, then by request', async ({ gateway, fixture }) => {
  const [decided, pending, late, soon, middle] = [
    await fixture.returnIn('InspectionAccepted'),
    await fixture.returnIn('Pending'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' }),
  ];
  for (const [id, day] of [
    [late, 3],
    [soon, 1],
    [middle, 2],
    // A decided return keeps its deadline, and is listed by its request.
    [decided, 0],
  ] as const)
    await gateway.sql`
      update return_requests set inspection_deadline = now() + ${day}::int * interval '1 day'
      where id = ${id}`;
  const order = [soon, middle, late, decided, pending];
  const answer = await list(fixture, { pageSize: '4' });
  expect(answer.payload?.['pagination']).toStrictEqual({
    page: 1,
    pageSize: 4,
    totalCount: 5,
    totalPages: 2,
  });
  expect([...idsOf(answer), ...idsOf(await list(fixture, { page: '2', pageSize: '4' }))]).toEqual(
    order,
  );
});

test('filters by vendor, order, status and required review only', async ({ gateway, fixture }) => {
  const other = await newReturnFixture(gateway);
  const foreign = await other.returnIn('UnderInspection');
  const [flagged, quiet, decided] = [
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('InspectionRejected'),
  ];
  await succeeded(fixture.addEvidence(flagged));
  await succeeded(fixture.propose(flagged, 'Rejected'));
  const orderOf = async (id: string) =>
    textOf(await succeeded(fixture.staff('GET', `/${id}`)), 'orderGlobalId');
  const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{}, [flagged, quiet, decided]],
    [{ vendorId: fixture.vendor.vendorId.toUpperCase() }, [flagged, quiet, decided]],
    [{ vendorId: other.vendor.vendorId }, [foreign]],
    [{ requiresStaffReview: 'true' }, [flagged]],
    [{ requiresStaffReview: 'false' }, [quiet, decided]],
    [{ requiresStaffReview: 'false', status: 'UnderInspection' }, [quiet]],
    [{ status: 'InspectionRejected' }, [decided]],
    [{ orderGlobalId: await orderOf(quiet) }, [quiet]],
    [{ orderGlobalId: (await orderOf(quiet)).toUpperCase().replace('ORD', 'ord') }, [quiet]],
    [{ orderGlobalId: `ord_${unknownId()}` }, []],
  ];
  for (const [query, ids] of cases) {
    const answer = await list(fixture, query);
    expect(idsOf(answer), JSON.stringify(query)).toEqual(ids);
    expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
  }
  expect(idsOf(await fixture.staff('GET', '?pageSize=100'))).toEqual(
    expect.arrayContaining([foreign, flagged, quiet, decided]),
  );
  const filters = ['status', 'vendorId', 'orderGlobalId', 'requiresStaffReview'];
  const allowedParameters = ['page', 'pageSize', ...filters];
  expect(await list(fixture, { changedSince: 'x' })).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
  expect(await list(fixture, { orderGlobalId: unknownId() })).toMatchObject({ status: 400 });
});

test('shows operators the same fields alone and listed, with reasons', async ({ fixture }) => {
  const id = await fixture.request();
  const staff = (path: string, body: object) =>
    succeeded(fixture.staff('POST', `/${id}/${path}`, body));
  await staff('approve', { reason: 'Looks right.' });
  await staff('in-transit', {});
  await succeeded(fixture.receive(id));
  await staff('start-inspection', { reason: 'Now.' });
  const decided = await staff('decide', { outcome: 'Rejected', reason: 'Used.' });
  const {
    history,
    earlierReturns: _,
    ...rest
  } = (await fixture.staff('GET', `/${id.toUpperCase()}`)).payload ?? {};
  expect(rest).toStrictEqual(decided.payload);
  expect(itemsOf(await list(fixture))).toStrictEqual([rest]);
  expect(rest).toMatchObject({
    decidedBy: fixture.operator.operatorId,
    version: 6,
    destination: 'Supplier',
  });
  expect(history).toStrictEqual([
    { at: instant, from: null, to: 'Pending', reason: null },
    { at: instant, from: 'Pending', to: 'Approved', reason: 'Looks right.' },
    { at: instant, from: 'Approved', to: 'InTransit', reason: null },
    { at: instant, from: 'InTransit', to: 'Received', reason: null },
    { at: instant, from: 'Received', to: 'UnderInspection', reason: 'Now.' },
    { at: instant, from: 'UnderInspection', to: 'InspectionRejected', reason: 'Used.' },
  ]);
});
