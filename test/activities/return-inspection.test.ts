import { describe, expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { insertOperatorCommand } from '../../db/accounts/operator-commands.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import type { DecisionRequest } from '../../workflows/decision-request.ts';
import { returnRecord, storedReturn, succeeded } from '../api/returns/return-fixture.ts';
import {
  inspectedWithPhoto,
  until,
  type RaceTrack,
  raceTrack,
  receivedWithPhoto,
} from '../api/returns/races/return-races.ts';
import { unknownId, type Gateway } from '../support/api/api.ts';
import { ApplicationFailure } from '@temporalio/common';
import { createInspectionActivities } from '../../activities/return-inspection.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

const test = gatewayTest
  .extend('track', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('activities', { scope: 'file' }, ({ gateway }) =>
    createInspectionActivities({ sql: gateway.sql }),
  );

/**
 * The type and details of the failure that a step must come to, which is never worth another try.
 */
async function refusedWith(step: Promise<unknown>): Promise<readonly [string, unknown]> {
  const failure: unknown = await step.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApplicationFailure)) throw new Error('no refusal');
  expect(failure.nonRetryable).toBe(true);
  return [failure.type ?? '', failure.details?.[0]];
}

/** A decision that was noted and is yet to be applied. */
async function note(
  gateway: Gateway,
  track: RaceTrack,
  subjectId: string,
  command: ReturnCommand,
  validMs = 60_000,
): Promise<DecisionRequest> {
  const { id: operatorId, operatorId: name } = track.operator;
  const commandId = uuidv7();
  await insertOperatorCommand(gateway.sql, {
    id: commandId,
    operatorId,
    action: command.action,
    subjectId,
    input: command,
    requestId: `request-${commandId}`,
    validMs,
  });
  return { commandId, operatorId: name };
}
const reject: ReturnCommand = { action: 'decide', outcome: 'Rejected', reason: 'Used.' };
const accept: ReturnCommand = { action: 'decide', outcome: 'AcceptedSound', reason: null };
const start: ReturnCommand = { action: 'startInspection', reason: null };

