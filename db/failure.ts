import postgres from 'postgres';
import type { ErrorCode } from '../domain/errors.ts';

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

/** SQLSTATE classes: 28 refuses our login, 53 is short of resources, 57P is shutting down, 08 lost the connection. */
function sqlstateCode(code: string): ErrorCode | null {
  if (code.startsWith('28')) return 'UPSTREAM_AUTH_FAILED';
  if (code === '57014') return 'GATEWAY_TIMEOUT';
  if (code.startsWith('53') || code.startsWith('57P') || code.startsWith('08')) return 'SERVICE_UNAVAILABLE';
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
  return error instanceof Error && unreachable.has(codeOf(error)) ? 'SERVICE_UNAVAILABLE' : null;
}
