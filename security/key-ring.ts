import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { ExposedFileError } from './private-file.ts';

/**
 * The key ring that signs tokens and its rotation. A new key is accepted and published before it
 * signs. The old key is accepted until the last token that it signed has expired.
 */

/** One Ed25519 key. The file of a ring has the same fields without `publicKey`. */
export type RingKey = {
  /** The start of the public key's SHA-256 digest, so that every process derives the same `kid`. */
  readonly kid: string;
  /** PKCS #8 PEM; null for a key that only verifies. */
  readonly privateKey: string | null;
  readonly publicKey: KeyObject;
  readonly createdAt: Date;
  readonly signsFrom: Date;
  /** Null until another key replaces this one. */
  readonly acceptedUntil: Date | null;
  /** The environment whose tokens it signs; null in a ring of an earlier version. */
  readonly environment: string | null;
};
/** One key, or two while they rotate; the older key is first. */
export type KeyRing = readonly RingKey[];

/** Keys that cannot be used, read or changed. The message is for people and contains no key. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}
/** An invalid key ring or an error of the file system: a message for people, no stack trace. */
export const isKeyRingProblem = (error: unknown): error is Error =>
  error instanceof KeyRingError ||
  error instanceof ExposedFileError ||
  (error instanceof Error && 'syscall' in error);

/** What to run where the file of a key ring is missing. */
export const missingRingText = (file: string): string =>
  `There is no key ring ${file}. Create it once: npm run keys -- create ${file}\n` +
  `With docker compose: docker compose run --rm keys create ${file}`;

/** How often an API process reads the key ring. */
export const refreshIntervalMs = 2000;
/** How long clients may cache the published keys. */
export const jwksMaxAgeSeconds = 10;
/** From the creation of a key until it signs: a refresh, a cache lifetime and a margin. */
export const leadSecondsDefault = 15;
/** Two refreshes, so that one may fail. A client with cached keys may not know the new key. */
export const leadSecondsMin = 4;

export const generatePrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

function ed25519PublicKey(pem: string, canSign: boolean): KeyObject {
  try {
    const key = createPublicKey(canSign ? createPrivateKey(pem) : pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The error of node:crypto may quote the PEM.
  }
  throw new KeyRingError('not an Ed25519 key');
}

type KeyFacts = Pick<RingKey, 'createdAt' | 'signsFrom' | 'acceptedUntil'> &
  Partial<Pick<RingKey, 'environment'>>;

/** A key from its PEM, which must be private if the key signs. Throws {@link KeyRingError}. */
export function createKey(pem: string, facts: KeyFacts, canSign = true): RingKey {
  const publicKey = ed25519PublicKey(pem, canSign);
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' });
  const kid = createHash('sha256').update(publicPem).digest('base64url').slice(0, 16);
  return { kid, privateKey: canSign ? pem : null, publicKey, environment: null, ...facts };
}

/** A ring of one key, which signs from `now` on. */
export const createRing = (
  privateKey: string,
  now: Date,
  environment: string | null = null,
): KeyRing => [
  createKey(privateKey, { createdAt: now, signsFrom: now, acceptedUntil: null, environment }),
];

/** Throws {@link KeyRingError} for the ring of another environment; the message names both. */
export function requireRingOf(ring: KeyRing, environment: string, file: string): KeyRing {
  const other = ring.find((key) => key.environment !== null && key.environment !== environment);
  if (other === undefined) return ring;
  throw new KeyRingError(
    `${file} is the key ring of a ${other.environment} installation, and GATEWAY_ENVIRONMENT is ` +
      `${environment}. Create a key ring for this installation: npm run keys -- create FILE`,
  );
}

/** The keys of the configuration: `signingKey` signs, `previousKey` (either PEM) only verifies. */
export function fixedRing(keys: {
  readonly signingKey: string;
  readonly previousKey?: string | undefined;
}): KeyRing {
  const facts = { createdAt: new Date(0), signsFrom: new Date(0), acceptedUntil: null };
  const signing = createKey(keys.signingKey, facts);
  if (keys.previousKey === undefined) return [signing];
  const previous = createKey(keys.previousKey, facts, false);
  return previous.kid === signing.kid ? [signing] : [previous, signing];
}

/** Whether tokens of a key are accepted at an instant in Unix milliseconds. */
export const isAccepted = ({ acceptedUntil }: RingKey, nowMs: number): boolean =>
  acceptedUntil === null || acceptedUntil.getTime() > nowMs;

/** The keys whose tokens are accepted. */
export const acceptedKeys = <K extends RingKey>(ring: readonly K[], now: Date): readonly K[] =>
  ring.filter((key) => isAccepted(key, now.getTime()));

/** The newest key that may sign. If the clock is behind, so that none may, the first key. */
export function currentSigningKey<K extends RingKey>(ring: readonly K[], now: Date): K {
  const signers = ring.filter(({ privateKey }) => privateKey !== null);
  const key = signers.findLast(({ signsFrom }) => signsFrom <= now) ?? signers[0];
  if (key === undefined) throw new KeyRingError('the key ring has no private key');
  return key;
}

type RotationOptions = {
  readonly now: Date;
  readonly leadMs: number;
  readonly tokenLifeMs: number;
  readonly environment?: string | null;
};

/** Adds a key that signs after `leadMs`. The old key is accepted for `tokenLifeMs` after that. */
export function rotateRing(
  ring: KeyRing,
  privateKey: string,
  { now, leadMs, tokenLifeMs, environment = null }: RotationOptions,
): KeyRing {
  const accepted = acceptedKeys(ring, now);
  const busyUntil = accepted.length > 1 ? accepted[0]?.acceptedUntil : null;
  if (busyUntil) {
    throw new KeyRingError(
      `A rotation is under way until ${busyUntil.toISOString()}. Rotate again after that.\n` +
        'If a key has leaked, use --revoke: it ends all earlier keys at once.',
    );
  }
  if (ring.some(({ createdAt, signsFrom }) => createdAt > now || signsFrom > now)) {
    throw new KeyRingError(
      'The clock of this machine is behind the last rotation. Set the clock first.',
    );
  }
  const signsFrom = new Date(now.getTime() + leadMs);
  const acceptedUntil = new Date(signsFrom.getTime() + tokenLifeMs);
  return [
    ...accepted.map((key) => ({ ...key, acceptedUntil })),
    createKey(privateKey, { createdAt: now, signsFrom, acceptedUntil: null, environment }),
  ];
}

/** The keys of the configuration have no times. */
const timeText = (time: Date | null): string => (time?.getTime() ? time.toISOString() : '-');

/** One line for each key, for people: its name, state and times, but no key material. */
export function describeRing(ring: KeyRing, now: Date): string {
  const accepted = acceptedKeys(ring, now);
  const signing = currentSigningKey(ring, now);
  const lines = ring.map((key) => {
    const state = key === signing ? 'signs' : accepted.includes(key) ? 'accepted' : 'expired';
    const [created, from, until] = [key.createdAt, key.signsFrom, key.acceptedUntil].map(timeText);
    const times = `created ${created}, signs from ${from}, accepted until ${until}`;
    return `${key.kid}  ${state.padEnd(8)}  ${times}`;
  });
  return lines.join('\n');
}
