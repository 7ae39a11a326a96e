import { variables } from '../../process/config-variables.ts';

/** What a program needs of a machine: none of these is a secret. */
const COMMON = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'NODE_OPTIONS',
  'NODE_ENV',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Windows.
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERPROFILE',
  'LOCALAPPDATA',
  'APPDATA',
];
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'];

/** Variables of the gateway that only the start itself, or only the API, uses. */
const OF_START = ['OPERATOR_ID', 'OPERATOR_SECRET', 'MIGRATION_DATABASE_URL'];
const OF_API = ['JWT_KEYS_FILE', 'JWT_SIGNING_KEY', 'JWT_PREVIOUS_KEY'];

const pick = (isNeeded: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => isNeeded(name)));

const isCommon = (name: string): boolean => COMMON.includes(name);
/**
 * The variable that one with the path of a secret's file stands for; others stand for themselves.
 */
const meant = (name: string): string =>
  Object.hasOwn(variables, name) ? name : name.replace(/_FILE$/, '');
/** TEMPORAL_* and OTEL_* are the variables of the SDKs of Temporal and OpenTelemetry. */
const isOfGateway = (name: string): boolean =>
  (Object.hasOwn(variables, name) || /^(?:TEMPORAL|OTEL)_/.test(name)) && !OF_START.includes(name);

/** The environment of a program that is not part of the gateway: the Temporal server, webpack. */
export const programEnvironment = (): NodeJS.ProcessEnv => pick(isCommon);

/** The environment of a program that downloads, or of Go. */
export const downloadEnvironment = (): NodeJS.ProcessEnv =>
  pick(
    (name) =>
      isCommon(name) || PROXIES.includes(name.toUpperCase()) || /^(?:GO|CGO_)[A-Z]+$/.test(name),
  );

/**
 * The environment of the API or the worker: the variables of the gateway that it uses. A process
 * that is broken into then reveals no secret of another, or of the user's shell.
 */
export const gatewayEnvironment = (name: 'API' | 'Worker'): NodeJS.ProcessEnv =>
  pick(
    (variable) =>
      isCommon(variable) ||
      (isOfGateway(meant(variable)) && (name === 'API' || !OF_API.includes(meant(variable)))),
  );
