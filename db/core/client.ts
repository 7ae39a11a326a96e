import postgres from 'postgres';

/** A pool of Postgres connections; column names arrive in camelCase. */
export type Pool = postgres.Sql;
/** A pool or one of its transactions. */
export type Queryable = postgres.ISql;
/**
 * What a command runs in: a pool, or a transaction instead (`transaction.ts`), in which each
 * transaction of the command is a savepoint.
 */
export type Sql = Queryable & Pick<Pool, 'begin'> & { readonly isInTransaction?: true };

/**
 * Opens a pool. It connects on demand and prepares a statement once for each connection. The
 * `statement_timeout` ends a stuck statement, which becomes a GATEWAY_TIMEOUT for the caller. A
 * connection without a response five seconds later has lost its server, and closes.
 */
export function connect(
  databaseUrl: string,
  options: {
    max: number;
    name: string;
    /** Ends a transaction that is idle for so long, and releases its locks. Default: never. */
    idleInTransactionMs?: number;
    /** Default: 10 s; 0: none. */
    statementTimeoutMs?: number;
  },
): Pool {
  return postgres(databaseUrl, {
    max: options.max,
    idle_timeout: 60,
    connect_timeout: 5,
    // Seconds until a reconnect. The library's own wait grows to 20 s, and callers wait with it.
    backoff: () => 0.2,
    onnotice: () => undefined,
    // Converts column names only; keys inside JSON stay unchanged.
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: {
      application_name: options.name,
      statement_timeout: options.statementTimeoutMs ?? 10_000,
      idle_in_transaction_session_timeout: options.idleInTransactionMs ?? 0,
    },
  });
}
