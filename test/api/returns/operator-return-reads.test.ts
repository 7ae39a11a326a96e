import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import {
  call,
  gatewayOver,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Answer,
} from '../support/api.ts';
import { instant } from '../support/matchers.ts';
import { linesOf, newReturnFixture, succeeded, type ReturnFixture } from './return-fixture.ts';

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
    [{ vendorId: unknownId() }, []],
    [{ requiresStaffReview: 'true' }, [flagged]],
    [{ requiresStaffReview: 'false' }, [quiet, decided]],
    [{ requiresStaffReview: 'false', status: 'UnderInspection' }, [quiet]],
    [{ requiresStaffReview: 'true', status: 'InspectionRejected' }, []],
    [{ status: 'InspectionRejected' }, [decided]],
    [{ orderGlobalId: await orderOf(quiet) }, [quiet]],
    [{ orderGlobalId: (await orderOf(quiet)).toUpperCase().replace('ORD', 'ord') }, [quiet]],
    [{ orderGlobalId: await orderOf(quiet), status: 'Pending' }, []],
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
  expect(await list(fixture, { changedSince: 'x' })).toMatchObject(
    refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', {
      parameters: ['changedSince'],
      allowedParameters: [
        'page',
        'pageSize',
        'status',
        'vendorId',
        'orderGlobalId',
        'requiresStaffReview',
      ],
    }),
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

test('new inspection times are for new returns only [D42]', async ({ gateway, fixture }) => {
  const hour = 3_600_000;
  const old = await fixture.request();
  const changed = await gatewayOver(gateway.sql, {
    inspectionTimes: { startMs: hour, windowMs: 2 * hour, closingMs: 0 },
  });
  const { token } = fixture.operator;
  const staff = (path: string, body: object = {}) =>
    succeeded(call(changed, 'POST', `/operator/v1/returns${path}`, { token, body }));
  const windowOf = async (id: string) => {
    await staff(`/${id}/approve`);
    await staff(`/${id}/in-transit`);
    await succeeded(fixture.receive(id));
    const { inspectionStartedAt, inspection } = (await staff(`/${id}/start-inspection`))
      .payload as {
      inspectionStartedAt: string;
      inspection: { inspectionWindowDeadline: string };
    };
    return Date.parse(inspection.inspectionWindowDeadline) - Date.parse(inspectionStartedAt);
  };
  expect(await windowOf(old)).toBe(72 * hour);
  const order = await fixture.takeOrder([fixture.vendor.vendorId]);
  const { orderGlobalId } = order;
  const made = await staff('', {
    orderGlobalId,
    destination: 'Supplier',
    lines: linesOf(order, 0, 1),
  });
  expect(await windowOf(textOf(made, 'id'))).toBe(2 * hour);
  const messages = await gateway.sql`
    select distinct payload->>'inspectionStartMs' as start_ms,
      payload->>'inspectionWindowMs' as window_ms
    from outbox where subject_id = ${old}`;
  expect(messages).toEqual([{ startMs: String(24 * hour), windowMs: String(72 * hour) }]);
});
