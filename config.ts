import * as v from 'valibot';
import {
  durationMs,
  ed25519PrivateKey,
  ed25519Key,
  integer,
  integers,
  networks,
  origins,
  port,
  secretsKey,
  text,
  vatRate,
} from './config-values.ts';

/** The only place that reads the environment. Every variable is declared once, with its description and default. */

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

/** Every variable the gateway reads. `docs/configuration.md` is generated from this table. */
export const variables = {
  NODE_ENV: variable(
    'In `production` the embedded start (`npm start`) refuses: it is for development.',
    v.picklist(['development', 'test', 'production']),
    'development',
  ),
  HOST: variable('Address the API listens on.', text(), '127.0.0.1'),
  PORT: variable(
    'Port the API listens on. The embedded start takes a free one if it is in use.',
    port(),
    '3000',
  ),
  LOG_LEVEL: variable(
    'Least severe level that is logged.',
    v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
  ),
  GATEWAY_HOME: variable(
    'Folder in which the embedded start keeps its state and keys.',
    text(),
    '.gateway',
  ),
  TRUST_PROXY: variable(
    'Proxies whose X-Forwarded-For is believed: a comma list of addresses or networks; empty for none.',
    networks(),
    '',
  ),
  DATABASE_URL: optional(
    'Postgres connection URL. Unset: the embedded start runs its own server.',
    text(),
  ),
  DATABASE_POOL_MAX: variable(
    'Largest number of Postgres connections of one process.',
    integer(1, 1000),
    '10',
  ),
  POSTGRES_PORT: variable(
    'Port of the embedded Postgres. A free one is taken if it is in use.',
    port(),
    '5433',
  ),
  TEMPORAL_ADDRESS: optional(
    'Address of a Temporal server. Unset: the embedded start runs its own. TEMPORAL_API_KEY, TEMPORAL_TLS_* and the other standard variables of the Temporal SDKs are read too.',
    text(),
  ),
  TEMPORAL_NAMESPACE: variable('Temporal namespace.', text(), 'default'),
  TEMPORAL_TASK_QUEUE: variable(
    'Task queue of the workflows and activities.',
    text(),
    'vendor-gateway',
  ),
  TEMPORAL_UI_URL: variable(
    'Base URL of the Temporal UI, for links to histories.',
    text(),
    'http://127.0.0.1:8233',
  ),
  TEMPORAL_PORT: variable(
    'Port of the embedded Temporal server. A free one is taken if it is in use.',
    port(),
    '7233',
  ),
  TEMPORAL_UI_PORT: variable(
    'Port of the embedded Temporal UI. A free one is taken if it is in use.',
    port(),
    '8233',
  ),
  TEMPORAL_CLI: optional('Path of a `temporal` binary for the embedded start.', text()),
  WORKFLOW_BUNDLE: optional(
    'Path of a prebuilt workflow bundle. Unset: the worker builds one at its start.',
    text(),
  ),
  JWT_ISSUER: variable('The `iss` claim of the tokens.', text(), 'vendor-gateway'),
  JWT_KEYS_FILE: optional(
    'Path of the key ring that signs tokens, read again every two seconds (`npm run keys`). The API needs it or JWT_SIGNING_KEY. Both unset: one is made and kept in GATEWAY_HOME (not in production).',
    text(),
  ),
  JWT_SIGNING_KEY: optional(
    'Instead of JWT_KEYS_FILE: the Ed25519 private key (PKCS #8 PEM) that signs tokens, fixed while a process lives.',
    ed25519PrivateKey(),
  ),
  JWT_PREVIOUS_KEY: optional(
    'With JWT_SIGNING_KEY: a second Ed25519 key (private or public PEM) whose tokens are accepted too, while keys rotate.',
    ed25519Key(),
  ),
  SECRETS_KEY: optional(
    '32 bytes in base64 that encrypt webhook secrets at rest. Unset: made and kept in GATEWAY_HOME (not in production).',
    secretsKey(),
  ),
  OPERATOR_ID: optional(
    'With OPERATOR_SECRET: an operator with the role Admin that exists after the start.',
    text(),
  ),
  OPERATOR_SECRET: optional(
    'Secret of OPERATOR_ID.',
    v.pipe(text(), v.minLength(8, 'must have at least 8 characters')),
  ),
  VAT_RATE: variable('VAT as a fraction.', vatRate(), '0.15'),
  RATE_LIMIT_PER_MINUTE: variable(
    'Calls a minute for each credential and API process; 0: off.',
    integer(0, 1e9),
    '600',
  ),
  RATE_LIMIT_PUSH_PER_MINUTE: variable(
    'Stock and price pushes a minute for each credential and API process; 0: off.',
    integer(0, 1e9),
    '1200',
  ),
  RATE_LIMIT_OPERATOR_PER_MINUTE: variable(
    'Calls a minute for each operator and API process; 0: off.',
    integer(0, 1e9),
    '60000',
  ),
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: variable(
    'Token calls a minute for each source address and API process; 0: off.',
    integer(0, 1e9),
    '1000',
  ),
  WEBHOOK_ALLOWED_ORIGINS: variable(
    'Comma list of exact origins that the webhook guardrail lets through, for development and tests.',
    origins(),
    '',
  ),
  WEBHOOK_ALLOWED_PORTS: variable('Ports a webhook URL may name.', integers(1, 65_535), '443,8443'),
  WEBHOOK_RETRY_DELAYS_MS: variable(
    'Waits before the second and each later attempt of a delivery; each is jittered by a fifth.',
    integers(0, 30 * 24 * 3_600_000),
    '5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000',
  ),
  WEBHOOK_TIMEOUT_MS: variable(
    'Time limit of one attempt, from look-up to the end of the answer.',
    integer(1, 60_000),
    '15000',
  ),
  WEBHOOK_HOST_CONCURRENCY: variable(
    'Requests under way to one receiving host at a time, for each worker process.',
    integer(1, 10_000),
    '64',
  ),
  WEBHOOK_SUBSCRIPTION_CONCURRENCY: variable(
    'Of these, those of one subscription: of two that share a host, neither keeps the other waiting.',
    integer(1, 10_000),
    '32',
  ),
  WEBHOOK_DISABLE_AFTER_MS: variable(
    'A subscription with nothing but failures for so long, and so many dead letters, becomes inactive by itself.',
    durationMs(),
    '432000000',
  ),
  WEBHOOK_DISABLE_DEAD_LETTERS: variable(
    'The dead letters that go with WEBHOOK_DISABLE_AFTER_MS.',
    integer(1, 1_000_000),
    '2',
  ),
  WEBHOOK_RETENTION_MS: variable(
    'How long deliveries and their attempts are kept.',
    durationMs(),
    '2592000000',
  ),
  INSPECTION_START_MS: variable(
    'From receipt of a return until its inspection starts by itself.',
    durationMs(),
    '86400000',
  ),
  INSPECTION_WINDOW_MS: variable(
    'From the start of an inspection until silence decides.',
    durationMs(),
    '259200000',
  ),
  DECISION_TIMEOUT_MS: variable(
    "How long an operator's call waits for its workflow.",
    integer(100, 120_000),
    '10000',
  ),
  WORKER_HEALTH_PORT: variable(
    'Port of the worker’s health endpoint; 0: a free one.',
    port(),
    '3001',
  ),
} as const satisfies Record<string, Variable>;

