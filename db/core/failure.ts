import postgres from 'postgres';
import type { ErrorCode } from '../../domain/errors.ts';

/** The codes of postgres.js and of the operating system for an unreachable server. */
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
 * SQLSTATE classes: 28 refuses the login, 53 lacks resources, 57P shuts down, 08 lost the
 * connection. 40 rolled a transaction back because of another, 25P03 ended an idle one. 25006 takes
 * no writes, as a standby does during a failover. 58 and XX are faults of the server.
 */
function sqlstateCode(code: string): ErrorCode | null {
  if (code.startsWith('28')) return 'UPSTREAM_AUTH_FAILED';
  if (code === '57014') return 'GATEWAY_TIMEOUT';
  if (/^(53|57P|08|40|25P03|25006)/.test(code)) return 'SERVICE_UNAVAILABLE';
  if (/^(58|XX)/.test(code)) return 'BAD_GATEWAY';
  return null;
}

/** SQLSTATE classes 22 and 23: an invalid value or a constraint; a retry fails too. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^2[23]/.test(error.code);

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : '';

/** The error code for a failure of Postgres; null for any other error. */
export function databaseFailureCode(error: unknown): ErrorCode | null {
  if (error instanceof postgres.PostgresError) return sqlstateCode(error.code);
  if (error instanceof AggregateError) return databaseFailureCode(error.errors[0]);
  if (!(error instanceof Error)) return null;
  // Another server than Postgres answers at the address.
  if (codeOf(error) === 'PROTOCOL_VIOLATION') return 'BAD_GATEWAY';
  return unreachable.has(codeOf(error)) ? 'SERVICE_UNAVAILABLE' : null;
}

/** Whether Postgres gave this SQLSTATE, of the constraint if one is named. */
export const hasSqlstate = (error: unknown, sqlstate: string, constraint?: string): boolean =>
  error instanceof postgres.PostgresError &&
  error.code === sqlstate &&
  (constraint === undefined || error.constraint_name === constraint);

/** The vendor has another offer with the vendorExternalId. */
export const isExternalIdTaken = (error: unknown): boolean =>
  hasSqlstate(error, '23505', 'offers_external_id');

/** A line of an order names a variant that does not exist. */
export const isVariantGone = (error: unknown): boolean =>
  hasSqlstate(error, '23503', 'order_lines_variant_id_fkey');

/** A retry succeeds. */
export const isDeadlock = (error: unknown): boolean => hasSqlstate(error, '40P01');

/** An earlier statement has failed, and the transaction accepts no other one. */
export const isOfAbortedTransaction = (error: unknown): boolean => hasSqlstate(error, '25P02');

/** A concurrent transaction held a lock for too long; a retry succeeds. */
export const isLockTimeout = (error: unknown): boolean => hasSqlstate(error, '55P03');

/** A temporary failure: Postgres is unavailable or overloaded, or a row is locked. */
export const isPassingFailure = (error: unknown): boolean =>
  databaseFailureCode(error) !== null || isLockTimeout(error);
