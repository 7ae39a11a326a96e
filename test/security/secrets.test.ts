import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { newClientId, newSecret, sameDigest, sha256 } from '../../security/secrets.ts';

test('a secret is its prefix and 256 random bits', () => {
  const secret = newSecret('vs');
  expect(secret).toMatch(/^vs_[\w-]{43}$/);
  expect(Buffer.from(secret.slice(3), 'base64url')).toHaveLength(32);
});

test('secrets and client ids are unique', () => {
  const made = Array.from({ length: 1000 }, () => [newSecret('vs'), newClientId()]).flat();
  expect(new Set(made).size).toBe(2000);
});

test('a client id is a prefix and 120 random bits', () => {
  expect(newClientId()).toMatch(/^vc_[\w-]{20}$/);
});

test('the digest is SHA-256 of the UTF-8 bytes', () => {
  expect(sha256('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
  expect(sha256('ü')).toEqual(
    createHash('sha256')
      .update(Buffer.from([0xc3, 0xbc]))
      .digest(),
  );
});

test('digests are equal only if every byte is; another length is no error', () => {
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
