import { expect } from 'vitest';
import { createInspectionActivities } from '../../../../activities/return-inspection.ts';
import type { Pool } from '../../../../db/core/client.ts';
import type { ReturnState } from '../../../../workflows/returns/return-inspection-messages.ts';
import {
  newReturnFixture,
  returnRecord,
  storedReturn,
  succeeded,
  type ReturnFixture,
  type StoredReturn,
} from '../return-fixture.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { gatewayOver, type Answer, type Gateway } from '../../../support/api/api.ts';

/**
 * A fixture with these inspection times, and the step of a return's workflow after its timer fires.
 */
export type RaceTrack = ReturnFixture & {
  readonly sql: Pool;
  readonly pass: (returnId: string) => Promise<ReturnState>;
};

const hour = 3_600_000;

export async function raceTrack(
  sql: Pool,
  times: { readonly startMs?: number; readonly windowMs?: number } = {},
): Promise<RaceTrack> {
  const inspectionTimes = { startMs: 24 * hour, windowMs: 72 * hour, closingMs: 0, ...times };
  const fixture = await newReturnFixture(await gatewayOver(sql, { inspectionTimes }));
  const { applyDueTransition } = createInspectionActivities({ sql });
  return { ...fixture, sql, pass: (returnId) => applyDueTransition({ returnId }) };
}

/** A return under inspection with a photo, and the end of its window in milliseconds since 1970. */
export type Inspected = { readonly id: string; readonly deadline: number };

export async function startInspection(track: RaceTrack, id: string): Promise<Inspected> {
  await succeeded(track.staff('POST', `/${id}/start-inspection`, {}));
  const { inspectionDeadline } = await storedReturn(track, id);
  return { id, deadline: inspectionDeadline?.getTime() ?? 0 };
}

export async function receivedWithPhoto(track: RaceTrack): Promise<string> {
  const id = await track.returnIn('Received', { reasonCodes: ['Defective', 'ChangedMind'] });
  await succeeded(track.addEvidence(id));
  return id;
}

export const inspectedWithPhoto = async (track: RaceTrack): Promise<Inspected> =>
  startInspection(track, await receivedWithPhoto(track));

/**
 * Comes back at an instant in milliseconds since 1970, never before it, and more exactly than a
 * timer.
 */
export async function until(instant: number): Promise<void> {
  while (Date.now() < instant)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

/** Whatever time, staff and the vendor try now, a decided return stays as it is. */
export async function expectSettled(track: RaceTrack, id: string): Promise<void> {
  const before = await returnRecord(track, id);
  const { status, outcome } = await storedReturn(track, id);
  expect(await track.pass(id)).toMatchObject({ status, outcome });
  for (const other of ['AcceptedSound', 'Rejected'] as const)
    expect((await track.decide(id, other)).status).toBe(422);
  expect((await track.propose(id, 'Rejected')).status).toBe(422);
  expect(await returnRecord(track, id)).toBe(before);
}

// Calls that meet on one return, in real transactions on the real Postgres. Of every round it is
// asked that exactly one outcome is recorded, once, and that it is what the rules say for the order
// in which the calls got the row.

/** For all rounds, each of up to 20 calls: a busy machine takes three seconds for a round. */
export const roundsTimeoutMs = raceRounds * 3000;

export const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('brief', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs: 30 }));

/** `jitterMs` is from -10 to 10, another in every round. */
export async function eachRound(play: (jitterMs: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < raceRounds; round += 1) await play((round % 21) - 10);
}

export const isOk = ({ status }: Answer): boolean => status < 300;

export const toInspection = 'Pending > Approved > InTransit > Received > UnderInspection';

/** The times of the status changes to a status. */
export const changesTo = async (gateway: Gateway, id: string, status: string) => {
  const rows = await gateway.sql<{ at: Date }[]>`
    select at from return_status_changes where return_id = ${id} and to_status = ${status}`;
  return rows.map(({ at }) => at);
};

/**
 * What must hold of a decided return: its one outcome has one time, one status change, and one
 * audit entry if it is staff's.
 */
export async function expectDecidedOnce(
  gateway: Gateway,
  track: RaceTrack,
  id: string,
  by: 'staff' | 'silence',
): Promise<StoredReturn> {
  const stored = await storedReturn(track, id);
  const { status, way, outcome, inspectionDecidedAt, decidedBy, requiresStaffReview } = stored;
  expect(way).toBe(`${toInspection} > ${status}`);
  expect(status).toBe(outcome === 'Rejected' ? 'InspectionRejected' : 'InspectionAccepted');
  expect(await changesTo(gateway, id, status)).toEqual([inspectionDecidedAt]);
  expect(requiresStaffReview).toBe(false);
  const decisions = stored.audit.filter((action) => action === 'return.decide').length;
  expect([decidedBy, decisions]).toEqual(by === 'staff' ? [track.operator.id, 1] : [null, 0]);
  await expectSettled(track, id);
  return stored;
}
