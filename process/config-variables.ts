import { durationMs, integer, port, text, vatRate } from './config-values.ts';
import { accessVariables } from './variables/access.ts';
import { databaseVariables } from './variables/database.ts';
import { limitVariables } from './variables/limits.ts';
import { serverVariables } from './variables/server.ts';
import { temporalVariables } from './variables/temporal.ts';
import { webhookVariables } from './variables/webhooks.ts';
import { optional, variable, type Variable } from './variables/variable.ts';

/**
 * Every environment variable, declared once, in the order of docs/configuration.md, which
 * `npm run docs:config` writes from this table. No other file reads the environment.
 */
export const variables = {
  ...serverVariables,
  ...databaseVariables,
  ...temporalVariables,
  ...accessVariables,
  VAT_RATE: variable('The VAT rate as a fraction.', vatRate(), '0.15'),
  LARGE_PRICE_CHANGE_PERCENT: variable(
    'A staged price that differs from the live one by more percent gets the flag LargePriceChange.',
    integer(1, 10_000),
    '20',
  ),
  REVIEW_TARGET_HOURS: variable(
    'The hours in which an offer is decided on. Operators see which offers wait longer. 0: no target.',
    integer(0, 8760),
    '48',
  ),
  ...limitVariables,
  ...webhookVariables,
  INSPECTION_START_MS: variable(
    'The time from receipt of a return to the automatic start of its inspection.',
    durationMs(),
    '86400000',
  ),
  INSPECTION_WINDOW_MS: variable(
    'The inspection window. Without a proposal, the workflow decides at its end.',
    durationMs(),
    '259200000',
  ),
  INSPECTION_CLOSING_MS: variable(
    'The time before the end of an inspection window at which the vendor gets ' +
      '`vendor.return.inspection-closing`, if silence would decide. 0, or a time that is not ' +
      'shorter than the window: no such event. A return keeps the value of its creation.',
    durationMs(0),
    '21600000',
  ),
  DECISION_TIMEOUT_MS: variable(
    "The time that an operator's call waits for its workflow.",
    integer(100, 120_000),
    '10000',
  ),
  DECISION_UNDO_MS: variable(
    'The time in which a rejection, or a decision on a staged price, can be taken back. 0: none can.',
    durationMs(0),
    '86400000',
  ),
  DRAIN_DELAY_MS: variable(
    'The time that the API answers calls after SIGTERM while `/ready` answers 503. Afterwards it ' +
      'accepts no more connections. Set it to more than a proxy takes to notice the 503. ' +
      '`npm start` uses 0.',
    integer(0, 600_000),
    '1000',
  ),
  METRICS_HOST: variable(
    'The address that the metrics of both processes listen on. They do not authenticate callers.',
    text(),
    '127.0.0.1',
  ),
  METRICS_PORT: optional("The port of the API's metrics (Prometheus). Unset: none.", port()),
  WORKER_METRICS_PORT: optional(
    "The port of the worker's metrics (Prometheus). Unset: none.",
    port(),
  ),
  WORKER_HEALTH_PORT: variable(
    "The port of the worker's health endpoint. 0: a free port.",
    port(),
    '3001',
  ),
} as const satisfies Record<string, Variable>;

/** The secrets. Each may be in a file instead: `NAME_FILE` is the path of the file. */
export const secretNames = [
  'DATABASE_URL',
  'DATABASE_LISTEN_URL',
  'MIGRATION_DATABASE_URL',
  'JWT_SIGNING_KEY',
  'JWT_PREVIOUS_KEY',
  'SECRETS_KEY',
  'OPERATOR_SECRET',
] as const satisfies readonly (keyof typeof variables)[];
