import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/**
 * The keys that sign tokens (D10), and the rules by which one follows the other: a new key is accepted and published
 * before anybody signs with it, and the old one is accepted until its last token has expired.
 */

/** One key; instants are milliseconds since 1970. */
export type RingKey = {
  /** The key's name: the start of its own digest, so that every process names it alike. */
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** PKCS #8 PEM; null: its tokens are accepted, and it signs none. */
  readonly privateKey: string | null;
  readonly createdAtMs: number;
  readonly signsFromMs: number;
  /** Null: until another key follows it. */
  readonly acceptedUntilMs: number | null;
};
/** The keys of an instant, the older one first. */
export type KeyRing = readonly RingKey[];

/** A key that is kept in a file, so with its private half. */
export type KeptKey = RingKey & { readonly privateKey: string };
export type KeptRing = readonly KeptKey[];

/** Thrown when keys cannot be used, read or changed; the message is for people and holds nothing of a key. */
export class KeyRingError extends Error {
  override readonly name = 'KeyRingError';
}

/** How often a process reads its ring again. */
export const rereadMs = 2000;
/** How long readers of the published keys may keep what they read. */
export const publishedKeysSeconds = 10;
/** From the making of a key until it signs: every process has read the ring again, every reader the published keys. */
export const leadSecondsDefault = 15;
/** Two readings, so that one may fail. Readers that keep the published keys may not know the new one yet. */
export const leadSecondsMin = 4;

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

export const kidOf = (publicKey: KeyObject): string =>
  createHash('sha256').update(pemOf(publicKey)).digest('base64url').slice(0, 16);

export const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The public half of a key. Throws {@link KeyRingError} when it is no Ed25519 key. */
function publicKeyOf(load: () => KeyObject): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = load();
  } catch {
    // The reason quotes what it was given.
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw new KeyRingError('not an Ed25519 key');
  return key;
}

/** A key by its private PEM. Throws {@link KeyRingError} when it is none of Ed25519. */
export function keptKey(
  privateKey: string,
  times: Pick<RingKey, 'createdAtMs' | 'signsFromMs' | 'acceptedUntilMs'>,
): KeptKey {
  const publicKey = publicKeyOf(() => createPublicKey(createPrivateKey(privateKey)));
  return { kid: kidOf(publicKey), publicKey, privateKey, ...times };
}

/** A ring of one key, which signs from now on. */
export const firstRing = (privateKey: string, nowMs: number): KeptRing => [
  keptKey(privateKey, { createdAtMs: nowMs, signsFromMs: nowMs, acceptedUntilMs: null }),
];

/** Keys that stay as they are while a process lives: one signs, those of `previousKey` (either PEM) are accepted too. */
export function fixedRing(keys: {
  readonly signingKey: string;
  readonly previousKey?: string | undefined;
}): KeyRing {
  const always = { createdAtMs: 0, signsFromMs: 0, acceptedUntilMs: null };
  const signing = keptKey(keys.signingKey, always);
  const { previousKey } = keys;
  if (previousKey === undefined) return [signing];
  const publicKey = publicKeyOf(() => createPublicKey(previousKey));
  const kid = kidOf(publicKey);
  return kid === signing.kid
    ? [signing]
    : [{ ...always, kid, publicKey, privateKey: null }, signing];
}

/** Whether tokens of a key are good at an instant. */
export const isAccepted = (
  { acceptedUntilMs }: Pick<RingKey, 'acceptedUntilMs'>,
  nowMs: number,
): boolean => acceptedUntilMs === null || acceptedUntilMs > nowMs;

export const acceptedKeys = <TKey extends RingKey>(
  ring: readonly TKey[],
  nowMs: number,
): readonly TKey[] => ring.filter((key) => isAccepted(key, nowMs));

/** The newest key that signs by now; where a clock is behind that of the first key's maker, that first key. */
export function signingKid(ring: KeyRing, nowMs: number): string {
  const able = ring.filter(({ privateKey }) => privateKey !== null);
  const key = able.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? able[0];
  if (key === undefined) throw new KeyRingError('no key signs');
  return key.kid;
}

/** Until when another key may not follow, because two are accepted as it is; null when it may. */
export function busyUntilMs(ring: KeyRing, nowMs: number): number | null {
  const [older, ...newer] = acceptedKeys(ring, nowMs);
  return newer.length === 0 ? null : (older?.acceptedUntilMs ?? null);
}

/** The ring in which a new key follows: it signs after `leadMs`, and the tokens of the old one live their whole lives. */
export function rotated(
  ring: KeptRing,
  privateKey: string,
  { nowMs, leadMs, tokenLifeMs }: { nowMs: number; leadMs: number; tokenLifeMs: number },
): KeptRing {
  if (busyUntilMs(ring, nowMs) !== null) throw new KeyRingError('two keys are accepted already');
  if (ring.some(({ createdAtMs, signsFromMs }) => Math.max(createdAtMs, signsFromMs) > nowMs)) {
    throw new KeyRingError('by the clock of this machine, the last key is of a time to come');
  }
  const signsFromMs = nowMs + leadMs;
  const old = acceptedKeys(ring, nowMs).map((key) => ({
    ...key,
    acceptedUntilMs: signsFromMs + tokenLifeMs,
  }));
  return [...old, keptKey(privateKey, { createdAtMs: nowMs, signsFromMs, acceptedUntilMs: null })];
}
