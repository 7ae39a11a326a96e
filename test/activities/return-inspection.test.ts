import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import { createInspectionActivities } from '../../activities/return-inspection.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import { inspectedWithPhoto, raceTrack, until } from '../api/returns/races/return-races.ts';
import { returnRecord, storedReturn, succeeded } from '../api/returns/return-fixture.ts';
import { unknownId, type Gateway } from '../support/api/api.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { seedCommand } from '../support/seeds/seed.ts';

// What is due and what silence decides has its cases in `test/domain/returns`. The tests of the API
// apply decisions by these activities: `test/api/returns/change-return.test.ts` has the refusals.

const test = gatewayTest
  .extend('track', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('activities', { scope: 'file' }, ({ gateway }) =>
    createInspectionActivities({ sql: gateway.sql }),
  )
  /** Stores a decision that is yet to be applied. */
  .extend('note', { scope: 'file' }, ({ gateway, track }) => {
    const { id, operatorId } = track.operator;
    return async (returnId: string, command: ReturnCommand, validMs?: number) => {
      const commandId = await seedCommand(gateway.sql, id, returnId, command, validMs);
      return { commandId, operatorId };
    };
  });

const reject: ReturnCommand = { action: 'decide', outcome: 'Rejected', reason: 'Used.' };
const start: ReturnCommand = { action: 'startInspection', reason: null };

/** The result of a step, which changes nothing. */
async function withoutChange(gateway: Gateway, returnId: string, step: () => Promise<unknown>) {
  const before = await returnRecord(gateway, returnId);
  const result = await step();
  expect(await returnRecord(gateway, returnId)).toBe(before);
  return result;
}

/** Expects a failure that is never worth another try, with this code, and no change. */
async function expectRefused(
  gateway: Gateway,
  returnId: string,
  step: () => Promise<unknown>,
  type: string,
): Promise<void> {
  const failing = () => step().catch((error: unknown) => error);
  const failure = await withoutChange(gateway, returnId, failing);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({ nonRetryable: true, type, details: [{}] });
}

test.for([
  ['Received', 'startInspection'],
  ['UnderInspection', 'endWindow'],
  ['InspectionAccepted', null],
] as const)(
  'reads a return that is %s with its due step %s, and applies no step early',
  async ([status, step], { gateway, track, activities }) => {
    const returnId = await track.returnIn(status);
    const stored = await storedReturn(gateway, returnId);
    const deadline = stored.inspectionDeadline?.toISOString() ?? null;
    const startsAt = new Date(Number(stored.receivedAt) + 24 * 3_600_000).toISOString();
    const state = await activities.readReturnState({ returnId });
    expect(state).toStrictEqual({
      status,
      version: stored.version,
      outcome: stored.outcome,
      decidedBy: stored.outcome === null ? null : track.operator.operatorId,
      proposedOutcome: null,
      requiresStaffReview: false,
      silenceOutcome: status === 'UnderInspection' ? 'AcceptedDefect' : null,
      decisionDueAt: status === 'UnderInspection' ? deadline : null,
      due: step === null ? null : { step, at: step === 'endWindow' ? deadline : startsAt },
    });
    const pass = () => activities.applyDueTransition({ returnId });
    expect(await withoutChange(gateway, returnId, pass)).toStrictEqual(state);
  },
);

describe('a decision', () => {
  test.for([
    ['a start', start, 'Received', 'UnderInspection'],
    ['an outcome', reject, 'UnderInspection', 'InspectionRejected'],
  ] as const)(
    '%s is applied and audited without a message, and returns the same when repeated late',
    async ([_name, command, from, to], { gateway, track, activities, note }) => {
      const { sql } = gateway;
      const { id: operatorId, operatorId: name } = track.operator;
      const id = await track.returnIn(from);
      const messages = () => sql`select from outbox where subject_id = ${id}`;
      const before = (await messages()).length;
      const request = await note(id, command);
      const apply = () => activities.applyReturnDecision(request);
      const first = await apply();
      expect(first).toMatchObject({ status: to, operatorId: name });
      expect(await activities.readReturnState({ returnId: id })).toMatchObject({
        status: to,
        version: first.version,
        due: first.due,
      });
      expect(await messages()).toHaveLength(before);
      const audit = await sql`
        select operator_id, request_id from audit_log
        where subject_id = ${id} and action = ${`return.${command.action}`}`;
      expect(audit).toEqual([{ operatorId, requestId: `request-${request.commandId}` }]);
      const [kept] = await sql`
        update operator_commands set valid_until = now() - interval '1 second'
        where id = ${request.commandId} returning result, applied_at is not null as is_applied`;
      expect(kept).toEqual({ result: { status: to, outcome: first.outcome }, isApplied: true });
      expect(await withoutChange(gateway, id, apply)).toStrictEqual(first);
    },
  );

  test('is refused after its timeout', async ({ gateway, track, activities, note }) => {
    const id = await track.returnIn('UnderInspection');
    const late = await note(id, reject, -1);
    const apply = () => activities.applyReturnDecision(late);
    await expectRefused(gateway, id, apply, 'GATEWAY_TIMEOUT');
  });

  test('is refused if it or its return is unknown', async ({ gateway, activities, note }) => {
    const { applyReturnDecision, applyDueTransition, readReturnState } = activities;
    const id = unknownId();
    const unknown = await note(id, reject);
    const never = { ...unknown, commandId: unknownId() };
    const absent = 'NOT_FOUND_RETURN_REQUEST';
    await expectRefused(gateway, id, () => applyReturnDecision(unknown), absent);
    await expectRefused(gateway, id, () => applyReturnDecision(never), 'INTERNAL_ERROR');
    await expectRefused(gateway, id, () => applyDueTransition({ returnId: id }), absent);
    expect(await readReturnState({ returnId: id })).toBeNull();
  });
});

describe('a due step', () => {
  test('starts the inspection once', async ({ gateway, activities }) => {
    const due = await raceTrack(gateway.sql, { startMs: 1 });
    const returnId = await due.returnIn('Received');
    await until(Number((await storedReturn(gateway, returnId)).receivedAt) + 1);
    const pass = () => activities.applyDueTransition({ returnId });
    const first = await pass();
    const started = { status: 'UnderInspection', version: 5, due: { step: 'endWindow' } };
    expect(first).toMatchObject(started);
    expect(await withoutChange(gateway, returnId, pass)).toStrictEqual(first);
    const { payload } = await due.staff('GET', `/${returnId}`);
    const { history } = payload as { history: readonly object[] };
    expect(history.at(-1)).toMatchObject({ to: 'UnderInspection', reason: 'Time has passed.' });
    expect((await storedReturn(gateway, returnId)).audit).not.toContain('return.startInspection');
  });

  test.for([
    [null, { status: 'InspectionAccepted', outcome: 'AcceptedDefect', decidedBy: null }],
    ['AcceptedSound', { status: 'UnderInspection', outcome: null, requiresStaffReview: true }],
  ] as const)(
    'ends a window with the proposal %s once: %j',
    async ([proposal, ended], { gateway, track, activities }) => {
      const { id: returnId } = await inspectedWithPhoto(track);
      if (proposal !== null) await succeeded(track.propose(returnId, proposal));
      await gateway.sql`
        update return_requests set inspection_deadline = clock_timestamp() where id = ${returnId}`;
      const pass = () => activities.applyDueTransition({ returnId });
      const first = await pass();
      expect(first).toMatchObject({ ...ended, due: null, decisionDueAt: null });
      expect(await withoutChange(gateway, returnId, pass)).toStrictEqual(first);
    },
  );
});
