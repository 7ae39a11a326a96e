import { expect, test } from 'vitest';
import { createSealer, keyIdOf, UnknownKeyError } from '../../security/sealer.ts';
import { newSecretsKey, sealWithoutKeyId } from '../support/seeds/sealed-secrets.ts';

const sealer = createSealer(newSecretsKey());
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const errorOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test('opens a secret for the owner that it was sealed for, with any characters', () => {
  for (const text of [secret, '', 'ünïcödé 😀', 'x'.repeat(10_000)]) {
    const sealed = sealer.seal(text, 'owner');
    expect(sealer.open(sealed, 'owner')).toBe(text);
    // As a database driver returns it.
    expect(sealer.open(new Uint8Array(sealed), 'owner')).toBe(text);
  }
});

test('writes a header with the key id, a nonce, a tag and the ciphertext', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(sealed).toHaveLength(8 + 8 + 12 + 16 + secret.length);
  expect(sealed.subarray(0, 8).toString()).toBe('vg-seal1');
  expect(sealed.subarray(8, 16).toString('hex')).toBe(sealer.keyIds[0]);
  expect(sealed.subarray(0, 16)).toEqual(sealer.header);
  expect(sealed.includes('whsec_')).toBe(false);
});

test('seals a text with another nonce each time', () => {
  const sealed = Array.from({ length: 200 }, () => sealer.seal(secret, 'owner').toString('hex'));
  expect(new Set(sealed.map((hex) => hex.slice(32, 56))).size).toBe(200);
});

test('opens for no other owner, so that bytes cannot be moved to another row', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (const other of ['', 'owne', 'owner ', 'Owner']) {
    const error = errorOf(() => sealer.open(sealed, other));
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain(secret);
  }
});

test('refuses flipped bits, and truncated or extended bytes', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    const at = Math.floor(bit / 8);
    altered[at] = (altered[at] ?? 0) ^ (1 << (bit % 8));
    expect(() => sealer.open(altered, 'owner')).toThrow();
  }
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => sealer.open(sealed.subarray(0, length), 'owner')).toThrow();
  expect(() => sealer.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'owner')).toThrow();
});

test('refuses a shortened tag, at each length', () => {
  const sealed = sealer.seal('', 'owner');
  for (let size = 0; size < sealed.length; size += 1)
    expect(() => sealer.open(sealed.subarray(0, size), 'owner'), String(size)).toThrow();
});

test('reads the keys of a ring in their order, without blanks', () => {
  const [one, two] = [newSecretsKey(), newSecretsKey()];
  const { keyIds } = createSealer(` ${one} ,, ${two},`);
  expect(keyIds).toEqual([...createSealer(one).keyIds, ...createSealer(two).keyIds]);
  expect(new Set(keyIds).size).toBe(2);
  for (const text of ['', ' , ']) expect(() => createSealer(text)).toThrow('needs a key');
});

test('seals by the first key of a ring', () => {
  const keys = [newSecretsKey(), newSecretsKey(), newSecretsKey()];
  const ring = createSealer(keys.join(','));
  const [first = ''] = keys;
  expect(createSealer(first).open(ring.seal(secret, 'owner'), 'owner')).toBe(secret);
});

test('opens by every key of a ring', () => {
  const keys = [newSecretsKey(), newSecretsKey(), newSecretsKey()];
  const ring = createSealer(keys.join(','));
  expect(ring.keyIds).toHaveLength(3);
  for (const key of keys) {
    const sealed = createSealer(key).seal(secret, 'owner');
    expect(ring.open(sealed, 'owner')).toBe(secret);
    expect(ring.keyIds).toContain(keyIdOf(sealed));
  }
});

test('opens a value without a key id by any key of the ring', () => {
  const [old, other] = [newSecretsKey(), newSecretsKey()];
  const sealed = sealWithoutKeyId(old, secret, 'owner');
  expect(keyIdOf(sealed)).toBeNull();
  expect(createSealer(`${other},${old}`).open(sealed, 'owner')).toBe(secret);
  expect(() => createSealer(other).open(sealed, 'owner')).toThrow(UnknownKeyError);
  expect(() => createSealer(old).open(sealed, 'another')).toThrow();
});

test('names a missing key and what to do, without key or secret', () => {
  const key = newSecretsKey();
  const sealed = createSealer(key).seal(secret, 'owner');
  const error = errorOf(() => sealer.open(sealed, 'owner'));
  expect(error).toBeInstanceOf(UnknownKeyError);
  expect(String(error)).toContain(`the key ${keyIdOf(sealed)}: add that key to SECRETS_KEY`);
  expect(String(error)).not.toContain(key);
});
