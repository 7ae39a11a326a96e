import { describe, expect } from 'vitest';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { newOperator } from '../support/actors.ts';
import { newReturnFixture, returnRecord, succeeded, type ReturnFixture } from './return-fixture.ts';
import {
  call,
  gatewayOver,
  itemsOf,
  refusal,
  textOf,
  unknownId,
  type Answer,
  type Gateway,
} from '../support/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { instant } from '../support/matchers.ts';

const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));
const read = (fixture: ReturnFixture, id: string) => fixture.staff('GET', `/${id}`);
const list = (fixture: ReturnFixture, query: Record<string, string> = {}) =>
  fixture.staff(
    'GET',
    `?${new URLSearchParams({ vendorId: fixture.vendor.vendorId, ...query }).toString()}`,
  );
/** Gives a return under inspection the end of its window. */
const endAt = (gateway: Gateway, id: string, deadline: string) => gateway.sql`
  update return_requests set inspection_deadline = ${deadline}::text::timestamptz where id = ${id}`;

describe('the list', () => {
  test('has what is under inspection first, by deadline, then the rest as it came in', async ({
    gateway,
    fixture,
  }) => {
    const [decided, pending] = [
      await fixture.returnIn('InspectionAccepted'),
      await fixture.returnIn('Pending'),
    ];
    const [late, soon, middle] = [
      await fixture.returnIn('UnderInspection'),
      await fixture.returnIn('UnderInspection'),
      await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' }),
    ];
    const withdrawn = await fixture.returnIn('Withdrawn');
    await endAt(gateway, late, '2026-03-03T00:00:00Z');
    await endAt(gateway, soon, '2026-03-01T00:00:00Z');
    await endAt(gateway, middle, '2026-03-02T00:00:00Z');
    // What is decided keeps its deadline, and no longer comes by it.
    await endAt(gateway, decided, '2026-02-01T00:00:00Z');
    const order = [soon, middle, late, decided, pending, withdrawn];
    expect(idsOf(await list(fixture))).toEqual(order);
    const pages: string[] = [];
    for (const page of ['1', '2', '3'])
      pages.push(...idsOf(await list(fixture, { page, pageSize: '2' })));
    expect(pages).toEqual(order);
    expect((await list(fixture, { pageSize: '4' })).payload?.['pagination']).toStrictEqual({
      page: 1,
      pageSize: 4,
      totalCount: 6,
      totalPages: 2,
    });
    expect(idsOf(await list(fixture, { status: 'UnderInspection' }))).toEqual([soon, middle, late]);
  });

  test('is filtered by status, vendor and whether staff are asked for, alone and together', async ({
    gateway,
    fixture,
  }) => {
    const other = await newReturnFixture(gateway);
    const foreign = await other.returnIn('UnderInspection');
    const [flagged, quiet, decided] = [
      await fixture.returnIn('UnderInspection'),
      await fixture.returnIn('UnderInspection'),
      await fixture.returnIn('UnderInspection'),
    ];
    for (const id of [flagged, decided]) {
      await succeeded(fixture.addEvidence(id));
      await succeeded(fixture.propose(id, 'Rejected'));
    }
    await succeeded(fixture.decide(decided, 'Rejected'));
    const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
      [{}, [flagged, quiet, decided]],
      [{ vendorId: fixture.vendor.vendorId.toUpperCase() }, [flagged, quiet, decided]],
      [{ vendorId: other.vendor.vendorId }, [foreign]],
      [{ vendorId: unknownId() }, []],
      [{ requiresStaffReview: 'true' }, [flagged]],
      [{ requiresStaffReview: 'false' }, [quiet, decided]],
      [{ requiresStaffReview: 'true', status: 'UnderInspection' }, [flagged]],
      [{ requiresStaffReview: 'false', status: 'UnderInspection' }, [quiet]],
      [{ requiresStaffReview: 'true', status: 'InspectionRejected' }, []],
      [{ status: 'InspectionRejected' }, [decided]],
      [{ status: 'Closed' }, []],
    ];
    for (const [query, ids] of cases) {
      const answer = await list(fixture, query);
      expect(idsOf(answer), JSON.stringify(query)).toEqual(ids);
      expect(answer.payload).toMatchObject({ pagination: { totalCount: ids.length } });
    }
    const everyones = await fixture.staff('GET', '?requiresStaffReview=true');
    expect(idsOf(everyones)).toEqual([flagged]);
    expect(idsOf(await fixture.staff('GET', '?pageSize=100'))).toEqual(
      expect.arrayContaining([foreign, flagged, quiet, decided]),
    );
  });

  test('refuses what it does not know', async ({ fixture }) => {
    const allowedParameters = ['page', 'pageSize', 'status', 'vendorId', 'requiresStaffReview'];
    for (const name of ['changedSince', 'from', 'include']) {
      const details = { parameters: [name], allowedParameters };
      expect(await list(fixture, { [name]: 'history' })).toMatchObject(
        refusal('VALIDATION_UNKNOWN_QUERY_PARAMETER', details),
      );
    }
    for (const [parameter, value, allowedValues] of [
      ['status', 'pending', [...returnStatuses]],
      ['requiresStaffReview', '1', ['true', 'false']],
      ['requiresStaffReview', 'True', ['true', 'false']],
    ] as const) {
      const details = { parameter, allowedValues };
      expect(await list(fixture, { [parameter]: value })).toMatchObject(
        refusal('VALIDATION_INVALID_QUERY_PARAMETER', details),
      );
    }
    expect(await list(fixture, { vendorId: 'x' })).toMatchObject(
      refusal('VALIDATION_INVALID_QUERY_PARAMETER', { parameter: 'vendorId' }),
    );
  });
});

