import postgres from 'postgres';
import type { ErrorCode } from '../../domain/errors.ts';

/** postgres.js's own codes and the operating system's for a server that cannot be reached. */
const unreachable = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * SQLSTATE classes: 28 refuses our login, 53 is short of resources, 57P is shutting down, 08 lost the connection, 40 gave
 * up a transaction for another's sake; 25P03 ended one that held a lock and stood still; 58 and XX are its own faults.
 */
function sqlstateCode(code: string): ErrorCode | null {
  if (code.startsWith('28')) return 'UPSTREAM_AUTH_FAILED';
  if (code === '57014') return 'GATEWAY_TIMEOUT';
  if (/^(53|57P|08|40|25P03)/.test(code)) return 'SERVICE_UNAVAILABLE';
  if (/^(58|XX)/.test(code)) return 'BAD_GATEWAY';
  return null;
}

/** SQLSTATE classes 22 and 23: a value or a constraint, which no repetition mends. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^2[23]/.test(error.code);

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** What a caller is told when Postgres failed (D7); null when the failure is not Postgres's absence. */
export function databaseFailureCode(error: unknown): ErrorCode | null {
  if (error instanceof postgres.PostgresError) return sqlstateCode(error.code);
  if (error instanceof AggregateError) return databaseFailureCode(error.errors[0]);
  if (!(error instanceof Error)) return null;
  // Somebody answers there, who is no Postgres.
  if (codeOf(error) === 'PROTOCOL_VIOLATION') return 'BAD_GATEWAY';
  return unreachable.has(codeOf(error)) ? 'SERVICE_UNAVAILABLE' : null;
}

/** Another offer of the vendor has the vendorExternalId. */
export const isExternalIdTaken = (error: unknown): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === '23505' &&
  error.constraint_name === 'offers_external_id';

/** Postgres ended it, so that another transaction may go on: done again, it goes through. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '40P01';

/** Somebody holds what was wanted, and longer than one may wait for it: tried again, it goes through. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '55P03';

/** A failure that goes by itself: Postgres is away or overloaded, or somebody holds a row. */
export const isPassingFailure = (error: unknown): boolean =>
  databaseFailureCode(error) !== null || isLockTimeout(error);
