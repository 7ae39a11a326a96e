import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { type ReturnReason } from '../../../domain/returns/return-status.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import {
  deadlineOf,
  decision,
  startCommand,
  startDue,
  startTimer,
  windowTimer,
  type InspectionFixture,
  untilPast,
  inspectionTest as test,
} from '../../support/returns/inspection.ts';
import {
  addSeededEvidence,
  moveReturnTo,
  proposeAsVendor,
  returnMoves,
  storedReturn,
} from '../../support/returns/seed-returns.ts';

/** A received return, its run open. */
async function received(
  gateway: TestGateway,
  fixture: InspectionFixture,
  reasons: readonly ReturnReason[],
  startMs: number,
  windowMs: number,
) {
  const request = await fixture.request({ reasons, times: { startMs, windowMs } });
  const moved = await moveReturnTo(gateway.sql, request, 'Received');
  await fixture.untilSeen(request, 'Received');
  return moved;
}

describe('the inspection of a return', () => {
  test('starts by itself a while after receipt, by its timer', async ({ gateway, fixture }) => {
    const request = await received(gateway, fixture, ['ChangedMind'], 700, 3_600_000);
    const due = startDue(request);

    const started = await fixture.untilStored(request, 'UnderInspection');

    const { inspectionStartedAt, inspectionDeadline } = started;
    expect(inspectionStartedAt?.getTime()).toBeGreaterThanOrEqual(due.getTime());
    expect(inspectionDeadline).toEqual(
      inspectionStartedAt && later(inspectionStartedAt, 3_600_000),
    );
    const [timer] = await fixture.timers(request);
    expect(timer).toMatchObject({ summary: startTimer, hasFired: true });
    expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
    await fixture.end(request);
    await fixture.record(request, 'started-by-timer');
  });

  test('is started by staff, and then not by its timer', async ({ gateway, fixture }) => {
    const request = await received(gateway, fixture, ['Defective'], 6000, 3_600_000);

    const outcome = await fixture.order(request, startCommand);

    expect(outcome).toMatchObject({
      ok: true,
      value: { status: 'UnderInspection', operatorId: fixture.operator.operatorId },
    });
    const started = await storedReturn(gateway.sql, request);
    expect(started.inspectionStartedAt?.getTime()).toBeLessThan(startDue(request).getTime());
    // Past the instant at which the timer would have started it.
    await untilPast(later(startDue(request), 300));
    expect(await storedReturn(gateway.sql, request)).toEqual(started);
    expect(await fixture.timers(request)).toMatchObject([
      { summary: startTimer, hasFired: false },
      { summary: windowTimer, hasFired: false },
    ]);
    expect(await fixture.order(request, decision('AcceptedDefect'))).toMatchObject({ ok: true });
    await fixture.end(request);
    await fixture.record(request, 'started-by-staff');
  });
});

test('lets staff decide first, and nothing after them', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(6000);

  expect(await fixture.order(request, decision('Rejected'))).toMatchObject({
    ok: true,
    value: { outcome: 'Rejected' },
  });

  const decided = await storedReturn(gateway.sql, request);
  expect(decided).toMatchObject({
    status: 'InspectionRejected',
    decidedBy: fixture.operator.operatorId,
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
  await fixture.end(request);
  await fixture.record(request, 'decided-before-proposal');
});

test('fires a timer soon after its instant, never earlier', async ({ gateway, fixture }) => {
  const rounds = Array.from({ length: 6 }, async (_, round) => {
    const request = await received(
      gateway,
      fixture,
      ['Defective'],
      400 + round * 37,
      500 + round * 31,
    );
    const decided = await fixture.untilStored(request, 'InspectionAccepted');
    await fixture.end(request);
    const [start, window] = await fixture.timers(request);
    for (const [timer, due] of [
      [start, startDue(decided)],
      [window, deadlineOf(decided)],
    ] as const) {
      const lateMs = (timer?.dueMs ?? 0) - due.getTime();
      expect(timer?.hasFired).toBe(true);
      expect(lateMs).toBeGreaterThanOrEqual(0);
      // By as long as the run's task took from its clock to the server's: milliseconds, on a busy
      // machine more.
      expect(lateMs).toBeLessThan(5000);
    }
    await fixture.replay(request);
  });
  await Promise.all(rounds);
});

test('keeps one timer for the window', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  for (let piece = 0; piece < 5; piece += 1) {
    await addSeededEvidence(gateway.sql, request);
    await proposeAsVendor(
      gateway.sql,
      request,
      piece % 2 === 0 ? 'AcceptedSound' : 'AcceptedDefect',
    );
    await fixture.untilOutboxIsEmpty();
  }
  await fixture.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.end(request);

  expect(await fixture.timersNamed(request, windowTimer)).toHaveLength(1);
  await fixture.replay(request);
});

test('applies a command once, however often it is sent', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(3_600_000);
  const command = decision('AcceptedSound');
  const commandId = await fixture.note(request, command);

  const atOnce = await Promise.all([1, 2, 3].map(() => fixture.send(request, command, commandId)));
  expect(atOnce).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  const decided = await storedReturn(gateway.sql, request);
  await fixture.end(request);
  expect(await fixture.send(request, command, commandId)).toEqual(atOnce[0]);
  // A run that knows nothing of the first.
  await fixture.lateMessage(request);
  await fixture.run(request).result();
  const again = await fixture.send(request, command, commandId);

  expect(again).toMatchObject({
    ok: true,
    value: { outcome: 'AcceptedSound', status: 'RefundReleased' },
  });
  await fixture.run(request).result();
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
