import { expect, vi } from 'vitest';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnStatus,
  StaffReturnAction,
} from '../../../domain/returns/return-status.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  startCommand,
  untilPast,
  type InspectionFixture,
} from '../../support/returns/inspection.ts';

/**
 * Records the run that was open all the while. It ended with this status; a message that comes
 * later opens none that stays.
 */
async function expectEnd(
  fixture: InspectionFixture,
  request: ReturnRequest,
  runId: string,
  [name, status]: readonly [string, ReturnStatus],
): Promise<void> {
  expect(await fixture.run(request).result()).toBe(status);
  await fixture.record(request, name);
  expect((await fixture.run(request).describe()).runId).toBe(runId);
  const stored = await fixture.stored(request);
  expect(stored.status).toBe(status);

  await fixture.lateMessage(request);

  expect(await fixture.run(request).result()).toBe(status);
  expect((await fixture.run(request).describe()).runId).not.toBe(runId);
  await fixture.replay(request);
  expect(await fixture.stored(request)).toEqual(stored);
}

test.for<
  readonly [string, InspectionOutcome | null, ReturnStatus, StaffReturnAction[], ReturnStatus]
>([
  ['withdrawn', null, 'Pending', ['approve', 'withdraw'], 'Withdrawn'],
  ['declined', null, 'Pending', ['reject'], 'Rejected'],
  ['closed-after-approval', null, 'Approved', ['close'], 'Closed'],
  ['rejected-then-closed', 'Rejected', 'InspectionRejected', ['close'], 'Closed'],
  ['refund-released', 'AcceptedDefect', 'InspectionAccepted', ['releaseRefund'], 'RefundReleased'],
])(
  'ends the run of a return that is %s',
  async ([name, outcome, seen, actions, end], { fixture }) => {
    const request =
      outcome === null ? await fixture.request() : await fixture.underInspection(3_600_000);
    if (outcome !== null)
      expect(await fixture.order(request, decision(outcome))).toMatchObject({ ok: true });
    if (seen === 'Approved') await fixture.moveTo(request, seen);
    const runId = await fixture.untilSeen(request, seen);
    for (const action of actions) await fixture.staff(request, action);
    await expectEnd(fixture, request, runId, [name, end]);
  },
);

test('ends each run that a late message signals or starts', async ({ fixture }) => {
  const rounds = Array.from({ length: 10 }, async (_, round) => {
    const request = await fixture.request();
    await fixture.untilSeen(request, 'Pending');
    await fixture.staff(request, 'withdraw');
    await fixture.untilSeen(request, 'Withdrawn');
    // All around the second for which an ended run waits for late messages.
    for (let message = 0; message < 6; message += 1) {
      await untilPast(later(new Date(), 150 + round * 15));
      await fixture.lateMessage(request);
    }
    expect(await fixture.run(request).result()).toBe('Withdrawn');
    await fixture.replay(request);
  });
  await Promise.all(rounds);
  const unknown = { ...(await fixture.request()), id: '01900000-0000-7000-8000-000000000000' };
  await fixture.lateMessage(unknown);
  expect(await fixture.run(unknown).result()).toBeNull();
});

test('changes nothing by time at a sorting point', async ({ fixture }) => {
  const times = { startMs: 100, windowMs: 100 };
  const made = await fixture.received({ destination: 'SortingPoint', times });
  const runId = await fixture.untilSeen(made, 'Received');
  const description = await (await fixture.run(made).describe()).staticDetails();
  expect(description).toContain('nothing happens by time');
  expect(description).not.toContain('starts automatically');
  // A message makes the run look again, as far past both times as they are long.
  await untilPast(later(made.requestedAt, 600));
  await fixture.lateMessage(made);
  const value = { status: 'UnderInspection', due: null };
  expect(await fixture.order(made, startCommand)).toMatchObject({ value });
  const started = await fixture.stored(made);
  await untilPast(later(deadlineOf(started), 300));
  await fixture.lateMessage(made);
  expect(await fixture.stored(made)).toEqual(started);

  expect(await fixture.order(made, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.end(made);
  const timers = (await fixture.timers(made)).map(({ summary }) => summary);
  expect(timers).toEqual(['for late messages']);
  await expectEnd(fixture, made, runId, ['sorting-point', 'RefundReleased']);
});

test('continues a long history as a new run with its deadline', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(6000);
  const runId = await fixture.untilSeen(request, 'UnderInspection');
  // The server suggests a new history from 4 MB on, with the next task.
  for (let sent = 0; sent < 9; sent += 1)
    await fixture.run(request).signal('changed', 'x'.repeat(500_000));
  await vi.waitFor(
    async () => {
      expect((await fixture.run(request).describe()).runId).not.toBe(runId);
    },
    { timeout: 20_000, interval: 50 },
  );

  const silent = await fixture.untilStored(request, 'InspectionAccepted');

  const { inspectionDeadline, version } = request;
  const decided = { inspectionDeadline, outcome: 'AcceptedDefect', version: version + 1 };
  expect(silent).toMatchObject(decided);
  const decidedMs = silent.inspectionDecidedAt?.getTime();
  expect(decidedMs).toBeGreaterThanOrEqual(deadlineOf(request).getTime());
  expect(await fixture.untilSeen(request, 'InspectionAccepted')).not.toBe(runId);
  const first = gateway.client.workflow.getHandle(returnInspectionId(request.id), runId);
  expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
});
