import { expect, vi } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { held } from './locks.ts';

/**
 * Locks a return's row, so that every writer waits. Postgres then admits them in order of arrival.
 */
export async function holdReturn(sql: Sql, returnId: string) {
  let pid = 0;
  const letGo = await held(sql, async (transaction) => {
    [{ pid }] = await transaction<[{ pid: number }]>`
      select pg_backend_pid() as pid from return_requests where id = ${returnId} for update`;
  });
  // The sessions that wait for the holder, those that wait for them, and so on.
  const waiters = async (): Promise<readonly number[]> => {
    const rows = await sql<{ pid: number }[]>`
      with recursive waiting as (
        select pid from pg_stat_activity where wait_event_type = 'Lock'
          and ${pid}::int = any(pg_blocking_pids(pid))
        union
        select behind.pid from pg_stat_activity as behind
        join waiting on waiting.pid = any(pg_blocking_pids(behind.pid))
        where wait_event_type = 'Lock'
      ) select pid from waiting`;
    return rows.map((row) => row.pid);
  };
  return {
    /** Until a given number of sessions wait, in the order in which they came. */
    untilWaiting: (count: number): Promise<void> =>
      vi.waitFor(async () => expect(await waiters()).toHaveLength(count), {
        timeout: 20_000,
        interval: 10,
      }),
    /** Cuts the connections of all that wait. */
    cutWaiting: async (): Promise<void> => {
      await sql`
        select pg_terminate_backend(pid) from unnest(${[...(await waiters())]}::int[]) as pid`;
    },
    letGo,
  };
}
export type HeldRow = Awaited<ReturnType<typeof holdReturn>>;
