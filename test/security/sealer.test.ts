import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { UnknownKeyError } from '../../security/cipher-ring.ts';
import { createSealer, keyIdOf } from '../../security/sealer.ts';
import { sealWithoutKeyId } from '../support/seeds/sealed-secrets.ts';

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

test('the layout is a header with the key id, a nonce, a tag and the ciphertext', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(sealed).toHaveLength(8 + 8 + 12 + 16 + secret.length);
  expect(sealed.subarray(0, 8).toString()).toBe('vg-seal1');
  expect(sealed.subarray(8, 16).toString('hex')).toBe(sealer.keyIds[0]);
  expect(sealed.subarray(0, 16)).toEqual(sealer.header);
  expect(sealed.includes('whsec_')).toBe(false);
});

test('sealing a text twice yields different bytes', () => {
  const sealed = Array.from({ length: 200 }, () => sealer.seal(secret, 'owner').toString('hex'));
  expect(new Set(sealed).size).toBe(200);
  expect(new Set(sealed.map((hex) => hex.slice(32, 56))).size).toBe(200);
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

test('a flipped bit in header, nonce, tag or ciphertext is refused', () => {
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

test('the first key of a ring seals, and every key of it opens', () => {
  const [older, newer, newest] = [newKey(), newKey(), newKey()];
  const ring = createSealer(`${newest},${newer} , ${older}`);
  expect(ring.keyIds).toHaveLength(3);
  expect(createSealer(newest).open(ring.seal(secret, 'owner'), 'owner')).toBe(secret);
  for (const key of [older, newer, newest]) {
    const sealed = createSealer(key).seal(secret, 'owner');
    expect(ring.open(sealed, 'owner')).toBe(secret);
    expect(ring.keyIds).toContain(keyIdOf(sealed));
  }
});

test('a value from before key ids opens under any key of the ring, and names none', () => {
  const [old, other] = [newKey(), newKey()];
  const sealed = sealWithoutKeyId(old, secret, 'owner');
  expect(keyIdOf(sealed)).toBeNull();
  expect(createSealer(old).open(sealed, 'owner')).toBe(secret);
  expect(createSealer(`${other},${old}`).open(sealed, 'owner')).toBe(secret);
  expect(() => createSealer(other).open(sealed, 'owner')).toThrow(UnknownKeyError);
  expect(() => createSealer(old).open(sealed, 'another')).toThrow();
});

test('a missing key is named, with what to do, and without key or secret', () => {
  const key = newKey();
  const sealed = createSealer(key).seal(secret, 'owner');
  let message = '';
  try {
    sealer.open(sealed, 'owner');
  } catch (error) {
    expect(error).toBeInstanceOf(UnknownKeyError);
    message = String(error);
  }
  expect(message).toContain(`the key ${keyIdOf(sealed)}: add that key to SECRETS_KEY`);
  expect(message).not.toContain(key);
});