type Variables = typeof variables;

const shape = v.object(
  // The values are the schemas of the table above; the type says so, since fromEntries forgets it.
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [K in keyof Variables]: Variables[K]['schema'];
  },
);

/** The whole configuration, parsed. Durations are milliseconds; VAT_RATE is in basis points. */
export type Config = Readonly<v.InferOutput<typeof shape>> & {
  /** The environment the Temporal SDK's own configuration reader looks at. */
  readonly temporalEnvironment: Readonly<Record<string, string>>;
};

/** Thrown when the environment cannot be used; the message names each variable and what is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Variables that have no default and that a process may not be able to do without. */
type NeedableName = 'DATABASE_URL' | 'JWT_SIGNING_KEY' | 'SECRETS_KEY';
/** `JWT_KEYS` is one of JWT_KEYS_FILE and JWT_SIGNING_KEY. */
type Needable = NeedableName | 'JWT_KEYS';
type JwtKeys =
  | { readonly JWT_KEYS_FILE: string }
  | { readonly JWT_KEYS_FILE?: undefined; readonly JWT_SIGNING_KEY: string };
/** A configuration in which these are set. */
export type ConfigWith<TNeeded extends Needable> = Config & {
  readonly [K in Exclude<TNeeded, 'JWT_KEYS'>]: string;
} & ('JWT_KEYS' extends TNeeded ? JwtKeys : unknown);

