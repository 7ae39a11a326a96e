import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits behind a readable prefix (D11); shown once, stored as SHA-256 only. */
export const newSecret = (prefix: string): string =>
  `${prefix}_${randomBytes(32).toString('base64url')}`;

/** A public identifier of a credential: not a secret, but not guessable either. */
export const newClientId = (): string => `vc_${randomBytes(15).toString('base64url')}`;

/** A plain digest is enough: the secret has 256 bits, so there is nothing to stretch. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

/** Constant-time comparison of two SHA-256 digests. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

/** Compared against when there is no such client or operator, so that both ways do the same work (D11). */
export const noDigest = sha256('');
