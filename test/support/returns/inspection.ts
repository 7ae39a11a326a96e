import { expect, vi } from 'vitest';
import type { ReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import { later } from '../../../domain/instant.ts';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type {
  InspectionOutcome,
  ReturnStatus,
  StaffReturnAction,
} from '../../../domain/returns/return-status.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import type { ReturnInspectionInput } from '../../../workflows/returns/return-inspection-messages.ts';
import type { TestGateway } from '../gateway/gateway.ts';
import { handOver, readDetails } from '../gateway/runs.ts';
import { recordHistory, replayRun } from '../history.ts';
import {
  addSeededEvidence,
  moveAsStaff,
  moveReturnTo,
  proposeAsVendor,
  returnMoves,
  seedReturn,
  storedReturn,
  type SeededReturn,
} from './seed-returns.ts';
import { seedCommand, seedOperator, seedVariant, seedVendor } from '../seeds/seed.ts';
import { readTimers, type SetTimer } from '../vitest/timers.ts';
import { workflowTest } from '../gateway/workflow-test.ts';

export const waiting = { timeout: 30_000, interval: 20 };
const until = <T>(condition: () => Promise<T>): Promise<T> => vi.waitFor(condition, waiting);

/** What the workflow calls its timers in the Temporal UI. */
export const startTimer = 'the inspection starts automatically';
export const windowTimer = 'the inspection window ends';

export const startCommand: ReturnCommand = { action: 'startInspection', reason: null };
export const decision = (
  outcome: InspectionOutcome,
  reason: string | null = null,
): ReturnCommand => ({ action: 'decide', outcome, reason });

const inputOf = (request: ReturnRequest): ReturnInspectionInput => ({
  returnId: request.id,
  vendorId: request.vendorId,
  returnNumber: request.number,
  isForSupplier: request.destination === 'Supplier',
  inspectionStartMs: request.times.startMs,
  inspectionWindowMs: request.times.windowMs,
});

/**
 * One vendor, one operator and what they do with returns, on a gateway whose worker runs or not.
 */
export async function createInspectionFixture(gateway: TestGateway) {
  const { sql, client, decisions } = gateway;
  const [vendorId, variantId, operator] = await Promise.all([
    seedVendor(sql),
    seedVariant(sql),
    seedOperator(sql),
  ]);
  const run = ({ id }: Pick<ReturnRequest, 'id'>) =>
    client.workflow.getHandle(returnInspectionId(id));
  /** The timers of the present run, in the order in which they were set. */
  const timers = ({ id }: ReturnRequest): Promise<readonly SetTimer[]> =>
    readTimers(client, returnInspectionId(id));
  const { operatorId } = operator;
  const send = (request: ReturnRequest, { action }: ReturnCommand, commandId: string) =>
    decisions.decideReturn(inputOf(request), { action, commandId, operatorId });
  const note = (request: ReturnRequest, command: ReturnCommand): Promise<string> =>
    seedCommand(sql, operator.id, request.id, command);

  /** Notes an operator's command and sends it, as the route does. */
  const order = async (request: ReturnRequest, command: ReturnCommand) =>
    send(request, command, await note(request, command));
  /** A return of this vendor's goods, `Pending`. */
  const request = (given: Partial<SeededReturn> = {}): Promise<ReturnRequest> =>
    seedReturn(sql, { vendorId, variantId, ...given });

  const stored = (request: Pick<ReturnRequest, 'id'>) => storedReturn(sql, request);
  const moveTo = (request: ReturnRequest, status: 'Approved' | 'InTransit' | 'Received') =>
    moveReturnTo(sql, request, status);

  /** What an operator reads of a run in the Temporal UI, without the empty paragraph at its end. */
  const details = async ({ id }: ReturnRequest): Promise<string> =>
    (await readDetails(client, returnInspectionId(id))).trimEnd();

  /** Until the run has seen the return in this status; returns the run's id. */
  const untilSeen = (request: ReturnRequest, status: ReturnStatus): Promise<string> =>
    until(async () => {
      const { searchAttributes, runId } = await run(request).describe();
      expect(searchAttributes['ReturnState']).toEqual([status]);
      return runId;
    });
  const replay = ({ id }: ReturnRequest): Promise<void> =>
    replayRun(client, returnInspectionId(id));
  const record = ({ id }: ReturnRequest, name: string): Promise<void> =>
    recordHistory(client, returnInspectionId(id), `return-inspection-${name}`);
  const untilOutboxIsEmpty = () =>
    until(async () => expect(await sql`select from outbox`).toHaveLength(0));

  return {
    sql,
    operator,
    /** Hands Temporal a message that comes late, past the relay. */
    lateMessage: (request: ReturnRequest): Promise<void> => {
      const { returnId: subjectId, ...input } = inputOf(request);
      const payload = { ...input, signal: 'changed' } as const;
      return handOver(gateway, { kind: 'returnInspection', subjectId, payload });
    },
    run,
    note,
    send,
    details,
    request,
    order,
    stored,
    moveTo,
    /** A move by staff that no workflow applies. */
    staff: (request: ReturnRequest, action: StaffReturnAction, reason?: string) =>
      moveAsStaff(sql, request, action, reason),
    addEvidence: (request: ReturnRequest, given?: Parameters<typeof addSeededEvidence>[2]) =>
      addSeededEvidence(sql, request, given),
    /** The vendor proposes an outcome after a photo. */
    propose: async (request: ReturnRequest, outcome: InspectionOutcome): Promise<ReturnRequest> => {
      await addSeededEvidence(sql, request);
      return proposeAsVendor(sql, request, outcome);
    },
    /** One that the vendor has received, its run open. */
    received: async (given: Partial<SeededReturn> = {}): Promise<ReturnRequest> => {
      const received = await moveTo(await request(given), 'Received');
      // A slow run sees the return when its inspection has started.
      await until(async () => {
        const { searchAttributes } = await run(received).describe();
        expect(['Received', 'UnderInspection']).toContain(searchAttributes['ReturnState']?.[0]);
      });
      return received;
    },
    /** One whose inspection staff have started. */
    underInspection: async (
      windowMs: number,
      given: Partial<SeededReturn> = {},
    ): Promise<ReturnRequest> => {
      const made = await request({ ...given, times: { windowMs, ...given.times } });
      await moveTo(made, 'Received');
      expect(await order(made, startCommand)).toMatchObject({ ok: true });
      return stored(made);
    },
    /** Ends a return whose inspection is decided, and with it the run, which replays. */
    end: async (decided: ReturnRequest, recordedAs?: string): Promise<void> => {
      const { outcome } = await stored(decided);
      await moveAsStaff(sql, decided, outcome === 'Rejected' ? 'close' : 'releaseRefund');
      await run(decided).result();
      await replay(decided);
      if (recordedAs !== undefined) await record(decided, recordedAs);
    },
    /** How its inspection ended, as words: once, if all is well. */
    inspectionMoves: async (decided: ReturnRequest): Promise<readonly string[]> =>
      (await returnMoves(sql, decided)).filter((move) => move.startsWith('UnderInspection')),
    replay,
    record,
    untilSeen,
    /** Until the record has it in this status; returns it. */
    untilStored: (request: ReturnRequest, status: ReturnStatus): Promise<ReturnRequest> =>
      until(async () => {
        const found = await stored(request);
        expect(found.status).toBe(status);
        return found;
      }),
    /** Until the details say something. */
    untilDetails: (request: ReturnRequest, text: string) =>
      until(async () => expect(await details(request)).toContain(text)),
    untilOutboxIsEmpty,
    /**
     * Until the run has every message of the outbox behind it: from then on, only time wakes it.
     */
    untilIdle: async (request: ReturnRequest): Promise<void> => {
      await untilOutboxIsEmpty();
      await until(async () =>
        expect((await run(request).describe()).raw.pendingWorkflowTask ?? null).toBeNull(),
      );
    },
    timers,
    timersNamed: async (request: ReturnRequest, name: string): Promise<readonly SetTimer[]> =>
      (await timers(request)).filter(({ summary }) => summary === name),
  };
}
export type InspectionFixture = Awaited<ReturnType<typeof createInspectionFixture>>;

/** When the inspection of a received return starts by itself. */
export const startDue = ({ receivedAt, times }: ReturnRequest): Date => {
  if (receivedAt === null) throw new Error('not received');
  return later(receivedAt, times.startMs);
};

/** The end of a return's inspection window, as the API answers it. */
export const deadlineOf = ({ inspectionDeadline }: ReturnRequest): Date => {
  if (inspectionDeadline === null) throw new Error('not under inspection');
  return inspectionDeadline;
};

/** Until this machine's clock is past an instant: it is Postgres's and Temporal's too. */
export const untilPast = (instant: Date): Promise<void> =>
  vi.waitFor(() => expect(Date.now()).toBeGreaterThan(instant.getTime()), {
    timeout: Math.max(0, instant.getTime() - Date.now()) + waiting.timeout,
    interval: 1,
  });

/** How much longer than on an idle machine things take; grows when something was late. */
let slowness = 1;

/**
 * Runs what must be under way before the end of `windowMs`. On a busy machine it may be late: it
 * then answers null, and runs again with a longer window. A statement waits 10 s for a row at most.
 */
export async function inTime<T>(
  windowMs: number,
  run: (windowMs: number) => Promise<T | null>,
): Promise<T> {
  for (let round = 0; round < 10; round += 1) {
    const factor = slowness;
    const result = await run(windowMs * factor);
    if (result !== null) return result;
    slowness = Math.max(slowness, Math.min(6, factor * 2));
  }
  throw new Error('late ten times');
}

export const isBefore = (instant: Date): boolean => Date.now() < instant.getTime();

/**
 * Gives a file a `fixture`. Each test has its own return and mostly waits for time to pass, so the
 * tests run side by side.
 */
export const inspectionTest = workflowTest.extend('fixture', { scope: 'file' }, ({ gateway }) =>
  createInspectionFixture(gateway),
).concurrent;
