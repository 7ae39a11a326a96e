import type { Logger } from 'pino';
import type { Client } from '@temporalio/client';
import { readIncarnation } from '../db/core/incarnation.ts';
import type { Sql } from '../db/core/client.ts';
import { startPollLoop } from '../relay/poll-loop.ts';
import { tryRegisterSearchAttributes } from '../temporal/register-search-attributes.ts';
import {
  ensureSchedules,
  readSchedule,
  requestReconciliation,
  type ReconciliationSchedule,
  type ScheduleSettings,
} from '../temporal/schedules.ts';

const pollMs = 5000;
/**
 * A run that read its row before a restore and is at its end is still open in the reconciliation
 * after the restore. It has ended by then: it waits a second for messages, and Temporal waits 10 s
 * for the worker that stopped.
 */
const endingMs = 15_000;

/** Identifies a Temporal database: the creation of its schedule, and how often that has run. */
type SeenTemporal = Pick<ReconciliationSchedule, 'createdAt' | 'runs'>;

/**
 * Requests a reconciliation at once when this worker starts, and when Temporal or Postgres may have
 * lost or regained state: after an outage, a restart or a restore of either. Another one follows,
 * for the runs that were at their end. Creates the schedules and search attributes of a Temporal
 * that has none, as after the loss of its database. `stop` ends a call that waits for Temporal.
 */
export function startRecovery({
  client,
  sql,
  settings,
  log,
}: {
  readonly client: Client;
  readonly sql: Sql;
  readonly settings: ScheduleSettings;
  readonly log: Logger;
}) {
  const stopping = new AbortController();
  let reason: string | null = 'this worker has started';
  /** When the second reconciliation is due, in ms of `performance.now`. */
  let againAt = Infinity;
  let isUpToDate = false;
  let postgres: string | null = null;
  let temporal: SeenTemporal | null = null;

  const lookAtPostgres = async (): Promise<void> => {
    const seen = await readIncarnation(sql);
    if (postgres !== null && seen !== postgres)
      reason = 'Postgres was restarted, or its tables were restored';
    postgres = seen;
  };
  const lookAtTemporal = async (): Promise<ReconciliationSchedule> => {
    let found = isUpToDate ? await readSchedule(client, settings) : null;
    if (found === null) {
      if (isUpToDate) reason = 'Temporal has lost its schedules';
      await tryRegisterSearchAttributes(client, log);
      // The client ignores a signal that has ended before its call begins.
      stopping.signal.throwIfAborted();
      await ensureSchedules(client, settings, { isNewer: !isUpToDate });
      isUpToDate = true;
      found = await readSchedule(client, settings);
      if (found === null) throw new Error('the schedule of the reconciliation is missing');
    }
    if (
      temporal !== null &&
      (found.createdAt.getTime() !== temporal.createdAt.getTime() || found.runs < temporal.runs)
    )
      reason = 'Temporal was restored';
    temporal = found;
    return found;
  };
  const look = async (): Promise<void> => {
    await lookAtPostgres();
    const { isPaused } = await lookAtTemporal();
    const isSecond = reason === null;
    if ((isSecond && performance.now() < againAt) || isPaused) return;
    await requestReconciliation(client, settings);
    log.info(
      { reason: reason ?? 'runs that were at their end have ended' },
      'requested a reconciliation of the record with all runs',
    );
    againAt = isSecond ? Infinity : performance.now() + endingMs;
    reason = null;
  };
  let isFailing = false;
  const loop = startPollLoop(async () => {
    try {
      await client.withAbortSignal(stopping.signal, look);
      isFailing = false;
    } catch (error) {
      if (stopping.signal.aborted) return { ms: 0 };
      if (!isFailing) log.warn({ err: error }, 'cannot request a reconciliation; retrying');
      isFailing = true;
      reason ??= 'Temporal or Postgres was unavailable';
    }
    return { ms: pollMs };
  });
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await loop.stop();
    },
  };
}
