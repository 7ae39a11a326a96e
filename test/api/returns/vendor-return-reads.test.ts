import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { itemsOf } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  newReturnFixture,
  newReturnPayload,
  photoUrl,
  returnRecord,
  succeeded,
  type ReturnFixture,
} from './return-fixture.ts';

// The view of a vendor. That it reaches no other return has its cases in `test/api/isolation`.

const test = gatewayTest.extend('fixture', ({ gateway }) => newReturnFixture(gateway));

const payloadOf = async ({ send }: ReturnFixture, path: string) =>
  (await succeeded(send('GET', path))).payload ?? {};

/** A return in RefundReleased with every fact, and with a reason of staff for each step. */
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

test('shows every field of part 2 of a new return', async ({ gateway, fixture }) => {
  const id = await fixture.request({ reasonCodes: ['SuspectedCounterfeit', 'Other'] });
  await gateway.sql`update variants set is_active = false`;
  const [row] = await gateway.sql<[{ orderId: string; lines: readonly object[] }]>`
    select order_id, (
      select jsonb_agg(jsonb_build_object('scentOrderLineId', l.order_line_id, 'variantId', v.id,
        'sku', v.sku, 'quantity', l.quantity, 'reasonCode', l.reason_code) order by l.position)
      from return_lines l join order_lines o on o.id = l.order_line_id
      join variants v on v.id = o.variant_id
      where l.return_id = r.id
    ) as lines from return_requests r where id = ${id}`;
  const answer = await fixture.send('GET', `/${id.toUpperCase()}`);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    id,
    orderGlobalId: `ord_${row.orderId}`,
    ...newReturnPayload,
    lines: row.lines,
  });
  expect(row.lines).toHaveLength(2);
});

test('shows a decided return alone and listed, with its history', async ({ fixture }) => {
  const id = await decidedReturn(fixture);
  const payload = await payloadOf(fixture, `/${id}`);
  const { history, ...rest } = await payloadOf(fixture, `/${id}?include=history`);
  expect(rest).toStrictEqual(payload);
  expect((await payloadOf(fixture, '?status=RefundReleased'))['items']).toStrictEqual([payload]);

  const way = ['Pending', 'Approved', 'InTransit', 'Received', 'UnderInspection'];
  const ways = [...way, 'InspectionAccepted', 'RefundReleased'];
  expect(history).toStrictEqual(
    ways.map((to, index) => ({ at: instant, from: ways[index - 1] ?? null, to })),
  );
  const times = (history as readonly { readonly at: string }[]).map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
  const [requestedAt, , , receivedAt, inspectionStartedAt = '', inspectionDecidedAt] = times;
  const deadline = new Date(Date.parse(inspectionStartedAt) + 72 * 3_600_000).toISOString();
  expect(payload).toStrictEqual({
    id,
    orderGlobalId: expect.stringMatching(/^ord_/),
    returnRequestNumber: expect.stringMatching(/^RR-\d{8}$/),
    status: 'RefundReleased',
    requestedAt,
    receivedAt,
    inspectionStartedAt,
    inspectionDecidedAt,
    inspection: {
      receivedAt,
      inspectionStartedAt,
      inspectionWindowDeadline: deadline,
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
});

test('shows vendors nothing of staff and of the workflow', async ({ gateway, fixture }) => {
  const id = await decidedReturn(fixture);
  const before = await returnRecord(gateway, id);
  const { operator, vendor } = fixture;
  const staffs = [operator.id, operator.operatorId, 'staff-only', 'reason"', 'decidedBy'];
  const inner = ['temporal-ui', 'workflow', 'version', 'destination', vendor.vendorId, 'vendorId'];
  for (const path of ['', `/${id}`, '?include=history', `/${id}?include=history`]) {
    const answer = await succeeded(fixture.send('GET', path));
    expect(answer.text).toContain(id);
    for (const secret of [...staffs, ...inner, 'Ms"', 'shipRecipient', 'amount'])
      expect(answer.text).not.toContain(secret);
  }
  expect(await returnRecord(gateway, id)).toBe(before);
});

test('a list has the history of each return on request, in both orders', async ({ fixture }) => {
  const [one, two] = [await fixture.returnIn('Withdrawn'), await fixture.returnIn('Pending')];
  const list = async (query: string) => itemsOf(await fixture.send('GET', `?${query}`));
  const items = await list('include=history');
  expect(
    items.map(({ id, history }) => [id, (history as { to: string }[]).map(({ to }) => to)]),
  ).toEqual([
    [two, ['Pending']],
    [one, ['Pending', 'Withdrawn']],
  ]);
  expect((await list(''))[0]).not.toHaveProperty('history');
  const since = await list('include=history&changedSince=2020-01-01T00:00:00Z');
  expect(since).toStrictEqual(items.toReversed());
});
