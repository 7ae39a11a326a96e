import type { Pool } from './client.ts';

/** A statement that has no result after this time is given up with its connection. */
const stuckMs = 5000;

/**
 * Asks Postgres for a result over a connection of its own, so that it waits for no caller's
 * statement. Concurrent calls share one statement. `open` opens a pool of one connection. A
 * connection without a result is replaced, because its server may be gone.
 */
export function createDatabaseCheck(open: () => Pool): {
  /** Resolves when Postgres answers; rejects when it is unavailable. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
} {
  let sql = open();
  let running: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    const asked = sql;
    const stuck = setTimeout(() => {
      sql = open();
      running = null;
      void asked.end({ timeout: 0 });
    }, stuckMs).unref();
    try {
      await asked`select 1`;
    } finally {
      clearTimeout(stuck);
      if (asked === sql) running = null;
    }
  };
  return {
    check: () => (running ??= ask()),
    close: () => sql.end({ timeout: 0 }),
  };
}
