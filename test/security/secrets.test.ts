import { expect, test } from 'vitest';
import { newCredential, newSecret, sameDigest, sha256 } from '../../security/secrets.ts';

test('makes secrets of a prefix and 256 random bits, client ids of a prefix and 120', () => {
  const secret = newSecret('vs');
  expect(secret).toMatch(/^vs_[\w-]{43}$/);
  expect(Buffer.from(secret.slice(3), 'base64url')).toHaveLength(32);
  const made = Array.from({ length: 1000 }, () => newCredential(new Date()));
  for (const { clientId } of made) expect(clientId).toMatch(/^vc_[\w-]{20}$/);
  expect(new Set(made.flatMap((each) => [each.clientSecret, each.clientId])).size).toBe(2000);
});

test('makes a credential that expires after 365 days, with the digest of its secret', () => {
  const made = newCredential(new Date('2027-03-01T10:00:00.000Z'));
  expect(made.expiresAt.toISOString()).toBe('2028-02-29T10:00:00.000Z');
  expect(made.secretSha256).toEqual(sha256(made.clientSecret));
  expect(made).toMatchObject({
    clientSecret: expect.stringMatching(/^vs_/),
    clientId: expect.stringMatching(/^vc_/),
  });
});

test('digests the UTF-8 bytes by SHA-256', () => {
  expect(sha256('ü').toString('hex')).toBe(
    '607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f',
  );
});

test('compares digests by every byte, and returns false for another length', () => {
  const digest = sha256('secret');
  expect(sameDigest(digest, sha256('secret'))).toBe(true);
  for (let index = 0; index < digest.length; index += 1) {
    const other = Buffer.from(digest);
    other[index] = (digest[index] ?? 0) ^ 1;
    expect(sameDigest(digest, other)).toBe(false);
  }
  expect(sameDigest(digest, digest.subarray(0, 31))).toBe(false);
  expect(sameDigest(digest, Buffer.alloc(0))).toBe(false);
});
