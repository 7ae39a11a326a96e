import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createVendorClient, type VendorClient } from 'vendor-gateway-client';
import { programOf, type Environment } from './environment.ts';
import { CliError, exitCodes, usageError } from './exit.ts';
import type { Output } from './output.ts';
import { proxyOptions } from './proxy.ts';
import { hasFields, readStateFile, writePrivateFile } from './state-file.ts';

export type Credentials = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

type Notes = Pick<Output, 'note'>;

/** The folder of this program's files. */
export const folderOf = ({ XDG_CONFIG_HOME = '' }: Environment): string =>
  join(XDG_CONFIG_HOME === '' ? join(homedir(), '.config') : XDG_CONFIG_HOME, 'vendor-gateway');

/** The name of the profile that the environment names; null for the one without a name. */
export function profileOf({ VENDOR_GATEWAY_PROFILE = '' }: Environment): string | null {
  if (VENDOR_GATEWAY_PROFILE === '') return null;
  if (/^\w[\w.-]{0,63}$/.test(VENDOR_GATEWAY_PROFILE)) return VENDOR_GATEWAY_PROFILE;
  throw usageError(
    'The profile has no name of up to 64 letters, digits, dots, hyphens and underscores',
    'Such as --profile staging.',
  );
}

const fileOf = (environment: Environment): string => {
  const profile = profileOf(environment);
  const name = profile === null ? 'credentials.json' : join('profiles', `${profile}.json`);
  return join(folderOf(environment), name);
};

/** Stores the credentials of a log-in and returns the file. */
export async function storeCredentials(
  environment: Environment,
  credentials: Credentials,
): Promise<string> {
  const file = fileOf(environment);
  await writePrivateFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return file;
}

/** Deletes what is stored. */
export async function deleteCredentials(environment: Environment): Promise<string> {
  const file = fileOf(environment);
  await rm(file, { force: true });
  return file;
}

const isCredentials = (value: unknown): value is Credentials =>
  hasFields(value, { baseUrl: 'string', clientId: 'string', clientSecret: 'string' });

const readStored = (environment: Environment, output: Notes): Promise<Credentials | null> =>
  readStateFile(fileOf(environment), isCredentials, output);

/** The same address, with a slash at its end or without. */
const isSameAddress = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

/** The stored credentials whose secret another log-in would replace; null if there are none. */
export async function findReplaced(
  environment: Environment,
  next: { readonly baseUrl: string; readonly clientId: string | null },
  output: Notes,
): Promise<(Credentials & { readonly file: string }) | null> {
  const stored = await readStored(environment, output);
  if (stored === null) return null;
  const isSame = isSameAddress(stored.baseUrl, next.baseUrl) && stored.clientId === next.clientId;
  return isSame ? null : { ...stored, file: fileOf(environment) };
}

/** The variables of the parts. */
const variables = {
  baseUrl: 'VENDOR_GATEWAY_URL',
  clientId: 'VENDOR_GATEWAY_CLIENT_ID',
  clientSecret: 'VENDOR_GATEWAY_CLIENT_SECRET',
} as const satisfies Record<keyof Credentials, string>;

/** The parts that the environment has; an empty variable is as good as none. */
export const givenCredentials = (environment: Environment): Partial<Credentials> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([part, name]) => {
      const value = environment[name];
      return value ? [[part, value]] : [];
    }),
  );

/** The environment of a command with `--profile`, whose stored values the variables replace not. */
export const withoutCredentials = (environment: Environment): Environment => ({
  ...environment,
  ...Object.fromEntries(Object.values(variables).map((name) => [name, undefined])),
});

/**
 * The environment's credentials, completed by the stored ones. A stored secret goes only to the
 * address and with the client id that it was stored with.
 */
async function findCredentials(environment: Environment, output: Notes): Promise<Credentials> {
  const given = givenCredentials(environment);
  const isWhole = isCredentials(given);
  const stored = isWhole ? null : await readStored(environment, output);
  const fits =
    stored !== null &&
    isSameAddress(given.baseUrl ?? stored.baseUrl, stored.baseUrl) &&
    (given.clientId ?? stored.clientId) === stored.clientId;
  const { baseUrl, clientId, clientSecret } = { ...(fits ? stored : {}), ...given };
  if (!baseUrl || !clientId || !clientSecret) throw notLoggedIn(environment);
  return { baseUrl, clientId, clientSecret };
}

function notLoggedIn(environment: Environment): CliError {
  const profile = profileOf(environment);
  const program = programOf(environment);
  const { baseUrl, clientId, clientSecret } = variables;
  const named = profile === null ? '' : ` --profile ${profile}`;
  return new CliError(
    exitCodes.refused,
    'NOT_LOGGED_IN',
    `There are no credentials${profile === null ? '' : ` of the profile ${profile}`}`,
    `Run ${program} login${named}, or set ${baseUrl}, ${clientId} and ${clientSecret}.`,
  );
}

/** A client that outlasts a full minute of the rate limit. */
export function clientOf(
  credentials: Credentials,
  environment: Environment,
  attemptsMax = 6,
): VendorClient {
  try {
    const retry = { attemptsMax, timeoutMs: 120_000 };
    const proxy = proxyOptions(environment, credentials.baseUrl);
    return createVendorClient({ ...credentials, ...proxy, retry });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(error.message.replace('baseUrl', 'The address of the gateway'));
  }
}

/** Throws the error of wrong usage for a text that is no address of a gateway. */
export function requireAddress(baseUrl: string, environment: Environment): void {
  clientOf({ baseUrl, clientId: '-', clientSecret: '-' }, environment);
}

/** The client and whose it is. */
export type Connection = { readonly client: VendorClient; readonly credentials: Credentials };

export async function connect(environment: Environment, output: Notes): Promise<Connection> {
  const credentials = await findCredentials(environment, output);
  return { client: clientOf(credentials, environment), credentials };
}
