import { expect } from 'vitest';
import { fail } from '../../../domain/errors.ts';
import type { ReturnStatus } from '../../../domain/returns/return-status.ts';
import { call, gatewayOver, refusal } from '../../support/api/api.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  expectRefused,
  invalidMove,
  returnTest as test,
  storedReturn,
  succeeded,
} from './return-fixture.ts';

// The moves by their effects. Which status allows which move has its cases in
// `test/domain/returns/return-model.test.ts`, the bodies in `return-body.test.ts`.

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
    const { way, audit, outcome, version } = await storedReturn(gateway, id);
    const answer = await move();
    expect(answer).toMatchObject({ status: 200, details: {}, payload: { id, status: to } });
    expect(await storedReturn(gateway, id)).toMatchObject({
      status: to,
      version: version + 1,
      way: `${way} > ${to}`,
      audit: [...audit, `return.${action}`],
    });
    const entries = await gateway.sql`
      select operator_id, subject_type, request_id, before, after from audit_log
      where subject_id = ${id} order by id desc limit 1`;
    const unset = { outcome, proposedOutcome: null, requiresStaffReview: false };
    expect(entries).toEqual([
      {
        operatorId: fixture.operator.id,
        subjectType: 'return',
        requestId: answer.headers['x-request-id'],
        before: { ...unset, status: from, version },
        after: { ...unset, status: to, version: version + 1, reason: 'Because.', ...body },
      },
    ]);
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

test('a blank reason is stored as none, and a move needs no body', async ({ fixture }) => {
  const id = await fixture.request();
  await succeeded(fixture.staff('POST', `/${id}/approve`));
  await succeeded(fixture.staff('POST', `/${id}/in-transit`, { reason: '  ' }));
  expect((await fixture.staff('GET', `/${id}`)).payload).toMatchObject({
    history: [{}, { to: 'Approved', reason: null }, { to: 'InTransit', reason: null }],
  });
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
