import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { type ReturnReason } from '../../../domain/returns/return-status.ts';
import { type TestGateway } from '../../support/gateway.ts';
import {
  createInspectionStage,
  deadlineOf,
  decision,
  startCommand,
  startDue,
  startTimer,
  windowTimer,
  type InspectionStage,
  untilPast,
} from '../../support/returns/inspection.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  returnMoves,
  storedReturn,
} from '../../support/returns/seed-returns.ts';
import { workflowTest } from '../../support/workflow-test.ts';

const test = workflowTest.extend('stage', { scope: 'file' }, ({ gateway }) =>
  createInspectionStage(gateway),
);

/** A received return, its run open. */
async function received(
  gateway: TestGateway,
  stage: InspectionStage,
  reasons: readonly ReturnReason[],
  startMs: number,
  windowMs: number,
) {
  const request = await stage.request({ reasons, times: { startMs, windowMs } });
  const moved = await moveReturnTo(gateway.sql, request, 'Received');
  await stage.untilSeen(request, 'Received');
  return moved;
}

describe('the inspection of a return', () => {
  test('has a run from its creation on, which the relay starts', async ({ stage }) => {
    const request = await stage.request();

    await stage.untilSeen(request, 'Pending');

    const description = await stage.run(request).describe();
    expect(description.status.name).toBe('RUNNING');
    expect(description.type).toBe('returnInspection');
    expect(await stage.timers(request)).toEqual([]);
  });

  test('starts by itself a while after receipt, by its timer', async ({ gateway, stage }) => {
    const request = await received(gateway, stage, ['ChangedMind'], 700, 3_600_000);
    const due = startDue(request);

    const started = await stage.untilStored(request, 'UnderInspection');

    const { inspectionStartedAt, inspectionDeadline } = started;
    expect(inspectionStartedAt?.getTime()).toBeGreaterThanOrEqual(due.getTime());
    expect(inspectionDeadline).toEqual(
      inspectionStartedAt && later(inspectionStartedAt, 3_600_000),
    );
    const [timer] = await stage.timers(request);
    expect(timer).toMatchObject({ summary: startTimer, hasFired: true });
    expect(await stage.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
    await stage.end(request);
    await stage.record(request, 'started-by-timer');
  });

  test('is started by staff before its timer rings, which then never does', async ({
    gateway,
    stage,
  }) => {
    const request = await received(gateway, stage, ['Defective'], 1500, 3_600_000);

    const outcome = await stage.order(request, startCommand);

    expect(outcome).toMatchObject({
      ok: true,
      value: { status: 'UnderInspection', operatorId: stage.operator.operatorId },
    });
    const started = await storedReturn(gateway.sql, request);
    expect(started.inspectionStartedAt?.getTime()).toBeLessThan(startDue(request).getTime());
    // Past the instant at which the timer would have started it.
    await untilPast(later(startDue(request), 300));
    expect(await storedReturn(gateway.sql, request)).toEqual(started);
    expect(await stage.timers(request)).toMatchObject([
      { summary: startTimer, hasFired: false },
      { summary: windowTimer, hasFired: false },
    ]);
    expect(await stage.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
    await stage.end(request);
    await stage.record(request, 'started-by-staff');
  });
});

test('staff may decide before anything was proposed; the window’s end then decides nothing', async ({
  gateway,
  stage,
}) => {
  const request = await stage.underInspection(3000);

  expect(await stage.order(request, decision('Rejected'))).toMatchObject({
    ok: true,
    value: { outcome: 'Rejected' },
  });

  const decided = await storedReturn(gateway.sql, request);
  expect(decided).toMatchObject({
    status: 'InspectionRejected',
    decidedBy: stage.operator.operatorId,
  });
  await untilPast(later(deadlineOf(request), 300));
  expect(await storedReturn(gateway.sql, request)).toEqual(decided);
  expect(await returnMoves(gateway.sql, request)).toEqual([
    'Pending to Approved',
    'Approved to InTransit',
    'InTransit to Received',
    'Received to UnderInspection',
    'UnderInspection to InspectionRejected',
  ]);
  await stage.end(request);
  await stage.record(request, 'decided-before-proposal');
});

test('a timer is due at the very instant that the record tells vendors, or soon after, never earlier', async ({
  gateway,
  stage,
}) => {
  const rounds = Array.from({ length: 6 }, async (_, round) => {
    const request = await received(
      gateway,
      stage,
      ['Defective'],
      400 + round * 37,
      500 + round * 31,
    );
    const decided = await stage.untilStored(request, 'InspectionAccepted');
    await stage.end(request);
    const [start, window] = await stage.timers(request);
    for (const [timer, due] of [
      [start, startDue(decided)],
      [window, deadlineOf(decided)],
    ] as const) {
      const lateMs = (timer?.dueMs ?? 0) - due.getTime();
      expect(timer?.hasFired).toBe(true);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      // By as long as the run's task took from its clock to the server's: milliseconds, on a busy machine more.
      expect(lateMs).toBeLessThan(5000);
    }
    await stage.replay(request);
  });
  await Promise.all(rounds);
});

test('one timer stays set for the window while evidence and proposals come in', async ({
  gateway,
  stage,
}) => {
  const request = await stage.underInspection(3_600_000);
  for (let piece = 0; piece < 5; piece += 1) {
    await addSeededEvidence(gateway.sql, request);
    await proposeAsVendor(
      gateway.sql,
      request,
      piece % 2 === 0 ? 'AcceptedSound' : 'AcceptedDefect',
    );
    await stage.untilOutboxIsEmpty();
  }
  await stage.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

  expect(await stage.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await stage.end(request);

  const timers = await stage.timers(request);
  expect(timers.filter(({ summary }) => summary === windowTimer)).toHaveLength(1);
  await stage.replay(request);
});

test('a command is applied once, however often it is sent, at once or to a later run', async ({
  gateway,
  stage,
}) => {
  const request = await stage.underInspection(3_600_000);
  const command = decision('AcceptedSound');
  const commandId = await stage.note(request, command);

  const atOnce = await Promise.all([1, 2, 3].map(() => stage.send(request, command, commandId)));
  expect(atOnce).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  const decided = await storedReturn(gateway.sql, request);
  await stage.end(request);
  expect(await stage.send(request, command, commandId)).toEqual(atOnce[0]);
  // A run that knows nothing of the first.
  await stage.lateMessage(request);
  await stage.run(request).result();
  const again = await stage.send(request, command, commandId);

  expect(again).toMatchObject({
    ok: true,
    value: { outcome: 'AcceptedSound', status: 'RefundReleased' },
  });
  await stage.run(request).result();
  expect(await storedReturn(gateway.sql, request)).toMatchObject({
    inspectionDecidedAt: decided.inspectionDecidedAt,
    version: decided.version + 1,
  });
  const moves = await returnMoves(gateway.sql, request);
  expect(moves.filter((move) => move.startsWith('UnderInspection'))).toHaveLength(1);
  const entries = await gateway.sql`
    select from audit_log where subject_id = ${request.id} and action = 'return.decide'`;
  expect(entries).toHaveLength(1);
});
