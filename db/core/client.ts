import postgres from 'postgres';

/** A pool of Postgres connections; column names arrive in camelCase. */
export type Sql = postgres.Sql;
/** A pool or one transaction of it: what a statement needs. */
export type Queryable = postgres.ISql;

/**
 * Opens a pool. Connections are made on demand; statements are prepared once for each connection.
 * `statement_timeout` turns a stuck statement into GATEWAY_TIMEOUT rather than a stuck caller.
 */
export function connect(
  databaseUrl: string,
  options: {
    max: number;
    name: string;
    /** A transaction that stands still for so long is ended, with the locks that it holds. Default: never. */
    idleInTransactionMs?: number;
  },
): Sql {
  return postgres(databaseUrl, {
    max: options.max,
    idle_timeout: 60,
    connect_timeout: 5,
    // Seconds until a lost connection is tried again. The library's own wait grows to 20 s, and callers wait with it.
    backoff: () => 0.2,
    onnotice: () => undefined,
    // Names of columns only: keys inside JSON stay as they were written.
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: {
      application_name: options.name,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 0,
    },
  });
}
