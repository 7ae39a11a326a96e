import { databaseUrl, integer, port } from '../config-values.ts';
import { optional, variable, type Variable } from './variable.ts';

/** The environment variables of Postgres. */
export const databaseVariables = {
  DATABASE_URL: optional(
    'The Postgres connection URL. Unset: `npm start` runs its own server.',
    databaseUrl(),
  ),
  DATABASE_LISTEN_URL: optional(
    'The Postgres connection URL for LISTEN, if DATABASE_URL leads to a pooler in transaction ' +
      'mode. Unset: DATABASE_URL.',
    databaseUrl(),
  ),
  MIGRATION_DATABASE_URL: optional(
    'The Postgres connection URL of migrations, as the owner of the tables. Unset: DATABASE_URL.',
    databaseUrl(),
  ),
  DATABASE_POOL_MAX: variable(
    'The most Postgres connections of one process for its main work. An API process also has ' +
      'those for lists, and each process has up to four more, for example for its health.',
    integer(1, 1000),
    '10',
  ),
  DATABASE_LIST_POOL_MAX: variable(
    'The most Postgres connections of one API process for lists.',
    integer(1, 1000),
    '4',
  ),
  DATABASE_LIST_TIMEOUT_MS: variable(
    'The time limit of one statement of a list. Other statements have 10 seconds.',
    integer(100, 10_000),
    '5000',
  ),
  VENDOR_CONCURRENCY_MAX: optional(
    'The most calls of one vendor in progress in one API process, except lists; further ones ' +
      'wait. Unset: a third of DATABASE_POOL_MAX.',
    integer(1, 10_000),
  ),
  VENDOR_LIST_CONCURRENCY_MAX: optional(
    'The most list calls of one vendor in progress in one API process; further ones wait. ' +
      'Unset: a third of DATABASE_LIST_POOL_MAX.',
    integer(1, 10_000),
  ),
  POSTGRES_PORT: variable(
    'The port of the embedded Postgres. `npm start` uses a free port if this one is in use.',
    port(),
    '5433',
  ),
} as const satisfies Record<string, Variable>;
