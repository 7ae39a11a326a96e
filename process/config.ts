import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { secretNames, variables } from './config-variables.ts';
import { temporalTlsProblems } from './temporal-environment.ts';

type Variables = typeof variables;

const shape = v.object(
  // The type names the schemas of the table, which Object.fromEntries loses.
  Object.fromEntries(Object.entries(variables).map(([name, { schema }]) => [name, schema])) as {
    [K in keyof Variables]: Variables[K]['schema'];
  },
);

/** The parsed configuration. VAT_RATE is in basis points. */
export type Config = Readonly<v.InferOutput<typeof shape>> & {
  /** The variables of the Temporal SDK's own configuration reader. */
  readonly temporalEnvironment: Readonly<Record<string, string>>;
  /** The names of the set variables that name a proxy for other programs. */
  readonly proxyVariables: readonly string[];
  /** Whether the standard variables of OpenTelemetry switch traces on. */
  readonly isTracing: boolean;
};

/** An invalid environment. The message has a line for each variable with its fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Variables without a default that a process may require. */
type NeedableName = 'DATABASE_URL' | 'JWT_SIGNING_KEY' | 'SECRETS_KEY';
/**
 * `JWT_KEYS` is one of JWT_KEYS_FILE and JWT_SIGNING_KEY. `TEMPORAL_TLS` stands for the variables
 * of TLS to Temporal: they may be unset, but their files must be there.
 */
type Needable = NeedableName | 'JWT_KEYS' | 'TEMPORAL_TLS';
type JwtKeys =
  | { readonly JWT_KEYS_FILE: string }
  | { readonly JWT_KEYS_FILE?: undefined; readonly JWT_SIGNING_KEY: string };
/** A configuration in which the required variables are set. */
export type ConfigWith<TNeeded extends Needable> = Config & {
  readonly [K in Exclude<TNeeded, 'JWT_KEYS' | 'TEMPORAL_TLS'>]: string;
} & ('JWT_KEYS' extends TNeeded ? JwtKeys : unknown);

type Parsed = v.InferOutput<typeof shape>;

function missing(config: Parsed, name: Exclude<Needable, 'TEMPORAL_TLS'>): readonly string[] {
  if (name !== 'JWT_KEYS')
    return config[name] === undefined ? [`${name}: is required; set it`] : [];
  const isThere = config.JWT_KEYS_FILE !== undefined || config.JWT_SIGNING_KEY !== undefined;
  return isThere ? [] : ['JWT_KEYS_FILE, JWT_SIGNING_KEY: one is required; set one of them'];
}

const dayMs = 24 * 3_600_000;

/** OTLP is the only exporter, and a process exports only to an endpoint that it was given. */
const isTracing = (environment: Readonly<Record<string, string>>): boolean =>
  environment['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true' &&
  (environment['OTEL_TRACES_EXPORTER'] ?? 'otlp') === 'otlp' &&
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => environment[name] !== undefined,
  );

/** The protocol of OTLP that the gateway speaks. */
const otlpProtocol = 'http/protobuf';

/** Refuses standard variables of OpenTelemetry that the gateway would ignore silently. */
const unsupported = (environment: Readonly<Record<string, string>>): readonly string[] =>
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'].flatMap((name) =>
    (environment[name] ?? otlpProtocol) === otlpProtocol
      ? []
      : [`${name}: must be ${otlpProtocol}`],
  );

/** Combinations of variables that contradict each other. */
function contradictions(config: Parsed): readonly string[] {
  const problems: string[] = [];
  if (config.JWT_KEYS_FILE !== undefined && config.JWT_SIGNING_KEY !== undefined) {
    problems.push('JWT_KEYS_FILE, JWT_SIGNING_KEY: set only one of them');
  }
  if (config.JWT_PREVIOUS_KEY !== undefined && config.JWT_SIGNING_KEY === undefined) {
    problems.push('JWT_PREVIOUS_KEY: requires JWT_SIGNING_KEY; set it too');
  }
  if ((config.OPERATOR_ID === undefined) !== (config.OPERATOR_SECRET === undefined)) {
    problems.push('OPERATOR_ID, OPERATOR_SECRET: set both or neither');
  }
  if (config.NODE_ENV === 'production' && config.WEBHOOK_RETENTION_MS < dayMs) {
    problems.push(`WEBHOOK_RETENTION_MS: must be at least ${dayMs} in production`);
  }
  return problems;
}

