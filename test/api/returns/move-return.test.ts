import { expect } from 'vitest';
import { fail } from '../../../domain/errors.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { newOperator } from '../support/actors.ts';
import { call, gatewayOver, refusal, type Gateway } from '../support/api.ts';
import { instant } from '../support/matchers.ts';
import {
  expectRefused,
  invalidMove,
  returnTest as test,
  storedReturn,
  succeeded,
} from './return-fixture.ts';

// The moves of staff by their effects. Which status allows which move has its cases in
// `test/domain/returns/move-return.test.ts`, the bodies in `return-body.test.ts`.

const unset = { outcome: null, proposedOutcome: null, requiresStaffReview: false };
const auditOf = (gateway: Gateway, id: string, action: string) => gateway.sql`
  select operator_id, action, subject_type, request_id, before, after
  from audit_log where subject_id = ${id} and action = ${action}`;

test.for<readonly [string, string, ReturnStatus, ReturnStatus, object?]>([
  ['approve', 'approve', 'Pending', 'Approved'],
  ['reject', 'reject', 'Pending', 'Rejected'],
  ['in-transit', 'inTransit', 'Approved', 'InTransit'],
  ['received', 'receive', 'InTransit', 'Received'],
  ['start-inspection', 'startInspection', 'Received', 'UnderInspection'],
  ['refund-released', 'releaseRefund', 'InspectionAccepted', 'RefundReleased'],
  ['withdraw', 'withdraw', 'Approved', 'Withdrawn'],
  ['close', 'close', 'InspectionRejected', 'Closed'],
  ['decide', 'decide', 'UnderInspection', 'InspectionAccepted', { outcome: 'AcceptedDefect' }],
])(
  '%s moves a return once with its reason, and refuses a second call (%s, %s to %s)',
  async ([path, action, from, to, body], { gateway, fixture }) => {
    const id = await fixture.returnIn(from, { destination: 'SortingPoint' });
    const move = () => fixture.staff('POST', `/${id}/${path}`, { ...body, reason: 'Because.' });
    const before = await storedReturn(gateway, id);
    const answer = await move();
    expect(answer).toMatchObject({ status: 200, details: {}, payload: { id, status: to } });
    expect(await storedReturn(gateway, id)).toMatchObject({
      status: to,
      version: before.version + 1,
      way: `${before.way} > ${to}`,
      audit: [...before.audit, `return.${action}`],
    });
    const { payload } = await fixture.staff('GET', `/${id}`);
    const { history, earlierReturns: _, ...read } = payload ?? {};
    expect(read).toStrictEqual(answer.payload);
    expect((history as object[]).at(-1)).toEqual({ at: instant, from, to, reason: 'Because.' });
    await expectRefused(gateway, id, move, invalidMove(to, action));
  },
);

test('received refuses a return to a vendor', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('InTransit');
  const move = () => fixture.staff('POST', `/${id}/received`, {});
  await expectRefused(gateway, id, move, invalidMove('InTransit', 'receive'));
});

test('a blank reason is stored as none, and a move needs no body', async ({ gateway, fixture }) => {
  const id = await fixture.request();
  const answer = await succeeded(fixture.staff('POST', `/${id}/approve`));
  await succeeded(fixture.staff('POST', `/${id}/in-transit`, { reason: '  ' }));
  expect((await fixture.staff('GET', `/${id}`)).payload).toMatchObject({
    history: [{}, { to: 'Approved', reason: null }, { to: 'InTransit', reason: null }],
  });
  expect(await auditOf(gateway, id, 'return.approve')).toEqual([
    {
      operatorId: fixture.operator.id,
      action: 'return.approve',
      subjectType: 'return',
      requestId: answer.headers['x-request-id'],
      before: { ...unset, status: 'Pending', version: 1 },
      after: { ...unset, status: 'Approved', version: 2, reason: null },
    },
  ]);
});