describe('one return', () => {
  test('has the operator’s fields, and its history with the reasons', async ({ fixture }) => {
    const id = await fixture.request();
    const staff = (path: string, body: object) =>
      succeeded(fixture.staff('POST', `/${id}/${path}`, body));
    await staff('approve', { reason: 'Looks right.' });
    await staff('in-transit', {});
    await succeeded(fixture.receive(id));
    await staff('start-inspection', { reason: 'Now.' });
    const decided = await staff('decide', { outcome: 'Rejected', reason: 'Used.' });
    const answer = await read(fixture, id.toUpperCase());
    const { history, ...rest } = answer.payload as { history: unknown };
    expect(rest).toStrictEqual(decided.payload);
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
    const { history: _history, ...listed } = (await read(fixture, id)).payload ?? {};
    expect(itemsOf(await list(fixture))).toStrictEqual([listed]);
  });

  test('is read for each destination; an unknown and a malformed id answer the same 404', async ({
    fixture,
  }) => {
    const sorted = await fixture.returnIn('Received', { destination: 'SortingPoint' });
    expect((await read(fixture, sorted)).payload).toMatchObject({
      id: sorted,
      destination: 'SortingPoint',
      vendorId: fixture.vendor.vendorId,
      inspection: { receivingParty: 'SortingPoint' },
    });
    for (const id of [unknownId(), 'x', '%00', `${sorted}x`]) {
      expect(await read(fixture, id)).toMatchObject(refusal('NOT_FOUND_RETURN_REQUEST'));
    }
  });
});

test('every route of returns is for Operations, and for Admin', async ({ gateway, fixture }) => {
  const id = await fixture.request();
  const posts = [
    'approve',
    'reject',
    'in-transit',
    'received',
    'refund-released',
    'withdraw',
    'close',
  ];
  for (const role of ['Reviewer', 'Operations', 'Admin'] as const) {
    const { token } = await newOperator(gateway, [role]);
    const before = await returnRecord(gateway, id);
    for (const [method, path] of [
      ...(['', `/${id}`] as const).map((path) => ['GET', path] as const),
      ...['', ...[...posts, 'start-inspection', 'decide'].map((path) => `/${id}/${path}`)].map(
        (path) => ['POST', path] as const,
      ),
    ]) {
      const body = method === 'GET' ? undefined : { unknown: 1 };
      const answer = await call(gateway, method, `/operator/v1/returns${path}`, { token, body });
      if (role === 'Reviewer') {
        expect(answer).toMatchObject(refusal('FORBIDDEN', { requiredRole: 'Operations' }));
      } else expect(answer.status).toBe(method === 'GET' ? 200 : 400);
    }
    expect(await returnRecord(gateway, id)).toBe(before);
  }
});

test('times are fixed for a return once made: new ones are for new returns alone (D42)', async ({
  gateway,
  fixture,
}) => {
  const hour = 3_600_000;
  const old = await fixture.request();
  const changed = await gatewayOver(gateway.sql, {
    inspectionTimes: { startMs: hour, windowMs: 2 * hour, closingMs: 0 },
  });
  const token = fixture.operator.token;
  const window = async (id: string) => {
    const staff = (path: string) =>
      succeeded(call(changed, 'POST', `/operator/v1/returns/${id}/${path}`, { token, body: {} }));
    await staff('approve');
    await staff('in-transit');
    const received = `/api/v1/scent/returns/${id}/received`;
    await succeeded(call(changed, 'PATCH', received, { token: fixture.vendor.token }));
    const { payload } = await staff('start-inspection');
    const { inspectionStartedAt, inspection } = payload as {
      inspectionStartedAt: string;
      inspection: { inspectionWindowDeadline: string };
    };
    return Date.parse(inspection.inspectionWindowDeadline) - Date.parse(inspectionStartedAt);
  };
  expect(await window(old)).toBe(72 * hour);
  const order = await fixture.takeOrder([fixture.vendor.vendorId]);
  const body = {
    orderGlobalId: order.orderGlobalId,
    destination: 'Supplier',
    lines: [{ lineId: order.groups[0]?.lines[0]?.lineId, quantity: 1, reasonCode: 'Defective' }],
  };
  const made = await succeeded(call(changed, 'POST', '/operator/v1/returns', { token, body }));
  expect(await window(textOf(made, 'id'))).toBe(2 * hour);
  const messages = await gateway.sql`
    select distinct payload->>'inspectionStartMs' as start_ms,
      payload->>'inspectionWindowMs' as window_ms
    from outbox where subject_id = ${old}`;
  expect(messages).toEqual([{ startMs: String(24 * hour), windowMs: String(72 * hour) }]);
});
