import * as v from 'valibot';
import { environments } from '../domain/accounts/credentials.ts';
import {
  baseUrl,
  durationMs,
  ed25519PrivateKey,
  ed25519Key,
  flag,
  httpUrl,
  integer,
  integers,
  keyRing,
  networks,
  origins,
  port,
  proxyUrl,
  text,
  vatRate,
} from './config-values.ts';

type Variable = {
  readonly description: string;
  readonly fallback: string | undefined;
  readonly schema: v.GenericSchema<unknown, unknown>;
};

const variable = <const TSchema extends v.GenericSchema<string, unknown>>(
  description: string,
  schema: TSchema,
  fallback: string,
) => ({
  description,
  fallback,
  schema: v.optional(schema, fallback as v.InferInput<TSchema>),
});

const optional = <const TSchema extends v.GenericSchema<string, unknown>>(
  description: string,
  schema: TSchema,
) => ({
  description,
  fallback: undefined,
  schema: v.optional(schema),
});

/**
 * Every environment variable, declared once; no other file reads the environment.
 * `npm run docs:config` writes docs/configuration.md from this table.
 */
export const variables = {
  NODE_ENV: variable(
    '`npm start` refuses to run in `production`: it is for development.',
    v.picklist(['development', 'test', 'production']),
    'development',
  ),
  GATEWAY_ENVIRONMENT: variable(
    'What this installation is for. A `Sandbox` has routes with which vendors try the API, and ' +
      'needs its own database, namespace and keys. `npm run sandbox` starts one.',
    v.picklist(environments),
    'Production',
  ),
  HOST: variable('The address that the API listens on.', text(), '127.0.0.1'),
  PORT: variable(
    'The port that the API listens on. `npm start` uses a free port if this one is in use.',
    port(),
    '3000',
  ),
  CONNECTIONS_MAX: variable(
    'The most connections of one API process at a time. It closes a new one above that at once.',
    integer(10, 100_000),
    '2000',
  ),
  PUBLIC_URL: variable(
    'The base URL at which vendors reach the API. With it, the links in errors are absolute, and ' +
      'the guides show this URL.',
    baseUrl(),
    '',
  ),
  LOG_LEVEL: variable(
    'The lowest level that is logged.',
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ),
  GATEWAY_HOME: variable(
    'The state directory of `npm start`, with its data and keys.',
    text(),
    '.gateway',
  ),
  TRUST_PROXY: variable(
    'The proxies whose X-Forwarded-For the API trusts: addresses or networks. Empty: none.',
    networks(),
    '',
  ),
  DATABASE_URL: optional(
    'The Postgres connection URL. Unset: `npm start` runs its own server.',
    text(),
  ),
  DATABASE_LISTEN_URL: optional(
    'The Postgres connection URL for LISTEN, if DATABASE_URL leads to a pooler in transaction ' +
      'mode. Unset: DATABASE_URL.',
    text(),
  ),
  MIGRATION_DATABASE_URL: optional(
    'The Postgres connection URL of migrations, as the owner of the tables. Unset: DATABASE_URL.',
    text(),
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
  TEMPORAL_ADDRESS: optional(
    'The address of the Temporal server. Unset: `npm start` runs its own. The standard variables ' +
      'of the Temporal SDKs, such as TEMPORAL_API_KEY and TEMPORAL_TLS_*, work too.',
    text(),
  ),
  TEMPORAL_PROXY: optional(
    'The HTTP CONNECT proxy for connections to Temporal, such as ' +
      'http://user:password@proxy.example.com:3128. Unset: none, because these connections ignore ' +
      'HTTPS_PROXY and similar variables. A server on the loopback interface never needs it.',
    proxyUrl(),
  ),
  TEMPORAL_NAMESPACE: variable('The Temporal namespace.', text(), 'default'),
  TEMPORAL_TASK_QUEUE: variable(
    'The task queue of workflows and activities. Reviews and inspections have a second one with ' +
      '`-decisions` at its end. Bulk jobs and review jobs have a third one with `-jobs`.',
    text(),
    'vendor-gateway',
  ),
  TEMPORAL_DEPLOYMENT_NAME: optional(
    'The name of the worker deployment, without a full stop. With it, the worker is versioned: ' +
      '`npm run deployment` chooses the build that gets new runs. Unset: not versioned.',
    v.pipe(text(), v.regex(/^[^.]{1,200}$/, 'must have 1 to 200 characters and no full stop')),
  ),
  TEMPORAL_WORKER_BUILD_ID: optional(
    'The build id of a versioned worker. Unset: from the hash of the workflow bundle.',
    text(),
  ),
  TEMPORAL_UI_URL: variable(
    'The base URL of the Temporal UI, for links to workflow histories. The embedded UI answers ' +
      'under its host name too.',
    httpUrl(),
    'http://127.0.0.1:8233',
  ),
  TEMPORAL_PORT: variable(
    'The port of the embedded Temporal server. `npm start` uses a free port if it is in use.',
    port(),
    '7233',
  ),
  TEMPORAL_UI_PORT: variable(
    'The port of the embedded Temporal UI. `npm start` uses a free port if it is in use.',
    port(),
    '8233',
  ),
  TEMPORAL_CLI: optional('The path of a `temporal` binary for `npm start`.', text()),
  WORKFLOW_BUNDLE: optional(
    'The path of a prebuilt workflow bundle. Unset: the worker builds one when it starts.',
    text(),
  ),
  JWT_ISSUER: variable('The `iss` claim of tokens.', text(), 'vendor-gateway'),
  JWT_KEYS_FILE: optional(
    'The path of the key ring that signs tokens (`npm run keys`); the API reads it every two ' +
      'seconds. The API requires it or JWT_SIGNING_KEY. Both unset: `npm start` creates a key ' +
      'ring in GATEWAY_HOME.',
    text(),
  ),
  JWT_SIGNING_KEY: optional(
    'Instead of JWT_KEYS_FILE: the Ed25519 private key (PKCS #8 PEM) that signs tokens. A new ' +
      'key requires a restart.',
    ed25519PrivateKey(),
  ),
  JWT_PREVIOUS_KEY: optional(
    'With JWT_SIGNING_KEY: a second Ed25519 key (private or public PEM) whose tokens the API ' +
      'accepts during a rotation.',
    ed25519Key(),
  ),
  SECRETS_KEY: optional(
    'The keys that encrypt webhook secrets at rest: 32 bytes in base64 each, separated ' +
      'by commas. The first encrypts, all decrypt. Unset: `npm start` creates one in GATEWAY_HOME.',
    keyRing(),
  ),
  OPERATOR_ID: optional(
    'With OPERATOR_SECRET: the id of an operator with the role Admin that the start creates. ' +
      'After a rotation of its secret or a deactivation, a start no longer changes it.',
    text(),
  ),
  OPERATOR_SECRET: optional(
    'The secret of OPERATOR_ID, at least 32 characters (openssl rand -base64 32).',
    v.pipe(text(), v.minLength(32, 'must have at least 32 characters')),
  ),
  VAT_RATE: variable('The VAT rate as a fraction.', vatRate(), '0.15'),
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
    v.pipe(
      integer(0, 1e9),
      v.check((items) => items === 0 || items >= 1000, 'must be 0 or at least 1000'),
    ),
    '12000',
  ),
  RATE_LIMIT_JOB_ITEMS_PER_MINUTE: variable(
    'Items of bulk jobs a minute for each vendor and API process, with all its credentials; at ' +
      'least 10000, so that a full job may pass. 0: no limit.',
    v.pipe(
      integer(0, 1e9),
      v.check((items) => items === 0 || items >= 10_000, 'must be 0 or at least 10000'),
    ),
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
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: variable(
    'Token calls a minute for each source address and API process. 0: no limit.',
    integer(0, 1e9),
    '1000',
  ),
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
    'The time limit of one attempt, from the look-up to the end of the answer.',
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
      'reviews of the offers of bulk pushes, bulk jobs, review jobs and agreement switches. The ' +
      'embedded Temporal takes about 95 a second on two cores; 20 leave it time for other runs. ' +
      'A worker that runs items of a bulk job hands over a quarter of this number.',
    integer(1, 1000),
    '20',
  ),
  WEBHOOK_RUNS_PER_SECOND: variable(
    'The most deliveries a second that a worker shows in separate workflow runs. While more ' +
      'deliveries end, the runs of delivery batches show them. 0: none. Retried deliveries, dead ' +
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
    "Whether vendors may read the answers of their receivers: 'true' or 'false'. Secrets are " +
      'hidden.',
    flag(),
    'true',
  ),
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
