import { setImmediate, setTimeout } from 'node:timers/promises';
import { createInspectionActivities } from '../../../../activities/return-inspection.ts';
import type { Pool } from '../../../../db/core/client.ts';
import type { ReturnState } from '../../../../workflows/returns/return-inspection-messages.ts';
import { gatewayOver } from '../../../support/api/api.ts';
import {
  newReturnFixture,
  storedReturn,
  succeeded,
  type ReturnFixture,
} from '../return-fixture.ts';

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
type Inspected = { readonly id: string; readonly deadline: number };

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
  const early = instant - Date.now() - 3;
  if (early > 0) await setTimeout(early);
  while (Date.now() < instant) await setImmediate();
}
