import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'vitest';
import { createInspectionActivities } from '../../activities/return-inspection.ts';
import { raceTrack } from '../api/returns/races/return-races.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

export const test = gatewayTest
  .extend('track', { scope: 'file' }, ({ gateway }) => raceTrack(gateway.sql))
  .extend('activities', { scope: 'file' }, ({ gateway }) =>
    createInspectionActivities({ sql: gateway.sql }),
  );

/**
 * The type and details of the failure that a step must come to, which is never worth another try.
 */
export async function refusedWith(step: Promise<unknown>): Promise<readonly [string, unknown]> {
  const failure: unknown = await step.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof ApplicationFailure)) throw new Error('no refusal');
  expect(failure.nonRetryable).toBe(true);
  return [failure.type ?? '', failure.details?.[0]];
}
