import { describe, expect } from 'vitest';
import { returnStatuses, type ReturnStatus } from '../../../domain/returns/return-status.ts';
import {
  expectRefused,
  invalidMove,
  returnRecord,
  storedReturn,
  succeeded,
  returnTest as test,
} from './return-fixture.ts';
import { fieldErrorsOf, refusal, unknownId, type Gateway } from '../support/api.ts';

/**
 * D41, written by hand: each call, what a refusal of it names, and where it leads from where.
 * Everything else is refused.
 */
const calls: readonly {
  readonly path: string;
  readonly action: string;
  readonly said?: object;
  readonly leads: Readonly<Partial<Record<ReturnStatus, ReturnStatus>>>;
}[] = [
  { path: 'approve', action: 'approve', leads: { Pending: 'Approved' } },
  { path: 'reject', action: 'reject', leads: { Pending: 'Rejected' } },
  { path: 'in-transit', action: 'inTransit', leads: { Approved: 'InTransit' } },
  { path: 'received', action: 'receive', leads: { InTransit: 'Received' } },
  { path: 'start-inspection', action: 'startInspection', leads: { Received: 'UnderInspection' } },
  {
    path: 'refund-released',
    action: 'releaseRefund',
    leads: { InspectionAccepted: 'RefundReleased' },
  },
  { path: 'withdraw', action: 'withdraw', leads: { Pending: 'Withdrawn', Approved: 'Withdrawn' } },
  { path: 'close', action: 'close', leads: { Approved: 'Closed', InspectionRejected: 'Closed' } },
  {
    path: 'decide',
    action: 'decide',
    said: { outcome: 'AcceptedDefect' },
    leads: { UnderInspection: 'InspectionAccepted' },
  },
  {
    path: 'decide',
    action: 'decide',
    said: { outcome: 'AcceptedSound' },
    leads: { UnderInspection: 'InspectionAccepted' },
  },
  {
    path: 'decide',
    action: 'decide',
    said: { outcome: 'Rejected' },
    leads: { UnderInspection: 'InspectionRejected' },
  },
];

const grid = calls.flatMap(({ path, action, said = {}, leads }) =>
  (['Supplier', 'SortingPoint'] as const).flatMap((destination) =>
    returnStatuses.map((from) => {
      // Goods that go to a supplier are received by the supplier alone.
      const to = path === 'received' && destination === 'Supplier' ? undefined : leads[from];
      const what = [path, ...Object.values(said)].join(' ');
      return { what, path, action, said, destination, from, to, leadsTo: to ?? 'nowhere' };
    }),
  ),
);

describe('what staff do, in every status (D41)', () => {
  test.for(grid)(
    '$what of a return to $destination that is $from leads to $leadsTo',
    async ({ path, action, said, destination, from, to }, { gateway, fixture }) => {
      const id = await fixture.returnIn(from, { destination });
      const move = () => fixture.staff('POST', `/${id}/${path}`, { ...said, reason: 'Because.' });
      if (to === undefined) return expectRefused(gateway, id, move, invalidMove(from, action));
      const before = await storedReturn(gateway, id);
      const answer = await move();
      expect(answer).toMatchObject({
        status: 200,
        state: 'SUCCESS',
        details: {},
        payload: { id, status: to },
      });
      const after = await storedReturn(gateway, id);
      expect(after).toMatchObject({
        status: to,
        version: before.version + 1,
        way: `${before.way} > ${to}`,
        audit: [...before.audit, `return.${action}`],
      });
      const { history, ...read } = (await fixture.staff('GET', `/${id}`)).payload ?? {};
      expect(read).toStrictEqual(answer.payload);
      expect(history).toContainEqual(expect.objectContaining({ from, to, reason: 'Because.' }));
      return undefined;
    },
  );
});

const plainMoves = [
  'approve',
  'reject',
  'in-transit',
  'received',
  'refund-released',
  'withdraw',
  'close',
];

/** The four times of a return's way, in milliseconds. */
const times = async (gateway: Gateway, id: string) => {
  const { receivedAt, inspectionStartedAt, inspectionDeadline, inspectionDecidedAt } =
    await storedReturn(gateway, id);
  return [receivedAt, inspectionStartedAt, inspectionDeadline, inspectionDecidedAt].map(
    (time) => time?.getTime() ?? null,
  );
};