describe('the state of a return', () => {
  test('is null for an unknown one', async ({ activities }) => {
    expect(await activities.readReturnState({ returnId: unknownId() })).toBeNull();
  });

  test.for<[ReturnStatus, string | null]>([
    ['Pending', null],
    ['Received', 'startInspection'],
    ['UnderInspection', 'endWindow'],
    ['InspectionAccepted', null],
    ['Closed', null],
  ] as const)(
    'when it is %s: what is due is %s, and reading changes nothing',
    async ([status, step], { gateway, track, activities }) => {
      const returnId = await track.returnIn(status);
      const before = await returnRecord(gateway, returnId);
      const stored = await storedReturn(gateway, returnId);
      const deadline = stored.inspectionDeadline?.toISOString() ?? null;
      const startsAt = new Date(Number(stored.receivedAt) + 24 * 3_600_000).toISOString();
      expect(await activities.readReturnState({ returnId })).toStrictEqual({
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
      const sorted = await track.returnIn(status, { destination: 'SortingPoint' });
      expect(await activities.readReturnState({ returnId: sorted })).toMatchObject({
        status,
        due: null,
        silenceOutcome: null,
        decisionDueAt: null,
      });
      expect(await returnRecord(gateway, returnId)).toBe(before);
    },
  );

  test('has no silence after a proposal', async ({ track, activities }) => {
    const { id: returnId, deadline } = await inspectedWithPhoto(track);
    await succeeded(track.propose(returnId, 'AcceptedSound'));
    const endsAt = new Date(deadline).toISOString();
    expect(await activities.readReturnState({ returnId })).toMatchObject({
      proposedOutcome: 'AcceptedSound',
      due: { step: 'endWindow', at: endsAt },
      silenceOutcome: null,
      decisionDueAt: null,
    });
    await succeeded(track.propose(returnId, 'Rejected'));
    expect(await activities.readReturnState({ returnId })).toMatchObject({
      proposedOutcome: 'Rejected',
      requiresStaffReview: true,
      decisionDueAt: null,
      due: null,
    });
  });
});

describe('a decision', () => {
  test.for([
    ['a start', start, 'Received', 'UnderInspection'],
    ['an outcome', reject, 'UnderInspection', 'InspectionRejected'],
  ] as const)(
    '%s is applied, and repeated by the same command answers the same',
    async ([_name, command, from, to], { gateway, track, activities }) => {
      const id = await track.returnIn(from);
      const request = await note(gateway, track, id, command);
      const first = await activities.applyReturnDecision(request);
      expect(first).toMatchObject({ status: to, operatorId: track.operator.operatorId });
      expect(await activities.readReturnState({ returnId: id })).toEqual(
        expect.objectContaining({ status: to, version: first.version, due: first.due }),
      );
      const before = await returnRecord(gateway, id);
      for (let time = 0; time < 3; time += 1) {
        expect(await activities.applyReturnDecision(request)).toStrictEqual(first);
      }
      expect(await returnRecord(gateway, id)).toBe(before);
      const [kept] = await gateway.sql`
      select result, applied_at is not null as is_applied from operator_commands
      where id = ${request.commandId}`;
      expect(kept).toEqual({ result: { status: to, outcome: first.outcome }, isApplied: true });
    },
  );

  test('is applied once by steps at once', async ({ gateway, track, activities }) => {
    for (let round = 0; round < 20; round += 1) {
      const id = await track.returnIn('UnderInspection');
      const request = await note(gateway, track, id, reject);
      const apply = () => activities.applyReturnDecision(request);
      const [first, ...others] = await Promise.all([apply(), apply(), apply()]);
      expect(others).toEqual([first, first]);
      const { audit, version } = await storedReturn(gateway, id);
      expect(version).toBe(6);
      expect(audit.filter((action) => action === 'return.decide')).toHaveLength(1);
    }
  });

  test('is audited without a message', async ({ gateway, track, activities }) => {
    const id = await track.returnIn('UnderInspection');
    const messages = async () =>
      (await gateway.sql`select from outbox where subject_id = ${id}`).length;
    const before = await messages();
    const request = await note(gateway, track, id, reject);
    await activities.applyReturnDecision(request);
    expect(
      await gateway.sql`
        select operator_id, request_id from audit_log where subject_id = ${id}
          and action = 'return.decide'`,
    ).toEqual([{ operatorId: track.operator.id, requestId: `request-${request.commandId}` }]);
    expect(await messages()).toBe(before);
  });

  test('is refused after its timeout', async ({ gateway, track, activities }) => {
    const id = await track.returnIn('UnderInspection');
    const request = await note(gateway, track, id, reject, 1);
    await until(Date.now() + 5);
    const before = await returnRecord(gateway, id);
    for (let time = 0; time < 2; time += 1) {
      expect(await refusedWith(activities.applyReturnDecision(request))).toEqual([
        'GATEWAY_TIMEOUT',
        {},
      ]);
    }
    expect(await returnRecord(gateway, id)).toBe(before);
  });

  test('is repeated late', async ({ gateway, track, activities }) => {
    const id = await track.returnIn('UnderInspection');
    const request = await note(gateway, track, id, reject);
    const first = await activities.applyReturnDecision(request);
    await gateway.sql`
      update operator_commands set valid_until = now() - interval '1 second'
      where id = ${request.commandId}`;
    expect(await activities.applyReturnDecision(request)).toStrictEqual(first);
  });

  test.for([
    [start, 'Pending'],
    [accept, 'Received'],
  ] as const)(
    '%j on a return that is %s is refused by its code, and changes nothing',
    async ([command, status], { gateway, track, activities }) => {
      const id = await track.returnIn(status);
      const before = await returnRecord(gateway, id);
      const refused = await refusedWith(
        activities.applyReturnDecision(await note(gateway, track, id, command)),
      );
      const details = { status, action: command.action };
      expect(refused).toEqual(['BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', details]);
      expect(await returnRecord(gateway, id)).toBe(before);
    },
  );

  test('is refused if unknown', async ({ gateway, track, activities }) => {
    const { applyReturnDecision } = activities;
    const unknown = await note(gateway, track, unknownId(), reject);
    expect(await refusedWith(applyReturnDecision(unknown))).toEqual([
      'NOT_FOUND_RETURN_REQUEST',
      {},
    ]);
    const never = { commandId: unknownId(), operatorId: track.operator.operatorId };
    expect(await refusedWith(applyReturnDecision(never))).toEqual(['INTERNAL_ERROR', {}]);
  });
});

const windowEnd = async (gateway: Gateway, id: string) =>
  until(Number((await storedReturn(gateway, id)).inspectionDeadline));

describe('the passing of time', () => {
  test('changes nothing before anything is due', async ({ gateway, track, activities }) => {
    for (const status of ['Pending', 'Received', 'UnderInspection', 'Closed'] as const) {
      const returnId = await track.returnIn(status);
      const before = await returnRecord(gateway, returnId);
      const state = await activities.readReturnState({ returnId });
      expect(await activities.applyDueTransition({ returnId })).toStrictEqual(state);
      expect(await returnRecord(gateway, returnId)).toBe(before);
    }
  });

  test('starts a due inspection once', async ({ gateway, activities }) => {
    const due = await raceTrack(gateway.sql, { startMs: 1 });
    const returnId = await due.returnIn('Received');
    await until(Number((await storedReturn(gateway, returnId)).receivedAt) + 1);
    const first = await activities.applyDueTransition({ returnId });
    expect(first).toMatchObject({
      status: 'UnderInspection',
      version: 5,
      due: { step: 'endWindow' },
    });
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
    expect(await returnRecord(gateway, returnId)).toBe(before);
    const { payload } = await due.staff('GET', `/${returnId}`);
    const { history } = payload as { history: readonly object[] };
    expect(history.at(-1)).toMatchObject({ to: 'UnderInspection', reason: 'Time has passed.' });
    expect((await storedReturn(gateway, returnId)).audit).not.toContain('return.startInspection');
  });

  test.for([
    [['Defective'], 'AcceptedDefect'],
    [['ChangedMind'], 'AcceptedSound'],
  ] as const)(
    'decides, in silence, what %j claims: %s, once',
    async ([reasonCodes, outcome], { gateway, activities }) => {
      const ended = await raceTrack(gateway.sql, { windowMs: 1 });
      const returnId = await ended.returnIn('UnderInspection', { reasonCodes });
      await windowEnd(gateway, returnId);
      const first = await activities.applyDueTransition({ returnId });
      expect(first).toMatchObject({
        status: 'InspectionAccepted',
        outcome,
        due: null,
        decisionDueAt: null,
      });
      const before = await returnRecord(gateway, returnId);
      expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
      expect(await returnRecord(gateway, returnId)).toBe(before);
      expect((await ended.staff('GET', `/${returnId}`)).payload).toMatchObject({ decidedBy: null });
      expect((await ended.send('GET', `/${returnId}`)).payload).toMatchObject({
        inspection: { outcome },
      });
    },
  );

  test('asks for staff, once, when there is a proposal', async ({ gateway, activities }) => {
    const ended = await raceTrack(gateway.sql);
    const returnId = await receivedWithPhoto(ended);
    await succeeded(ended.staff('POST', `/${returnId}/start-inspection`, {}));
    await succeeded(ended.propose(returnId, 'AcceptedDefect'));
    // A proposal comes before the deadline (D81); after it, the window ends at once.
    await gateway.sql`
      update return_requests set inspection_deadline = clock_timestamp() where id = ${returnId}`;
    await windowEnd(gateway, returnId);
    const first = await activities.applyDueTransition({ returnId });
    expect(first).toMatchObject({
      status: 'UnderInspection',
      outcome: null,
      requiresStaffReview: true,
      due: null,
    });
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toStrictEqual(first);
    expect(await returnRecord(gateway, returnId)).toBe(before);
  });

  test('does nothing at a sorting point', async ({ gateway, activities }) => {
    const ended = await raceTrack(gateway.sql, { windowMs: 1 });
    const returnId = await ended.returnIn('UnderInspection', { destination: 'SortingPoint' });
    await windowEnd(gateway, returnId);
    const before = await returnRecord(gateway, returnId);
    expect(await activities.applyDueTransition({ returnId })).toMatchObject({
      status: 'UnderInspection',
      due: null,
    });
    expect(await returnRecord(gateway, returnId)).toBe(before);
  });

  test('of an unknown return is refused', async ({ activities }) => {
    const passed = activities.applyDueTransition({ returnId: unknownId() });
    expect(await refusedWith(passed)).toEqual(['NOT_FOUND_RETURN_REQUEST', {}]);
  });
});
