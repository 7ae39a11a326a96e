import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { itemsOf, refusal, unknownId } from '../../support/api/api.ts';
import { expectLists, idsOf, type Query } from '../../support/api/lists.ts';
import { instant } from '../../support/api/matchers.ts';
import { newReturnFixture, succeeded } from './return-fixture.ts';

// What operators read of returns, and what a decision needs: what silence will decide, who decided,
// and the vendor's earlier returns.

const test = gatewayTest
  .extend('fixture', ({ gateway }) => newReturnFixture(gateway))
  .extend(
    'read',
    ({ fixture: { staff } }) =>
      async (id: string) =>
        (await succeeded(staff('GET', `/${id}`))).payload ?? {},
  )
  .extend(
    'list',
    ({ fixture: { staff, vendor } }) =>
      (query: Query = {}) =>
        staff('GET', `?${new URLSearchParams({ vendorId: vendor.vendorId, ...query }).toString()}`),
  );

test('lists returns by deadline first, then by request', async ({ gateway, fixture, list }) => {
  const [decided, pending, late, soon, middle] = [
    await fixture.returnIn('InspectionAccepted'),
    await fixture.returnIn('Pending'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' }),
  ];
  // A decided return keeps its deadline, and is listed by its request.
  for (const [day, id] of [decided, soon, middle, late].entries())
    await gateway.sql`
      update return_requests set inspection_deadline = now() + ${day}::int * interval '1 day'
      where id = ${id}`;
  const response = await list({ pageSize: '4' });
  const pagination = { page: 1, pageSize: 4, totalCount: 5, totalPages: 2 };
  expect(response.payload?.['pagination']).toStrictEqual(pagination);
  const rest = await list({ page: '2', pageSize: '4' });
  expect([response, rest].flatMap(idsOf)).toEqual([soon, middle, late, decided, pending]);
});

test('filters by vendor, order, status and required review only', async ({
  gateway,
  fixture,
  read,
  list,
}) => {
  const other = await newReturnFixture(gateway);
  const foreign = await other.returnIn('UnderInspection');
  const [flagged, quiet, decided] = [
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('UnderInspection'),
    await fixture.returnIn('InspectionRejected'),
  ];
  await succeeded(fixture.addEvidence(flagged));
  await succeeded(fixture.propose(flagged, 'Rejected'));
  const { orderGlobalId: order, returnRequestNumber: name } = await read(quiet);
  const [orderGlobalId, number] = [String(order), String(name)];
  await expectLists(list, [
    [{}, [flagged, quiet, decided]],
    [{ vendorId: fixture.vendor.vendorId.toUpperCase() }, [flagged, quiet, decided]],
    [{ vendorId: other.vendor.vendorId }, [foreign]],
    [{ requiresStaffReview: 'true' }, [flagged]],
    [{ requiresStaffReview: 'false' }, [quiet, decided]],
    [{ requiresStaffReview: 'false', status: 'UnderInspection' }, [quiet]],
    [{ status: 'InspectionRejected' }, [decided]],
    // Their windows have 72 hours.
    [{ dueWithinHours: '71' }, []],
    [{ dueWithinHours: '73' }, [flagged, quiet]],
    [{ orderGlobalId }, [quiet]],
    [{ returnRequestNumber: number.toLowerCase() }, [quiet]],
    [{ returnRequestNumber: String(Number(number.slice(3))) }, [quiet]],
    [{ returnRequestNumber: number, status: 'Pending' }, []],
    [{ orderGlobalId: orderGlobalId.toUpperCase().replace('ORD', 'ord') }, [quiet]],
    [{ orderGlobalId: `ord_${unknownId()}` }, []],
  ]);
  expect(idsOf(await fixture.staff('GET', '?pageSize=100'))).toEqual(
    expect.arrayContaining([foreign, flagged, quiet, decided]),
  );
  const filters = ['requiresStaffReview', 'dueWithinHours'];
  const named = ['status', 'vendorId', 'orderGlobalId', 'returnRequestNumber'];
  const allowedParameters = ['page', 'pageSize', ...named, ...filters];
  expect(await list({ changedSince: 'x' })).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', { allowedParameters }),
  );
  expect(await list({ orderGlobalId: unknownId() })).toMatchObject({ status: 400 });
  expect(await list({ returnRequestNumber: 'RR-x' })).toMatchObject({ status: 400 });
});

