import { expect, vi } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import { holdReturn } from '../../support/database/hold.ts';
import {
  createInspectionFixture,
  deadlineOf,
  decision,
  inTime,
  isBefore,
  startTimer,
  windowTimer,
  type InspectionFixture,
  untilPast,
  waiting,
} from '../../support/returns/inspection.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';

const hourMs = 3_600_000;

const test = restartTest.extend('fixture', ({ gateway }) => createInspectionFixture(gateway));

/** Cuts every connection to the gateway's database but the one that does it. */
async function cutConnections(gateway: TestGateway): Promise<void> {
  const owner = connect(gateway.ownerUrl, { max: 1, name: 'owner' });
  await owner`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await owner.end();
}

/** Sets the clock of the gateway's database so far behind this machine's, for later connections. */
const setClockBack = ({ sql }: TestGateway, ms: number) =>
  sql.unsafe(`
    create or replace function public.clock_timestamp() returns timestamptz
    language sql volatile as $$
      select pg_catalog.clock_timestamp() - interval '${ms} milliseconds'
    $$;
    do $$ begin
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`);

/** Under inspection. Its run has handled each message so far, so that only time wakes it. */
const underInspection = async (fixture: InspectionFixture, windowMs: number) => {
  const request = await fixture.underInspection(windowMs);
  await fixture.untilIdle(request);
  return request;
};

/** The same after `next`, while no worker runs; its deadline was to come before that. */
const underInspectionWithoutWorker = (
  gateway: TestGateway,
  fixture: InspectionFixture,
  next = async (request: ReturnRequest) => request,
) =>
  inTime(6000, async (windowMs) => {
    const worker = await gateway.startWorker();
    const request = await underInspection(fixture, windowMs);
    await worker.stop();
    return isBefore(deadlineOf(request)) ? next(request).catch(() => null) : null;
  });

/** Silence decided it, once, at its deadline or later; the run ends and replays. */
async function expectSilence(
  fixture: InspectionFixture,
  request: ReturnRequest,
  recordedAs?: string,
): Promise<ReturnRequest> {
  await untilPast(deadlineOf(request));
  const decided = await fixture.untilStored(request, 'InspectionAccepted');
  const { inspectionDeadline, version } = request;
  const outcome = 'AcceptedDefect';
  const after = { outcome, decidedBy: null, inspectionDeadline, version: version + 1 };
  expect(decided).toMatchObject(after);
  const decidedMs = decided.inspectionDecidedAt?.getTime();
  expect(decidedMs).toBeGreaterThanOrEqual(deadlineOf(request).getTime());
  expect(await fixture.order(request, decision('Rejected'))).toMatchObject({ ok: false });
  await fixture.end(request, recordedAs);
  expect(await fixture.inspectionMoves(request)).toEqual(['UnderInspection to InspectionAccepted']);
  return decided;
}

/**
 * Expects that a given number of timers of the window have fired, the last one at the deadline or
 * later.
 */
async function expectRings(
  fixture: InspectionFixture,
  request: ReturnRequest,
  count: number,
): Promise<void> {
  const timers = await fixture.timersNamed(request, windowTimer);
  expect(timers.map(({ hasFired }) => hasFired)).toEqual(Array(count).fill(true));
  expect(timers.at(-1)?.dueMs).toBeGreaterThanOrEqual(deadlineOf(request).getTime());
}

// Before the others and not beside them: it measures how soon a worker that is back decides.
test('decides once when a worker missed the deadline', async ({ gateway, fixture }) => {
  const request = await underInspectionWithoutWorker(gateway, fixture);
  await untilPast(later(deadlineOf(request), 700));
  expect(await fixture.stored(request)).toEqual(request);
  const backAt = Date.now();
  await gateway.startWorker();

  const decided = await expectSilence(fixture, request);
  const decidedMs = decided.inspectionDecidedAt?.getTime() ?? 0;
  expect(decidedMs).toBeGreaterThanOrEqual(backAt);
  expect(decidedMs - backAt).toBeLessThan(10_000);
});

// Each test has its own database, so that they run side by side; their windows leave time for that.
test.concurrent(
  'keeps deadline and outcome when its worker is replaced within the window',
  { timeout: 150_000 }, // On a busy machine, some windows are too short.
  async ({ gateway, fixture }) => {
    let worker = await gateway.startWorker();
    const replaceWorker = async () => {
      await worker.stop();
      worker = await gateway.startWorker();
    };
    const request = await inTime(12_000, async (windowMs) => {
      const given = await underInspection(fixture, windowMs);
      await replaceWorker();
      if (!isBefore(deadlineOf(given))) return null;
      await fixture.addEvidence(given);
      await fixture.untilOutboxIsEmpty();
      await replaceWorker();
      return isBefore(deadlineOf(given)) ? given : null;
    });

    const withEvidence = { ...request, version: request.version + 1 };
    await expectSilence(fixture, withEvidence, 'restarted');

    await expectRings(fixture, request, 1);
  },
);

test.concurrent('requires staff after a proposal with no worker', async ({ gateway, fixture }) => {
  // A proposal after the deadline would be refused.
  const proposed = await underInspectionWithoutWorker(gateway, fixture, (request) =>
    fixture.propose(request, 'AcceptedSound'),
  );
  await untilPast(later(deadlineOf(proposed), 300));

  await gateway.startWorker();

  await fixture.untilDetails(proposed, 'An operator must decide.');
  const version = proposed.version + 1;
  const flagged = { ...proposed, requiresStaffReview: true, version };
  expect(await fixture.stored(proposed)).toEqual(flagged);
  expect(await fixture.order(proposed, decision('AcceptedSound'))).toMatchObject({ ok: true });
  await fixture.replay(proposed);
});

test.concurrent('decides once when connections are cut', async ({ gateway, fixture }) => {
  await gateway.startWorker();
  const request = await underInspection(fixture, 3000);
  for (let cut = 0; cut < 4; cut += 1) {
    const held = await holdReturn(gateway.sql, request.id);
    // The repetition of the earlier cut may have decided before this hold.
    if ((await fixture.stored(request)).outcome !== null) {
      await held.letGo();
      break;
    }
    await held.untilWaiting(1);
    await held.cutWaiting();
    await held.letGo();
  }

  await expectSilence(fixture, request, 'connection-cut');
});

test.concurrent('decides by staff while connections are cut', async ({ gateway, fixture }) => {
  await gateway.startWorker();
  const request = await underInspection(fixture, 3_600_000);
  const held = await holdReturn(gateway.sql, request.id);
  const response = fixture.order(request, decision('Rejected'));
  for (let cut = 0; cut < 3; cut += 1) {
    await held.untilWaiting(1);
    await held.cutWaiting();
  }
  await held.letGo();

  expect(await response).toMatchObject({ ok: true, value: { outcome: 'Rejected' } });
  expect(await fixture.inspectionMoves(request)).toHaveLength(1);
});

test.concurrent('fires again if the record’s clock is behind', async ({ gateway, fixture }) => {
  // The server is past the start and the deadline at once; the record gets there when this test
  // moves its clock.
  await setClockBack(gateway, 3 * hourMs);
  await cutConnections(gateway);
  await gateway.startWorker();
  const request = await fixture.request({ times: { startMs: hourMs, windowMs: hourMs } });
  const received = await fixture.moveTo(request, 'Received');
  expect(received.receivedAt?.getTime()).toBeLessThan(Date.now() - 2 * hourMs);
  const ringsOf = async (name: string) =>
    (await fixture.timersNamed(request, name)).filter(({ hasFired }) => hasFired);
  const untilRungTwice = (name: string) =>
    vi.waitFor(async () => {
      expect((await ringsOf(name)).length).toBeGreaterThanOrEqual(2);
    }, waiting);

  await untilRungTwice(startTimer);
  expect((await fixture.stored(request)).status).toBe('Received');
  await setClockBack(gateway, 2 * hourMs);
  await fixture.untilStored(request, 'UnderInspection');
  await untilRungTwice(windowTimer);
  expect((await fixture.stored(request)).status).toBe('UnderInspection');
  await setClockBack(gateway, 0);
  const decided = await fixture.untilStored(request, 'InspectionAccepted');

  const { receivedAt, inspectionStartedAt, inspectionDecidedAt } = decided;
  const startsMs = (receivedAt?.getTime() ?? Infinity) + hourMs;
  expect(inspectionStartedAt?.getTime()).toBeGreaterThanOrEqual(startsMs);
  expect(inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(deadlineOf(decided).getTime());
  await fixture.end(request, 'clock-behind');
  for (const name of [startTimer, windowTimer]) {
    // Not in a hot loop: the timer waits a second before it fires again.
    for (const { durationMs } of (await ringsOf(name)).slice(1))
      expect(durationMs).toBeGreaterThanOrEqual(1000);
  }
});

test.concurrent('fires at a deadline that the record moved', async ({ gateway, fixture }) => {
  await gateway.startWorker();
  const [request, moved] = await inTime(5000, async (windowMs) => {
    // Its run has a timer for the first deadline, which fires before the later one.
    const given = await underInspection(fixture, windowMs);
    const [row] = await gateway.sql<{ moved: Date }[]>`
      update return_requests set inspection_deadline = inspection_deadline + interval '4 seconds'
      where id = ${given.id} and inspection_decided_at is null
      returning inspection_deadline as moved`;
    return row !== undefined && isBefore(deadlineOf(given)) ? [given, row.moved] : null;
  });

  const changed = { ...request, inspectionDeadline: moved };
  await expectSilence(fixture, changed);

  await expectRings(fixture, changed, 2);
});
