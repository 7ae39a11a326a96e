import { describe, expect } from 'vitest';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { tokenWith } from '../support/actors.ts';
import {
  newReturnFixture,
  photoUrl,
  returnRecord,
  succeeded,
  type ReturnFixture,
  newReturnPayload,
} from './return-fixture.ts';
import { call, itemsOf, refusal, unknownId, type Answer } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { instant } from '../support/matchers.ts';

const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => String(id));
const list = ({ send }: ReturnFixture, query: Record<string, string> = {}) =>
  send('GET', `?${new URLSearchParams(query).toString()}`);
const read = ({ send }: ReturnFixture, id: string) => send('GET', `/${id}`);

/** A return with all that one can carry, whose every step had a reason of staff's. */
async function decidedReturn(fixture: ReturnFixture): Promise<string> {
  const id = await fixture.request({ reasonCodes: ['WrongItem', 'ChangedMind'] });
  const staff = (path: string, body: object = {}) =>
    succeeded(fixture.staff('POST', `/${id}/${path}`, { reason: `staff-only ${path}`, ...body }));
  await staff('approve');
  await staff('in-transit');
  await succeeded(fixture.receive(id));
  await staff('start-inspection');
  await succeeded(fixture.addEvidence(id));
  await succeeded(fixture.propose(id, 'Rejected'));
  await staff('decide', { outcome: 'AcceptedDefect' });
  await staff('refund-released');
  return id;
}

describe('the vendor-safe view', () => {
  test('of a return that was just requested has every field of part 2, and none besides', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await fixture.request({ reasonCodes: ['SuspectedCounterfeit', 'Other'] });
    const [row] = await gateway.sql<[{ orderId: string; lines: readonly object[] }]>`
      select order_id, (
        select jsonb_agg(jsonb_build_object('scentOrderLineId', l.order_line_id, 'variantId', v.id,
          'sku', v.sku, 'quantity', l.quantity, 'reasonCode', l.reason_code) order by l.position)
        from return_lines l join order_lines o on o.id = l.order_line_id
        join variants v on v.id = o.variant_id
        where l.return_id = r.id
      ) as lines from return_requests r where id = ${id}`;
    const answer = await read(fixture, id.toUpperCase());
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({
      id,
      orderGlobalId: `ord_${row.orderId}`,
      ...newReturnPayload,
      lines: row.lines,
    });
    expect(row.lines).toHaveLength(2);
  });

  test('of a decided return has the same fields, with the times told twice and alike', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await decidedReturn(fixture);
    const { payload } = await read(fixture, id);
    const { receivedAt, inspectionStartedAt, inspection } = payload as {
      receivedAt: string;
      inspectionStartedAt: string;
      inspection: { inspectionWindowDeadline: string };
    };
    expect(payload).toStrictEqual({
      id,
      orderGlobalId: expect.stringMatching(/^ord_/),
      returnRequestNumber: expect.stringMatching(/^RR-\d{8}$/),
      status: 'RefundReleased',
      requestedAt: instant,
      receivedAt: instant,
      inspectionStartedAt: instant,
      inspectionDecidedAt: instant,
      inspection: {
        receivedAt,
        inspectionStartedAt,
        inspectionWindowDeadline: instant,
        receivingParty: 'Supplier',
        outcome: 'AcceptedDefect',
        supplierProposedOutcome: 'Rejected',
        requiresStaffReview: false,
        evidence: [{ id: expect.any(String), url: photoUrl, kind: 'Photo', uploadedAt: instant }],
      },
      lines: [
        expect.objectContaining({ quantity: 1, reasonCode: 'WrongItem' }),
        expect.objectContaining({ quantity: 1, reasonCode: 'ChangedMind' }),
      ],
    });
    const windowMs =
      Date.parse(inspection.inspectionWindowDeadline) - Date.parse(inspectionStartedAt);
    expect(windowMs).toBe(72 * 3_600_000);
  });

  test('shows no staff name or reason, destination, version or workflow; changes nothing', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await decidedReturn(fixture);
    const before = await returnRecord(gateway, id);
    const { operator, vendor } = fixture;
    const staffs = [operator.id, operator.operatorId, 'staff-only', 'reason"', 'decidedBy'];
    const inner = [
      'temporal-ui',
      'workflow',
      'version',
      'destination',
      vendor.vendorId,
      'vendorId',
      'Ms"',
    ];
    const secrets = [...staffs, ...inner, 'shipRecipient', 'amount'];
    for (const path of ['', `/${id}`, '?include=history', `/${id}?include=history`]) {
      const answer = await succeeded(fixture.send('GET', path));
      expect(answer.text).toContain(id);
      for (const secret of secrets) expect(answer.text).not.toContain(secret);
    }
    expect(await returnRecord(gateway, id)).toBe(before);
  });

  test.for(returnStatuses)(
    'is the same alone and in the list, for a return that is %s',
    async (status, { gateway }) => {
      const fixture = await newReturnFixture(gateway);
      const id = await fixture.returnIn(status);
      const { payload } = await read(fixture, id);
      expect(payload).toMatchObject({ id, status });
      expect(itemsOf(await list(fixture))).toStrictEqual([payload]);
      expect(idsOf(await list(fixture, { status }))).toEqual([id]);
    },
  );

  test('is what a receipt and a proposal answer, too', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await fixture.returnIn('InTransit');
    const received = await succeeded(fixture.receive(id));
    expect(received.payload).toStrictEqual((await read(fixture, id)).payload);
    await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
    await succeeded(fixture.addEvidence(id));
    const proposed = await succeeded(fixture.propose(id, 'Rejected'));
    expect(proposed.payload).toStrictEqual((await read(fixture, id)).payload);
  });

  test('keeps the sku of a variant that is no longer active', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await fixture.request();
    const before = (await read(fixture, id)).payload;
    await gateway.sql`update variants set is_active = false`;
    expect((await read(fixture, id)).payload).toStrictEqual(before);
  });
});