/** The values of secrets that are in files. A secret that the environment has too is not read. */
function readSecretFiles(environment: ReadonlyMap<string, string>): readonly [string, string][] {
  return secretNames.flatMap((name): [string, string][] => {
    const file = environment.get(`${name}_FILE`);
    if (file === undefined || environment.has(name)) return [];
    try {
      const secret = readFileSync(file.trim(), 'utf8');
      if (secret.trim() !== '') return [[name, secret]];
    } catch (error) {
      throw new ConfigError(`${name}_FILE: ${error instanceof Error ? error.message : 'failed'}`);
    }
    throw new ConfigError(`${name}_FILE: the file is empty`);
  });
}

/**
 * Parses an environment. Throws {@link ConfigError} with a line for each invalid variable and for
 * each required variable that is not set. The lines do not repeat values, which may be secrets.
 */
export function loadConfig<TNeeded extends Needable = never>(
  environment: Readonly<Record<string, string | undefined>>,
  needed: readonly TNeeded[] = [],
): ConfigWith<TNeeded> {
  const own = Object.entries(environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1].trim() !== '',
  );
  const given = [...own, ...readSecretFiles(new Map(own))];
  const parsed = v.safeParse(shape, Object.fromEntries(given));
  const problems = (parsed.issues ?? []).map((issue) => {
    const name = v.getDotPath(issue)?.split('.')[0] ?? 'configuration';
    const reason = issue.type === 'picklist' ? `must be one of ${issue.expected}` : issue.message;
    return `${name}: ${reason}`;
  });
  if (!parsed.success) throw new ConfigError(problems.join('\n'));
  const config = parsed.output;
  const set = Object.fromEntries(given);
  const temporalEnvironment = Object.fromEntries(
    given
      .filter(([name]) => name.startsWith('TEMPORAL_'))
      .map(([name, value]) => [name, value.trim()]),
  );
  const problemsOf = (name: Needable): readonly string[] =>
    name === 'TEMPORAL_TLS' ? temporalTlsProblems(temporalEnvironment) : missing(config, name);
  problems.push(...needed.flatMap(problemsOf), ...contradictions(config));
  if (isTracing(set)) problems.push(...unsupported(set));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  const proxyVariables = Object.keys(set).filter((name) =>
    /^(?:grpc|https?|all)_proxy$/i.test(name),
  );
  const others = { temporalEnvironment, proxyVariables, isTracing: isTracing(set) };
  // `missing` has checked the required variables; the compiler cannot follow the loop.
  return { ...config, ...others } as ConfigWith<TNeeded>;
}

/** {@link loadConfig} of the process's environment; prints the problems and exits with 1. */
export function loadConfigOrExit<TNeeded extends Needable = never>(
  needed: readonly TNeeded[] = [],
  overrides: Readonly<Record<string, string>> = {},
): ConfigWith<TNeeded> {
  try {
    return loadConfig({ ...process.env, ...overrides }, needed);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(`The configuration is invalid:\n${error.message.replaceAll(/^/gm, '  ')}`);
    process.exit(1);
  }
}

/** Prints why the values of variables cannot be used, and ends the process with 1. */
export function exitUnusable(names: string, reason: string): never {
  console.error(
    `The configuration cannot be used:\n  ${names}: ${reason.replaceAll('\n', '\n  ')}`,
  );
  process.exit(1);
}

/** Ends a process that cannot listen at the address of these variables. */
export const exitUnlistened =
  (names: string) =>
  (error: Error): never =>
    exitUnusable(names, `${error.message}. Choose another address or port.`);
