import { open } from 'node:fs/promises';
import type { FastifyBaseLogger } from 'fastify';
import { parseRingOf } from '../../security/key-ring-file.ts';
import {
  acceptedKeys,
  fixedRing,
  rereadMs,
  signingKid,
  type KeyRing,
} from '../../security/key-ring.ts';

/** Where the keys of tokens come from: `ring` is asked at every use. */
export type KeySource = { readonly ring: () => KeyRing; readonly close: () => void };

type Reading = { readonly ring: KeyRing; readonly stamp: string };

/** Reads a ring's file, or answers null when it is the one that was read before. */
async function readWhenNew(file: string, seen: string | null): Promise<Reading | null> {
  const handle = await open(file, 'r');
  try {
    // Of the very file that is read: another may take its name meanwhile.
    const { ino, size, mtimeMs } = await handle.stat();
    const stamp = `${ino} ${size} ${mtimeMs}`;
    return stamp === seen
      ? null
      : { stamp, ring: parseRingOf(file, await handle.readFile('utf8')) };
  } finally {
    await handle.close();
  }
}

/** Names of keys only: what is logged about a ring. */
function factsOf(ring: KeyRing) {
  const nowMs = Date.now();
  return {
    signing: signingKid(ring, nowMs),
    accepted: acceptedKeys(ring, nowMs).map(({ kid }) => kid),
  };
}

/**
 * The keys of a ring's file, which is read again every two seconds. While it cannot be read, the keys of before stay. Throws
 * when it cannot be read at first.
 */
export async function followKeyRing(
  file: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  everyMs = rereadMs,
): Promise<KeySource> {
  const first = await readWhenNew(file, null);
  if (first === null) throw new Error('a ring was read and is not there');
  let latest: Reading = first;
  let failure: string | null = null;
  let isReading = false;
  const readAgain = async (): Promise<void> => {
    try {
      const reading = await readWhenNew(file, latest.stamp);
      failure = null;
      if (reading === null) return;
      latest = reading;
      log.info({ file, ...factsOf(latest.ring) }, 'signing keys have changed');
    } catch (error) {
      // Told once, not every two seconds.
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== failure)
        log.warn({ err: error, file }, 'signing keys cannot be read: those of before stay');
      failure = reason;
    }
  };
  const timer = setInterval(() => {
    // A file system that hangs is asked once.
    if (isReading) return;
    isReading = true;
    void readAgain().finally(() => {
      isReading = false;
    });
  }, everyMs).unref();
  return { ring: () => latest.ring, close: () => clearInterval(timer) };
}

/** Keys that are in the configuration and stay as they are. */
export function fixedKeySource(keys: Parameters<typeof fixedRing>[0]): KeySource {
  const ring = fixedRing(keys);
  return { ring: () => ring, close: () => undefined };
}
