import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits with a prefix. It is shown once and stored as SHA-256. */
export const newSecret = (prefix: string): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`;

/** A plain digest is enough: a secret of 256 random bits needs no key stretching. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Constant-time comparison of two SHA-256 digests. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

/** Compared for an unknown client or operator, so that both cases take the same time. */
export const noDigest = sha256('');

const lifetimeDays = 365;

/** The generated parts of a credential, which expires after 365 days. */
export function newCredential(now: Date) {
  const clientSecret = newSecret('vs');
  return {
    // Not secret, but not guessable.
    clientId: `vc_${randomBytes(15).toString('base64url')}`,
    clientSecret,
    secretSha256: sha256(clientSecret),
    expiresAt: new Date(now.getTime() + lifetimeDays * 24 * 3_600_000),
  };
}
