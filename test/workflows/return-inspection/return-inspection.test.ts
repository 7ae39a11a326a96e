import { describe, expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import {
  deadlineOf,
  decision,
  inspectionTest as test,
  startCommand,
  startDue,
  startTimer,
  untilPast,
  windowTimer,
} from '../../support/returns/inspection.ts';
import { returnMoves } from '../../support/returns/seed-returns.ts';

const hourMs = 3_600_000;

describe('the inspection of a return', () => {
  test('starts by itself a while after receipt, by its timer', async ({ fixture }) => {
    const request = await fixture.received({ times: { startMs: 700 } });

    const started = await fixture.untilStored(request, 'UnderInspection');

    const startedAt = started.inspectionStartedAt ?? new Date(0);
    expect(startedAt.getTime()).toBeGreaterThanOrEqual(startDue(request).getTime());
    expect(started.inspectionDeadline).toEqual(later(startedAt, hourMs));
    const [timer] = await fixture.timers(request);
    expect(timer).toMatchObject({ summary: startTimer, hasFired: true });
    expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
    await fixture.end(request);
    await fixture.record(request, 'started-by-timer');
  });

  test('is started by staff, and then not by its timer', async ({ fixture }) => {
    const request = await fixture.received({ times: { startMs: 6000 } });

    const { operatorId } = fixture.operator;
    const value = { status: 'UnderInspection', operatorId };
    expect(await fixture.order(request, startCommand)).toMatchObject({ ok: true, value });
    const started = await fixture.stored(request);
    expect(started.inspectionStartedAt?.getTime()).toBeLessThan(startDue(request).getTime());
    // Past the instant at which the timer would have started it.
    await untilPast(later(startDue(request), 300));
    expect(await fixture.stored(request)).toEqual(started);
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
  const value = { outcome: 'Rejected' };
  expect(await fixture.order(request, decision('Rejected'))).toMatchObject({ ok: true, value });

  const decided = await fixture.stored(request);
  const decidedBy = fixture.operator.operatorId;
  expect(decided).toMatchObject({ status: 'InspectionRejected', decidedBy });
  await untilPast(later(deadlineOf(request), 300));
  expect(await fixture.stored(request)).toEqual(decided);
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

test('fires a timer soon after its instant, never earlier', async ({ fixture }) => {
  const rounds = Array.from({ length: 6 }, async (_, round) => {
    const times = { startMs: 400 + round * 37, windowMs: 500 + round * 31 };
    const request = await fixture.received({ times });
    const decided = await fixture.untilStored(request, 'InspectionAccepted');
    await fixture.end(request);
    const timers = await fixture.timers(request);
    for (const [index, due] of [startDue(decided), deadlineOf(decided)].entries()) {
      const { dueMs = 0, hasFired } = timers[index] ?? {};
      expect(hasFired).toBe(true);
      expect(dueMs).toBeGreaterThanOrEqual(due.getTime());
      // By as long as the run's task took from its clock to the server's: milliseconds, on a busy
      // machine more.
      expect(dueMs).toBeLessThan(due.getTime() + 5000);
    }
    await fixture.replay(request);
  });
  await Promise.all(rounds);
});

test('keeps one timer for the window', async ({ fixture }) => {
  const request = await fixture.underInspection(hourMs);
  for (let piece = 0; piece < 5; piece += 1) {
    await fixture.propose(request, piece % 2 === 0 ? 'AcceptedSound' : 'AcceptedDefect');
    await fixture.untilOutboxIsEmpty();
  }
  await fixture.untilDetails(request, 'The vendor proposed `AcceptedSound`.');

  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.end(request);

  expect(await fixture.timersNamed(request, windowTimer)).toHaveLength(1);
  await fixture.replay(request);
});

test('applies a command once, however often it is sent', async ({ gateway, fixture }) => {
  const request = await fixture.underInspection(hourMs);
  const command = decision('AcceptedSound');
  const commandId = await fixture.note(request, command);
  const send = () => fixture.send(request, command, commandId);

  const atOnce = await Promise.all([send(), send(), send()]);
  expect(atOnce).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
  const { inspectionDecidedAt, version } = await fixture.stored(request);
  await fixture.end(request);
  expect(await send()).toEqual(atOnce[0]);
  // A run that begins after the decision says who decided.
  await fixture.lateMessage(request);
  await fixture.run(request).result();
  const { operatorId } = fixture.operator;
  expect(await fixture.details(request)).toContain(`by operator \`${operatorId}\``);
  const value = { outcome: 'AcceptedSound', status: 'RefundReleased' };
  expect(await send()).toMatchObject({ ok: true, value });
  await fixture.run(request).result();
  const after = { inspectionDecidedAt, version: version + 1 };
  expect(await fixture.stored(request)).toMatchObject(after);
  expect(await fixture.inspectionMoves(request)).toHaveLength(1);
  const entries = await gateway.sql`
    select from audit_log where subject_id = ${request.id} and action = 'return.decide'`;
  expect(entries).toHaveLength(1);
});
