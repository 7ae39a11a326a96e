import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../process/config.ts';
import { createRingFile, readRingFile } from '../../security/key-ring-file.ts';
import {
  createRing,
  fixedRing,
  generatePrivateKey,
  requireRingOf,
  type KeyRing,
} from '../../security/key-ring.ts';
import { createPrivateFile, readPrivateFile } from '../../security/private-file.ts';

/** The key ring of an embedded gateway. */
export const ringFileOf = (stateDir: string): string => join(stateDir, 'keys', 'jwt-keys.json');

/**
 * The ring of the environment, or of this file if the environment has no signing key. Throws for
 * the JWT_KEYS_FILE of another environment. The ring of GATEWAY_HOME has the environment of its
 * installation.
 */
export function configuredRing(config: Config, file: string): KeyRing {
  const { JWT_SIGNING_KEY: signingKey, JWT_PREVIOUS_KEY: previousKey } = config;
  if (signingKey !== undefined) return fixedRing({ signingKey, previousKey });
  const ring = readRingFile(file);
  if (config.JWT_KEYS_FILE === undefined) return ring;
  return requireRingOf(ring, config.GATEWAY_ENVIRONMENT, file);
}

/** Reads a secret from a file, which it creates at the first start. */
function loadSecret(file: string, bytes: Buffer, encoding: 'base64' | 'base64url'): string {
  createPrivateFile(file, `${bytes.toString(encoding)}\n`);
  const secret = readPrivateFile(file).trim();
  // A new SECRETS_KEY would lose every webhook secret, so that an empty file is not replaced.
  if (secret === '')
    throw new Error(`${file} is empty. Restore it, or delete the state directory.`);
  return secret;
}

const secretsKeyFileOf = (stateDir: string): string => join(stateDir, 'keys', 'secrets-key');

/** The SECRETS_KEY of an embedded gateway; null if it has none. */
export function findSecretsKey(stateDir: string): string | null {
  const file = secretsKeyFileOf(stateDir);
  return existsSync(file) ? readPrivateFile(file).trim() : null;
}

function loadRing(stateDir: string, environment: string): string {
  const file = ringFileOf(stateDir);
  createRingFile(file, createRing(generatePrivateKey(), new Date(), environment));
  readRingFile(file);
  return file;
}

/**
 * The keys of an embedded start: the configured keys, or the keys of the state directory, which it
 * creates. `keysFile` is undefined if the configuration names the signing keys.
 */
export function loadKeys(stateDir: string, config: Config) {
  const directory = join(stateDir, 'keys');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const isConfigured = config.JWT_KEYS_FILE !== undefined || config.JWT_SIGNING_KEY !== undefined;
  return {
    keysFile: isConfigured ? undefined : loadRing(stateDir, config.GATEWAY_ENVIRONMENT),
    secretsKey:
      config.SECRETS_KEY ?? loadSecret(secretsKeyFileOf(stateDir), randomBytes(32), 'base64'),
    postgresPassword: loadSecret(
      join(directory, 'postgres-password'),
      randomBytes(24),
      'base64url',
    ),
  };
}