describe('the history', () => {
  test('comes on request: each status change with its time, oldest first, without reasons', async ({
    gateway,
  }) => {
    const fixture = await newReturnFixture(gateway);
    const id = await decidedReturn(fixture);
    const { payload } = await succeeded(fixture.send('GET', `/${id}?include=history`));
    const { history, ...rest } = payload as { history: readonly { at: string }[] };
    const way = [
      'Pending',
      'Approved',
      'InTransit',
      'Received',
      'UnderInspection',
      'InspectionAccepted',
    ];
    expect(history).toStrictEqual(
      [...way, 'RefundReleased'].map((to, place) => ({
        at: instant,
        from: way[place - 1] ?? null,
        to,
      })),
    );
    const times = history.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect(rest).toStrictEqual((await read(fixture, id)).payload);
    expect(rest).toMatchObject({
      requestedAt: times[0],
      receivedAt: times[3],
      inspectionStartedAt: times[4],
      inspectionDecidedAt: times[5],
    });
  });

  test('is each return’s own in a list', async ({ gateway }) => {
    const fixture = await newReturnFixture(gateway);
    const [one, two] = [await fixture.returnIn('Withdrawn'), await fixture.returnIn('Pending')];
    const items = itemsOf(await list(fixture, { include: 'history' }));
    expect(
      items.map(({ id, history }) => [id, (history as { to: string }[]).map(({ to }) => to)]),
    ).toEqual([
      [two, ['Pending']],
      [one, ['Pending', 'Withdrawn']],
    ]);
    expect(itemsOf(await list(fixture))[0]).not.toHaveProperty('history');
    const since = await list(fixture, { include: 'history', changedSince: '2020-01-01T00:00:00Z' });
    expect(itemsOf(since)).toStrictEqual(items.toReversed());
  });

  test.for(['History', 'lines', '', 'history,', 'history,lines', ' history'])(
    'include=%j is unknown: the answer lists the allowed values, before a missing return',
    async (include, { gateway }) => {
      const fixture = await newReturnFixture(gateway);
      for (const path of ['', `/${unknownId()}`, '/x']) {
        const query = new URLSearchParams({ include }).toString();
        const details = { parameter: 'include', allowedValues: ['history'] };
        expect(await fixture.send('GET', `${path}?${query}`)).toMatchObject(
          refusal('VALIDATION_UNKNOWN_INCLUDE', details),
        );
      }
    },
  );
});

describe('whose returns are read', () => {
  test("another vendor's, a sorting point's, an unknown one and no uuid are the same 404", async ({
    gateway,
  }) => {
    const [fixture, stranger] = [await newReturnFixture(gateway), await newReturnFixture(gateway)];
    const foreign = await stranger.returnIn('UnderInspection');
    const sorted = await fixture.returnIn('UnderInspection', { destination: 'SortingPoint' });
    const unknown = await read(fixture, unknownId());
    for (const id of [
      foreign,
      foreign.toUpperCase(),
      sorted,
      '1',
      `${foreign}x`,
      '%00',
      'x'.repeat(300),
    ]) {
      for (const query of ['', '?include=history']) {
        const answer = await fixture.send('GET', `/${id}${query}`);
        expect(answer).toMatchObject(refusal('NOT_FOUND_RETURN_REQUEST'));
        expect(answer.text).toBe(unknown.text);
      }
    }
    expect((await list(fixture)).payload).toStrictEqual({
      items: [],
      pagination: { page: 1, pageSize: 20, totalCount: 0, totalPages: 0 },
    });
    for (const query of [{ status: 'UnderInspection' }, { changedSince: '2020-01-01T00:00:00Z' }]) {
      expect((await list(fixture, query)).payload).toMatchObject({
        items: [],
        pagination: { totalCount: 0 },
      });
    }
    expect(idsOf(await list(stranger))).toEqual([foreign]);
  });

  test('both reads ask for Orders', async ({ gateway }) => {
    const { vendor, request } = await newReturnFixture(gateway);
    const id = await request();
    for (const path of ['', `/${id}`]) {
      const get = (token: string) =>
        call(gateway, 'GET', `/api/v1/scent/returns${path}`, { token });
      expect((await get(tokenWith(gateway, vendor, ['Orders']))).status).toBe(200);
      const without = tokenWith(gateway, vendor, ['Offers', 'Stock', 'Cost', 'Account']);
      const details = { requiredCapability: 'Orders' };
      expect(await get(without)).toMatchObject(
        refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', details),
      );
    }
  });
});
