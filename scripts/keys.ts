import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/** Reads a secret kept in a file only we may read, or makes it. */
async function keptSecret(file: string, make: () => string): Promise<string> {
  try {
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept !== '') return kept;
  } catch (error) {
    // Only one that is not there yet may be made: a new SECRETS_KEY would lose every webhook secret.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const secret = make();
  // Written aside first: a start killed in the middle must not leave half a key.
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secret;
}

const newSigningKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();

/** The keys of an embedded start: what is configured, else what an earlier start made, else new ones. */
export async function loadKeys(home: string, config: Config) {
  const folder = join(home, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const [signingKey, secretsKey, postgresPassword] = await Promise.all([
    config.JWT_SIGNING_KEY ?? keptSecret(join(folder, 'jwt-signing-key.pem'), newSigningKey),
    config.SECRETS_KEY ?? keptSecret(join(folder, 'secrets-key'), () => randomBytes(32).toString('base64')),
    keptSecret(join(folder, 'postgres-password'), () => randomBytes(24).toString('base64url')),
  ]);
  return { signingKey, secretsKey, postgresPassword };
}
