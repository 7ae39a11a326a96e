import { readFile } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { exitUnusable, type ConfigWith } from '../../process/config.ts';
import { parseRing } from '../../security/key-ring-json.ts';
import {
  acceptedKeys,
  currentSigningKey,
  fixedRing,
  isKeyRingProblem,
  missingRingText,
  refreshIntervalMs,
  requireRingOf,
  type KeyRing,
} from '../../security/key-ring.ts';

/** The current key ring. `ring` returns the same object until the ring changes. */
export type KeySource = { readonly ring: () => KeyRing; readonly close: () => void };

/** A ring for the log, without key material. */
function loggedKids(ring: KeyRing) {
  const now = new Date();
  return {
    signing: currentSigningKey(ring, now).kid,
    accepted: acceptedKeys(ring, now).map(({ kid }) => kid),
  };
}

/**
 * Reads a key ring file again every `intervalMs`. If that fails, the last valid ring stays in use.
 * Throws if the first read fails, or for the ring of another environment.
 */
export async function watchKeyRing(
  file: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  intervalMs = refreshIntervalMs,
  environment: Environment = 'Production',
): Promise<KeySource> {
  const parse = (content: string) => requireRingOf(parseRing(file, content), environment, file);
  let text = await readFile(file, 'utf8');
  let ring = parse(text);
  let failure: string | null = null;
  let isReading = false;
  const refresh = async (): Promise<void> => {
    try {
      const latest = await readFile(file, 'utf8');
      if (latest !== text) {
        ring = parse(latest);
        text = latest;
        log.info({ file, ...loggedKids(ring) }, 'signing keys have changed');
      }
      failure = null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // Each reason is logged once, not every two seconds.
      if (reason !== failure)
        log.warn({ err: error, file }, 'signing keys cannot be read, the last ones are used');
      failure = reason;
    }
  };
  const timer = setInterval(() => {
    // A file system that hangs gets no second read.
    if (isReading) return;
    isReading = true;
    void refresh().finally(() => {
      isReading = false;
    });
  }, intervalMs).unref();
  return { ring: () => ring, close: () => clearInterval(timer) };
}

/** The keys of the configuration. If the key ring cannot be read, prints the reason and exits 1. */
export async function openKeysOrExit(
  config: ConfigWith<'JWT_KEYS'>,
  log: FastifyBaseLogger,
): Promise<KeySource> {
  if (config.JWT_KEYS_FILE === undefined) {
    const ring = fixedRing({
      signingKey: config.JWT_SIGNING_KEY,
      previousKey: config.JWT_PREVIOUS_KEY,
    });
    return { ring: () => ring, close: () => undefined };
  }
  try {
    return await watchKeyRing(
      config.JWT_KEYS_FILE,
      log,
      refreshIntervalMs,
      config.GATEWAY_ENVIRONMENT,
    );
  } catch (error) {
    if (!isKeyRingProblem(error)) throw error;
    const isMissing = 'code' in error && error.code === 'ENOENT';
    const reason = isMissing ? missingRingText(config.JWT_KEYS_FILE) : error.message;
    exitUnusable('JWT_KEYS_FILE', reason);
  }
}
