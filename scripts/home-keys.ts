import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createRing, readRing } from '../security/key-ring-file.ts';
import { firstRing, KeyRingError, newPrivateKey } from '../security/key-ring.ts';

/** What a file says; null when there is none, or nothing in it. */
async function readKept(file: string): Promise<string | null> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    return kept === '' ? null : kept;
  } catch (error) {
    // Only one that is not there yet may be made: a new SECRETS_KEY would lose every webhook secret.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return null;
  }
}

/** Reads a secret kept in a file only we may read, or makes it. */
async function keptSecret(file: string, make: () => string): Promise<string> {
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const secret = make();
  // Written aside first: a start killed in the middle must not leave half a key.
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}

const folderOf = (home: string): string => join(home, 'keys');

/** Where the key ring of an embedded start is. */
export const ringFileOf = (home: string): string => join(folderOf(home), 'jwt-keys.json');

/** Versions before the key ring kept their one signing key here. */
const oldKeyFileOf = (home: string): string => join(folderOf(home), 'jwt-signing-key.pem');

/** Makes the ring of the key of an earlier version, so that its tokens stay good. Answers false when there is none. */
export async function adoptOldKey(home: string): Promise<boolean> {
  const oldFile = oldKeyFileOf(home);
  const key = await readKept(oldFile);
  if (key !== null) {
    try {
      createRing(ringFileOf(home), firstRing(key, Date.now()));
    } catch (error) {
      if (error instanceof KeyRingError) throw new KeyRingError(`${oldFile}: ${error.message}`);
      throw error;
    }
  }
  // Killed before this, the next start finds the ring, and takes the old file away then: it must not come back to life
  // if the ring is ever lost.
  await rm(oldFile, { force: true });
  return key !== null;
}

/** The ring's file of an embedded start: with the keys there are, else with a new one. */
async function keptRing(home: string): Promise<string> {
  const file = ringFileOf(home);
  if (!(await adoptOldKey(home))) createRing(file, firstRing(newPrivateKey(), Date.now()));
  readRing(file);
  return file;
}

/**
 * The keys of an embedded start: what is configured, else what an earlier start made, else new ones. `keysFile` is
 * undefined when the configuration says where the signing keys are.
 */
export async function loadKeys(home: string, config: Config) {
  const folder = folderOf(home);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const isConfigured = config.JWT_KEYS_FILE !== undefined || config.JWT_SIGNING_KEY !== undefined;
  const [keysFile, secretsKey, postgresPassword] = await Promise.all([
    isConfigured ? undefined : keptRing(home),
    config.SECRETS_KEY ??
      keptSecret(join(folder, 'secrets-key'), () => randomBytes(32).toString('base64')),
    keptSecret(join(folder, 'postgres-password'), () => randomBytes(24).toString('base64url')),
  ]);
  return { keysFile, secretsKey, postgresPassword };
}
