import { durationMs, flag, integer, integers, origins } from '../config-values.ts';
import { variable, type Variable } from './variable.ts';

/** The environment variables of webhooks and of the relay. */
export const webhookVariables = {
  WEBHOOK_ALLOWED_ORIGINS: variable(
    'Exact origins that the webhook guardrail does not check, for development and tests.',
    origins(),
    '',
  ),
  WEBHOOK_ALLOWED_PORTS: variable(
    'The allowed ports of webhook URLs.',
    integers(1, 65_535),
    '443,8443',
  ),
  WEBHOOK_RETRY_DELAYS_MS: variable(
    'The waits before the second and each later attempt of a delivery, with a jitter of a fifth.',
    integers(0, 30 * 24 * 3_600_000),
    '5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000',
  ),
  WEBHOOK_TIMEOUT_MS: variable(
    'The time limit of one attempt, from the look-up to the end of the response.',
    integer(1, 60_000),
    '15000',
  ),
  WEBHOOK_HOST_CONCURRENCY: variable(
    "The most concurrent requests of one worker process to one host for one vendor's deliveries.",
    integer(1, 10_000),
    '64',
  ),
  WEBHOOK_SUBSCRIPTION_CONCURRENCY: variable(
    'Of these requests, the most for one subscription, so that two subscriptions with one host ' +
      'share it.',
    integer(1, 10_000),
    '32',
  ),
  RELAY_LOW_PRIORITY_PER_SECOND: variable(
    'The most low-priority messages a second that a worker hands to Temporal: those to the ' +
      'reviews of the offers of bulk pushes, bulk jobs, review jobs and agreement switches, and ' +
      'to the runs that a reset of a sandbox ends. The embedded Temporal takes about 95 a second ' +
      'on two cores; 20 leave it time for other runs. A worker that runs items of a bulk job ' +
      'hands over a quarter of this number.',
    integer(1, 1000),
    '20',
  ),
  WEBHOOK_RUNS_PER_SECOND: variable(
    'The most deliveries a second that a worker shows in separate workflow runs. While more ' +
      'deliveries end, those that succeed have no run. 0: none. Retried deliveries, dead ' +
      'letters and redelivered dead letters always have a separate run.',
    integer(0, 1000),
    '5',
  ),
  WEBHOOK_DISABLE_AFTER_MS: variable(
    'A subscription becomes inactive after this time without a success and ' +
      'WEBHOOK_DISABLE_DEAD_LETTERS dead letters.',
    durationMs(),
    '432000000',
  ),
  WEBHOOK_DISABLE_DEAD_LETTERS: variable(
    'The number of dead letters, together with WEBHOOK_DISABLE_AFTER_MS.',
    integer(1, 1_000_000),
    '2',
  ),
  WEBHOOK_RETENTION_MS: variable(
    'The time that deliveries and their attempts are kept; in production at least a day.',
    durationMs(),
    '2592000000',
  ),
  WEBHOOK_KEEP_ANSWERS: variable(
    "Whether vendors may read the responses of their receivers: 'true' or 'false'. Secrets are " +
      'hidden.',
    flag(),
    'true',
  ),
} as const satisfies Record<string, Variable>;
