import { expect } from 'vitest';
import type { ReturnRequest } from '../../domain/returns/return-request.ts';
import { type TestGateway } from '../support/gateway.ts';
import { createInspectionStage, decision, type InspectionStage } from '../support/inspection.ts';
import { proposeAsVendor, storedReturn } from '../support/seed-returns.ts';
import { workflowTest } from '../support/workflow-test.ts';

export const test = workflowTest
  .extend('settings', { scope: 'file' }, () => ({ DECISION_TIMEOUT_MS: '60000' }))
  .extend('stage', { scope: 'file' }, ({ gateway }) => createInspectionStage(gateway));

/**
 * Runs what must be under way in the last `leadMs` of a window. On a busy machine it may be late: it
 * then answers null, and runs again with twice the time, up to what a statement may wait for a row.
 */
export async function inTime<T>(
  leadMs: number,
  run: (leadMs: number) => Promise<T | null>,
): Promise<T> {
  for (let longer = leadMs; longer <= leadMs * 8; longer *= 2) {
    const result = await run(longer);
    if (result !== null) return result;
  }
  throw new Error(`not in time within ${leadMs * 8} ms`);
}

export const isBefore = (instant: Date): boolean => Date.now() < instant.getTime();

/** Ends the return, and checks that its outcome is still what it was, and that its run replays. */
export async function settle(
  gateway: TestGateway,
  stage: InspectionStage,
  request: ReturnRequest,
): Promise<void> {
  const decided = await storedReturn(gateway.sql, request);
  await proposeAsVendor(gateway.sql, request, 'Rejected').catch(() => undefined);
  expect(await stage.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  await stage.end(request);
  const { status: _status, version: _version, ...after } = await storedReturn(gateway.sql, request);
  expect(decided).toMatchObject(after);
  await stage.replay(request);
}
