import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { createVendorClient, type VendorClient } from 'vendor-gateway-client';
import { CliError, exitCodes, usageError } from './exit.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Credentials = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** The folder of this program's files. */
export const folderOf = ({ XDG_CONFIG_HOME = '' }: Environment): string =>
  join(XDG_CONFIG_HOME === '' ? join(homedir(), '.config') : XDG_CONFIG_HOME, 'vendor-gateway');

const fileOf = (environment: Environment): string =>
  join(folderOf(environment), 'credentials.json');

/** Replaces a file as a whole; only its owner can read it. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}

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

async function readStored(environment: Environment): Promise<Partial<Credentials>> {
  const text = await readFile(fileOf(environment), 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text) as Partial<Credentials>;
  } catch {
    return {};
  }
}

/** The parts that the environment has; an empty variable is as good as none. */
export function givenCredentials(environment: Environment): Partial<Credentials> {
  const given = {
    baseUrl: environment['VENDOR_GATEWAY_URL'],
    clientId: environment['VENDOR_GATEWAY_CLIENT_ID'],
    clientSecret: environment['VENDOR_GATEWAY_CLIENT_SECRET'],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

/**
 * The environment's credentials, completed by the stored ones. A stored secret goes only to the
 * address and with the client id that it was stored with.
 */
async function findCredentials(environment: Environment): Promise<Credentials> {
  const given = givenCredentials(environment);
  const stored = await readStored(environment);
  const fits =
    (given.baseUrl ?? stored.baseUrl) === stored.baseUrl &&
    (given.clientId ?? stored.clientId) === stored.clientId;
  const { baseUrl, clientId, clientSecret } = { ...(fits ? stored : {}), ...given };
  if (!baseUrl || !clientId || !clientSecret)
    throw new CliError(
      exitCodes.refused,
      'NOT_LOGGED_IN',
      'There are no credentials',
      'Run vendor-gateway login, or set VENDOR_GATEWAY_URL, VENDOR_GATEWAY_CLIENT_ID and ' +
        'VENDOR_GATEWAY_CLIENT_SECRET.',
    );
  return { baseUrl, clientId, clientSecret };
}

/** A client that outlasts a full minute of the rate limit. */
export function clientOf(credentials: Credentials, attemptsMax = 6): VendorClient {
  try {
    return createVendorClient({ ...credentials, retry: { attemptsMax, timeoutMs: 120_000 } });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageError(error.message.replace('baseUrl', 'The address of the gateway'));
  }
}

/** The client and whose it is. */
export type Connection = { readonly client: VendorClient; readonly credentials: Credentials };

export async function connect(environment: Environment): Promise<Connection> {
  const credentials = await findCredentials(environment);
  return { client: clientOf(credentials), credentials };
}
