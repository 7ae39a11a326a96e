import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer } from '../../security/sealer.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const sealer = createSealer(newKey());
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a secret sealed for an owner opens for that owner, with any characters', () => {
  for (const text of [secret, '', 'ünïcödé 😀', 'x'.repeat(10_000)]) {
    expect(sealer.open(sealer.seal(text, 'owner'), 'owner')).toBe(text);
  }
});

test('another sealer with the same key opens it', () => {
  const key = newKey();
  expect(createSealer(key).open(createSealer(key).seal(secret, 'owner'), 'owner')).toBe(secret);
});

test('it opens from a Uint8Array, as a database driver returns it', () => {
  expect(sealer.open(new Uint8Array(sealer.seal(secret, 'owner')), 'owner')).toBe(secret);
});

test('the layout is a nonce of 12 bytes, a tag of 16 bytes and the ciphertext', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(sealed).toHaveLength(12 + 16 + secret.length);
  expect(sealed.includes('whsec_')).toBe(false);
});

test('sealing a text twice yields different bytes', () => {
  const sealed = Array.from({ length: 200 }, () => sealer.seal(secret, 'owner').toString('hex'));
  expect(new Set(sealed).size).toBe(200);
  expect(new Set(sealed.map((hex) => hex.slice(0, 24))).size).toBe(200);
});

test('another key does not open it', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(() => createSealer(newKey()).open(sealed, 'owner')).toThrow();
});

test('it does not open for another owner, so that bytes cannot be moved to another row', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (const other of ['', 'owne', 'owner ', 'Owner'])
    expect(() => sealer.open(sealed, other)).toThrow();
});

test('a flipped bit in nonce, tag or ciphertext is refused', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    const at = Math.floor(bit / 8);
    altered[at] = (altered[at] ?? 0) ^ (1 << (bit % 8));
    expect(() => sealer.open(altered, 'owner')).toThrow();
  }
});

test('truncated or extended bytes are refused', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => sealer.open(sealed.subarray(0, length), 'owner')).toThrow();
  }
  expect(() => sealer.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'owner')).toThrow();
});

test('the error of a failed opening does not contain the secret', () => {
  const sealed = sealer.seal(secret, 'owner');
  let message = '';
  try {
    sealer.open(sealed, 'other');
  } catch (error) {
    message = String(error);
  }
  expect(message).not.toBe('');
  expect(message).not.toContain(secret);
});