test('shows operators the same fields alone and listed', async ({ fixture, read, list }) => {
  const id = await fixture.returnIn('InspectionRejected');
  const { history, earlierReturns: _, now, ...rest } = await read(id.toUpperCase());
  expect(now).toStrictEqual(instant);
  expect(itemsOf(await list())).toStrictEqual([{ ...rest, now: instant }]);
  const { operatorId: decidedBy } = fixture.operator;
  expect(rest).toMatchObject({ decidedBy, version: 6, destination: 'Supplier' });
  const way = ['Pending', 'Approved', 'InTransit', 'Received', 'UnderInspection'];
  const ways = [...way, 'InspectionRejected'];
  expect(history).toStrictEqual(
    ways.map((to, index) => ({ at: instant, from: ways[index - 1] ?? null, to, reason: null })),
  );
});

test('shows what silence decides and when, until decided', async ({ gateway, fixture, read }) => {
  const none = { silenceOutcome: null, silenceAt: null };
  const onItsWay = await fixture.returnIn('InTransit');
  expect(await read(onItsWay)).toMatchObject({ ...none, decision: null });
  const open = await fixture.returnIn('UnderInspection', { reasonCodes: ['ChangedMind'] });
  const { inspection, ...facts } = await read(open);
  const { inspectionWindowDeadline: silenceAt } = inspection as Record<string, unknown>;
  expect(facts).toMatchObject({ silenceOutcome: 'AcceptedSound', silenceAt, decision: null });
  const proposed = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  expect(await read(proposed)).toMatchObject({ silenceOutcome: 'AcceptedDefect' });
  await succeeded(fixture.addEvidence(proposed));
  await succeeded(fixture.propose(proposed, 'AcceptedSound'));
  expect(await read(proposed)).toMatchObject({ ...none, decision: null });
  const sorted = await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' });
  expect(await read(sorted)).toMatchObject(none);
  const decided = await fixture.returnIn('InspectionAccepted');
  expect(await read(decided)).toMatchObject({ ...none, decision: 'Operator' });
  await gateway.sql`update return_requests set decided_by = null where id = ${decided}`;
  expect(await read(decided)).toMatchObject({ decision: 'Silence', decidedBy: null });
});

test("reads and lists the time by the vendor's clock", async ({ gateway, fixture, read, list }) => {
  const id = await fixture.returnIn('UnderInspection');
  const { vendorId } = fixture.vendor;
  await gateway.sql`update vendors set clock_offset = '70 hours' where id = ${vendorId}`;
  for (const { now } of [await read(id), ...itemsOf(await list())])
    expect((Date.parse(String(now)) - Date.now()) / 3_600_000).toBeCloseTo(70, 1);
});

test("counts the vendor's returns requested earlier", async ({ gateway, fixture, read }) => {
  await fixture.returnIn('InspectionAccepted');
  const silent = await fixture.returnIn('InspectionAccepted');
  await gateway.sql`
    update return_requests set decided_by = null, outcome = 'AcceptedDefect' where id = ${silent}`;
  await fixture.returnIn('InspectionRejected');
  await fixture.returnIn('InspectionRejected', { destination: 'SortingPoint' });
  await fixture.returnIn('Pending');
  const id = await fixture.returnIn('Pending');
  await fixture.returnIn('InspectionRejected');
  await (await newReturnFixture(gateway)).returnIn('InspectionRejected');
  const outcomes = { acceptedDefect: 1, acceptedSound: 1, rejected: 1, decidedBySilence: 1 };
  expect(await read(id)).toMatchObject({ earlierReturns: { returns: 4, ...outcomes } });
});