type Parsed = v.InferOutput<typeof shape>;

function missing(config: Parsed, name: Needable): readonly string[] {
  if (name !== 'JWT_KEYS') return config[name] === undefined ? [`${name}: must be set`] : [];
  const isThere = config.JWT_KEYS_FILE !== undefined || config.JWT_SIGNING_KEY !== undefined;
  return isThere ? [] : ['JWT_KEYS_FILE, JWT_SIGNING_KEY: one of them must be set'];
}

/** What cannot be meant. */
function contradictions(config: Parsed): readonly string[] {
  const problems: string[] = [];
  if (config.JWT_KEYS_FILE !== undefined && config.JWT_SIGNING_KEY !== undefined) {
    problems.push('JWT_KEYS_FILE, JWT_SIGNING_KEY: set only one of them');
  }
  if (config.JWT_PREVIOUS_KEY !== undefined && config.JWT_SIGNING_KEY === undefined) {
    problems.push('JWT_PREVIOUS_KEY: goes with JWT_SIGNING_KEY, which is not set');
  }
  if ((config.OPERATOR_ID === undefined) !== (config.OPERATOR_SECRET === undefined)) {
    problems.push('OPERATOR_ID, OPERATOR_SECRET: set both or neither');
  }
  return problems;
}

/**
 * Parses an environment. Throws {@link ConfigError} with one line for each bad variable, and for each that is needed and
 * not set; values are not repeated.
 */
export function loadConfig<TNeeded extends Needable = never>(
  environment: Readonly<Record<string, string | undefined>>,
  needed: readonly TNeeded[] = [],
): ConfigWith<TNeeded> {
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== '',
  );
  const parsed = v.safeParse(shape, Object.fromEntries(given));
  const problems = (parsed.issues ?? []).map((issue) => {
    const name = v.getDotPath(issue)?.split('.')[0] ?? 'configuration';
    const reason = issue.type === 'picklist' ? `must be one of ${issue.expected}` : issue.message;
    return `${name}: ${reason}`;
  });
  if (!parsed.success) throw new ConfigError(problems.join('\n'));
  const config = parsed.output;
  problems.push(...needed.flatMap((name) => missing(config, name)), ...contradictions(config));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const temporalEnvironment = Object.fromEntries(
    given.filter(([name]) => name.startsWith('TEMPORAL_')),
  );
  // What is needed was found to be there; the type cannot follow the loop.
  return { ...config, temporalEnvironment } as ConfigWith<TNeeded>;
}

/** {@link loadConfig} on the process's own environment; prints the problems and exits 1 when it cannot be used. */
export function loadConfigOrExit<TNeeded extends Needable = never>(
  needed: readonly TNeeded[] = [],
  overrides: Readonly<Record<string, string>> = {},
): ConfigWith<TNeeded> {
  try {
    return loadConfig({ ...process.env, ...overrides }, needed);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The configuration cannot be used:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}