test('sends the workflow a message of each move', async ({ gateway, fixture }) => {
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

test('decide stores operator, time and reason', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('UnderInspection');
  await succeeded(fixture.addEvidence(id));
  await succeeded(fixture.propose(id, 'Rejected'));
  const { version } = await storedReturn(gateway, id);
  const answer = await succeeded(fixture.decide(id, 'AcceptedSound', 'Looked at it.'));
  expect(answer.payload).toMatchObject({
    status: 'InspectionAccepted',
    inspectionDecidedAt: instant,
    inspection: {
      outcome: 'AcceptedSound',
      supplierProposedOutcome: 'Rejected',
      requiresStaffReview: false,
    },
    decidedBy: fixture.operator.operatorId,
    version: version + 1,
  });
  const proposed = { ...unset, proposedOutcome: 'Rejected' };
  const decided = { outcome: 'AcceptedSound', reason: 'Looked at it.' };
  expect(await auditOf(gateway, id, 'return.decide')).toEqual([
    {
      operatorId: fixture.operator.id,
      action: 'return.decide',
      subjectType: 'return',
      requestId: answer.headers['x-request-id'],
      before: { ...proposed, requiresStaffReview: true, status: 'UnderInspection', version },
      after: { ...proposed, ...decided, status: 'InspectionAccepted', version: version + 1 },
    },
  ]);
  const { token } = await newOperator(gateway, ['Operations']);
  const body = { outcome: 'Rejected' };
  const again = () => call(gateway, 'POST', `/operator/v1/returns/${id}/decide`, { token, body });
  await expectRefused(gateway, id, again, invalidMove('InspectionAccepted', 'decide'));
});

test('start-inspection opens a window of 72 hours', async ({ gateway, fixture }) => {
  const id = await fixture.returnIn('Received');
  const { payload } = await succeeded(fixture.staff('POST', `/${id}/start-inspection`, {}));
  const startedAt = String(payload?.['inspectionStartedAt']);
  const deadline = new Date(Date.parse(startedAt) + 72 * 3_600_000).toISOString();
  expect(payload).toMatchObject({
    inspectionDecidedAt: null,
    decidedBy: null,
    inspection: { inspectionWindowDeadline: deadline, outcome: null },
  });
  expect(await auditOf(gateway, id, 'return.startInspection')).toMatchObject([
    { before: { status: 'Received' }, after: { status: 'UnderInspection', reason: null } },
  ]);
});

test('decide refuses by the record before it calls Temporal', async ({ gateway, fixture }) => {
  const sent: unknown[] = [];
  const decideReturn = async (...given: readonly unknown[]) => {
    sent.push(given);
    return fail('SERVICE_UNAVAILABLE');
  };
  const { decisions } = gateway.dependencies;
  const watched = await gatewayOver(gateway.sql, { decisions: { ...decisions, decideReturn } });
  const [pending, open] = [await fixture.request(), await fixture.returnIn('UnderInspection')];
  const decide = (id: string) =>
    call(watched, 'POST', `/operator/v1/returns/${id}/decide`, {
      token: fixture.operator.token,
      body: { outcome: 'Rejected' },
    });
  await expectRefused(gateway, pending, () => decide(pending), invalidMove('Pending', 'decide'));
  expect(sent).toEqual([]);
  await expectRefused(gateway, open, () => decide(open), refusal('SERVICE_UNAVAILABLE'));
  expect(sent).toEqual([
    [
      {
        returnId: open,
        vendorId: fixture.vendor.vendorId,
        returnNumber: expect.stringMatching(/^RR-\d{8,}$/),
        isForSupplier: true,
        inspectionStartMs: 24 * 3_600_000,
        inspectionWindowMs: 72 * 3_600_000,
      },
      {
        action: 'decide',
        commandId: expect.any(String),
        operatorId: fixture.operator.operatorId,
        requestId: expect.any(String),
      },
    ],
  ]);
});
