import type { FastifyBaseLogger } from 'fastify';
import type { ConfigWith } from '../../config.ts';
import { KeyRingError } from '../../security/key-ring.ts';
import { fixedKeySource, followKeyRing, type KeySource } from './key-source.ts';

/** The keys of the API process. Without any it does not start: it says why and exits 1. */
export async function openKeysOrExit(
  config: ConfigWith<'JWT_KEYS'>,
  log: FastifyBaseLogger,
): Promise<KeySource> {
  if (config.JWT_KEYS_FILE === undefined) {
    return fixedKeySource({
      signingKey: config.JWT_SIGNING_KEY,
      previousKey: config.JWT_PREVIOUS_KEY,
    });
  }
  try {
    return await followKeyRing(config.JWT_KEYS_FILE, log);
  } catch (error) {
    const isExpected = error instanceof KeyRingError || (error instanceof Error && 'code' in error);
    if (!isExpected) throw error;
    console.error(`The configuration cannot be used:\n  JWT_KEYS_FILE: ${error.message}`);
    process.exit(1);
  }
}