describe('a move', () => {
  test('has one audit entry, with who, on whose request, the reason, before and after', async ({
    gateway,
    fixture,
  }) => {
    const id = await fixture.request();
    const answer = await succeeded(
      fixture.staff('POST', `/${id}/approve`, { reason: 'Looks right.' }),
    );
    const told = { outcome: null, proposedOutcome: null, requiresStaffReview: false };
    const entries = await gateway.sql`
      select operator_id, action, subject_type, request_id, before, after
      from audit_log where subject_id = ${id} and action <> 'return.create'`;
    expect(entries).toEqual([
      {
        operatorId: fixture.operator.id,
        action: 'return.approve',
        subjectType: 'return',
        requestId: answer.headers['x-request-id'],
        before: { ...told, status: 'Pending', version: 1 },
        after: { ...told, status: 'Approved', version: 2, reason: 'Looks right.' },
      },
    ]);
  });

  test('sends a signal to the workflow, which is named received for the receipt', async ({
    gateway,
    fixture,
  }) => {
    const id = await fixture.returnIn('Received', { destination: 'SortingPoint' });
    const messages = await gateway.sql<{ kind: string; signal: string }[]>`
      select kind, payload->>'signal' as signal from outbox where subject_id = ${id} order by id`;
    expect(messages.map(({ kind, signal }) => `${kind} ${signal}`)).toEqual([
      'returnInspection changed',
      'returnInspection changed',
      'returnInspection changed',
      'returnInspection received',
    ]);
  });

  test('needs no reason, nor any body; a blank reason is none', async ({ fixture }) => {
    for (const body of [undefined, {}, { reason: null }, { reason: '  ' }]) {
      const id = await fixture.request();
      await succeeded(fixture.staff('POST', `/${id}/approve`, body));
      const { payload } = await fixture.staff('GET', `/${id}`);
      expect(payload).toMatchObject({ history: [{}, { to: 'Approved', reason: null }] });
    }
  });

  test('with a body out of shape is 400, and moves nothing', async ({ gateway, fixture }) => {
    const id = await fixture.request();
    const before = await returnRecord(gateway, id);
    for (const [body, errors] of [
      [{ reason: 5 }, ['Reason invalid_type']],
      [{ reason: 'x'.repeat(4001) }, ['Reason too_long']],
      [{ reason: 'a\0' }, ['Reason invalid_characters']],
      [{ reason: '\uD800' }, ['Reason invalid_characters']],
      [{ expectedVersion: 1 }, ['ExpectedVersion unknown_field']],
    ] as const) {
      for (const path of [...plainMoves, 'start-inspection']) {
        const answer = await fixture.staff('POST', `/${id}/${path}`, body);
        expect(answer.status).toBe(400);
        expect(fieldErrorsOf(answer)).toEqual(errors);
      }
    }
    expect(await returnRecord(gateway, id)).toBe(before);
    const reason = '😀'.repeat(4000);
    await succeeded(fixture.staff('POST', `/${id}/approve`, { reason }));
    expect((await fixture.staff('GET', `/${id}`)).payload).toMatchObject({
      history: [{}, { reason }],
    });
  });

  test('of an unknown return, or one whose id is no uuid, is 404, after the body’s shape', async ({
    fixture,
  }) => {
    for (const id of [unknownId(), 'x', '%00']) {
      for (const path of [...plainMoves, 'start-inspection']) {
        const move = (body: object) => fixture.staff('POST', `/${id}/${path}`, body);
        expect(await move({})).toMatchObject(refusal('NOT_FOUND_RETURN_REQUEST'));
        expect((await move({ reason: 5 })).state).toBe('VALIDATION_ERRORS');
      }
    }
  });

  test('sets the time that belongs to it, and no other', async ({ gateway, fixture }) => {
    const id = await fixture.returnIn('InTransit', { destination: 'SortingPoint' });
    expect(await times(gateway, id)).toEqual([null, null, null, null]);
    await succeeded(fixture.staff('POST', `/${id}/received`, {}));
    const [receivedAt] = await times(gateway, id);
    expect(await times(gateway, id)).toEqual([expect.any(Number), null, null, null]);
    await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
    const [, startedAt = null] = await times(gateway, id);
    expect(await times(gateway, id)).toEqual([
      receivedAt,
      startedAt,
      (startedAt ?? 0) + 72 * 3_600_000,
      null,
    ]);
    await succeeded(fixture.decide(id, 'AcceptedSound'));
    const decided = await times(gateway, id);
    expect(decided).toEqual([
      receivedAt,
      startedAt,
      (startedAt ?? 0) + 72 * 3_600_000,
      expect.any(Number),
    ]);
    await succeeded(fixture.staff('POST', `/${id}/refund-released`, {}));
    expect(await times(gateway, id)).toEqual(decided);
  });
});
