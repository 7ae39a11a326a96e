import { raceRounds } from '../../../support/race-rounds.ts';
import { expect } from 'vitest';
import { storedReturn, type StoredReturn } from '../return-fixture.ts';
import { expectSettled, raceTrack, type RaceTrack } from './return-races.ts';
import { type Answer, type Gateway } from '../../support/api.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

// Calls that meet on one return, in real transactions on the real Postgres. Of every round it is
// asked that exactly one outcome is recorded, once, and that it is what the rules say for the order
// in which the calls got the row.

export const rounds = raceRounds;

/**
 * A test of all rounds, each of up to 20 calls: a busy machine takes a second and a half for a
 * round.
 */
export const roundsTimeoutMs = rounds * 1500;

export const windowMs = 30;

export const test = gatewayTest
  .extend('slow', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('brief', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql, { windowMs }));

export async function eachRound(play: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await play(round);
}

export const isOk = ({ status }: Answer): boolean => status < 300;

export const decisionsIn = ({ audit }: StoredReturn) =>
  audit.filter((action) => action === 'return.decide').length;

export const toInspection = 'Pending > Approved > InTransit > Received > UnderInspection';

/** The times of the status changes to a status. */
export const changesTo = async (gateway: Gateway, id: string, status: string) =>
  (
    await gateway.sql<{ at: Date }[]>`
      select at from return_status_changes where return_id = ${id} and to_status = ${status}`
  ).map(({ at }) => at);

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
  expect([decidedBy, decisionsIn(stored)]).toEqual(
    by === 'staff' ? [track.operator.id, 1] : [null, 0],
  );
  await expectSettled(track, id);
  return stored;
}
