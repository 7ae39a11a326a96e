import type { Client } from '@temporalio/client';
import { otherEnvironment } from '../domain/installation.ts';
import { readSchedule, type ScheduleSettings } from './schedules.ts';

const deadlineMs = 2000;

/**
 * Throws InstallationProblem if the schedules of the namespace belong to another environment, whose
 * runs this installation would take. A namespace without schedules is free.
 */
export async function requireNamespace(client: Client, settings: ScheduleSettings): Promise<void> {
  const schedule = await client.withDeadline(Date.now() + deadlineMs, () =>
    readSchedule(client, settings),
  );
  const own = schedule?.environment ?? null;
  if (own === null || own === settings.environment) return;
  throw otherEnvironment(
    `The Temporal namespace ${client.options.namespace}`,
    { own, configured: settings.environment },
    'Set TEMPORAL_NAMESPACE to a namespace of its own',
  );
}
