import * as v from 'valibot';
import { durationMs, flag, integer } from '../config-values.ts';
import { variable, type Variable } from './variable.ts';

const noneOrAtLeast = (min: number) =>
  v.pipe(
    integer(0, 1e9),
    v.check((items) => items === 0 || items >= min, `must be 0 or at least ${min}`),
  );

/** The environment variables that limit calls and jobs. */
export const limitVariables = {
  RATE_LIMIT_PER_MINUTE: variable(
    'Calls a minute for each vendor and API process, with all its credentials. 0: no limit.',
    integer(0, 1e9),
    '600',
  ),
  RATE_LIMIT_PUSH_PER_MINUTE: variable(
    'Stock and price pushes a minute for each vendor and API process, with all its credentials. ' +
      '0: no limit.',
    integer(0, 1e9),
    '1200',
  ),
  RATE_LIMIT_BULK_ITEMS_PER_MINUTE: variable(
    'Items of bulk pushes a minute for each vendor and API process, with all its credentials; ' +
      'at least 1000, so that a full call may pass. 0: no limit.',
    noneOrAtLeast(1000),
    '12000',
  ),
  RATE_LIMIT_JOB_ITEMS_PER_MINUTE: variable(
    'Items of bulk jobs a minute for each vendor and API process, with all its credentials; at ' +
      'least 10000, so that a full job may pass. 0: no limit.',
    noneOrAtLeast(10_000),
    '30000',
  ),
  JOBS_OPEN_MAX: variable(
    'The most bulk jobs of a vendor, and review jobs of an operator, that may wait or run. A ' +
      'further job is refused.',
    integer(1, 10_000),
    '20',
  ),
  JOB_WORK_PERCENT: variable(
    'The part of the time, in percent, in which a worker runs items of a bulk job. It pauses for ' +
      'the other part, so that a job delays no call of another vendor. 100: it never pauses.',
    integer(1, 100),
    '10',
  ),
  JOB_RETENTION_MS: variable(
    'The time that a bulk job or a review job is kept after its end, with its results.',
    durationMs(),
    '2592000000',
  ),
  RATE_LIMIT_MANUAL_DELIVERY_PER_MINUTE: variable(
    'The samples that a vendor may request in any 60 seconds for each subscription, across ' +
      'all API processes. Redeliveries have a separate limit of the same size. 0: no limit.',
    integer(0, 100_000),
    '10',
  ),
  RATE_LIMIT_OPERATOR_PER_MINUTE: variable(
    'Calls a minute for each operator and API process. 0: no limit.',
    integer(0, 1e9),
    '60000',
  ),
  SANDBOX_OPEN_REGISTRATION: variable(
    "In a sandbox, whether anyone may register a vendor: 'true' or 'false'.",
    flag(),
    'true',
  ),
  SANDBOX_REGISTRATIONS_PER_HOUR: variable(
    'In a sandbox, the vendors that one source address may register in an hour, for each API ' +
      'process. 0: no limit, as `npm run sandbox` sets.',
    integer(0, 1e9),
    '10',
  ),
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: variable(
    'Token calls a minute for each source address and API process. 0: no limit.',
    integer(0, 1e9),
    '1000',
  ),
} as const satisfies Record<string, Variable>;
