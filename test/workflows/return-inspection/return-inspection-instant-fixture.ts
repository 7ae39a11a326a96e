import { expect } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import { type TestGateway } from '../../support/gateway/gateway.ts';
import {
  createInspectionFixture,
  decision,
  type InspectionFixture,
} from '../../support/returns/inspection.ts';
import { proposeAsVendor } from '../../support/returns/seed-returns.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';

export const test = workflowTest.extend('fixture', { scope: 'file' }, ({ gateway }) =>
  createInspectionFixture(gateway),
);

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

/** Ends the return, and checks that its outcome is still what it was, and that its run replays. */
export async function settle(
  gateway: TestGateway,
  fixture: InspectionFixture,
  request: ReturnRequest,
): Promise<void> {
  const decided = await fixture.stored(request);
  await proposeAsVendor(gateway.sql, request, 'Rejected').catch(() => undefined);
  expect(await fixture.order(request, decision('AcceptedSound'))).toMatchObject({ ok: false });
  await fixture.end(request);
  const { status: _status, version: _version, ...after } = await fixture.stored(request);
  expect(decided).toMatchObject(after);
  await fixture.replay(request);
}
