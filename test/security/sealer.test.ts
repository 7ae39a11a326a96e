import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer } from '../../security/sealer.ts';

const newKey = (): string => randomBytes(32).toString('base64');
const sealer = createSealer(newKey());
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('what was sealed for an owner opens for that owner, whatever the characters', () => {
  for (const text of [secret, '', 'ünïcödé 😀', 'x'.repeat(10_000)]) {
    expect(sealer.open(sealer.seal(text, 'owner'), 'owner')).toBe(text);
  }
});

test('another process with the same key opens it', () => {
  const key = newKey();
  expect(createSealer(key).open(createSealer(key).seal(secret, 'owner'), 'owner')).toBe(secret);
});

test('it opens as the plain bytes that a database driver answers', () => {
  expect(sealer.open(new Uint8Array(sealer.seal(secret, 'owner')), 'owner')).toBe(secret);
});

test('the layout is 12 bytes nonce, 16 bytes tag, ciphertext; the text does not show', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(sealed).toHaveLength(12 + 16 + secret.length);
  expect(sealed.includes('whsec_')).toBe(false);
});

test('the same text is never sealed to the same bytes', () => {
  const sealed = Array.from({ length: 200 }, () => sealer.seal(secret, 'owner').toString('hex'));
  expect(new Set(sealed).size).toBe(200);
  expect(new Set(sealed.map((hex) => hex.slice(0, 24))).size).toBe(200);
});

test('another key does not open it', () => {
  const sealed = sealer.seal(secret, 'owner');
  expect(() => createSealer(newKey()).open(sealed, 'owner')).toThrow();
});

test('it does not open for another owner: bytes cannot be moved to another row', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (const other of ['', 'owne', 'owner ', 'Owner'])
    expect(() => sealer.open(sealed, other)).toThrow();
});

test('not one flipped bit is accepted, in nonce, tag or ciphertext', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const altered = Buffer.from(sealed);
    const at = Math.floor(bit / 8);
    altered[at] = (altered[at] ?? 0) ^ (1 << (bit % 8));
    expect(() => sealer.open(altered, 'owner')).toThrow();
  }
});

test('cut or lengthened bytes are refused', () => {
  const sealed = sealer.seal(secret, 'owner');
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => sealer.open(sealed.subarray(0, length), 'owner')).toThrow();
  }
  expect(() => sealer.open(Buffer.concat([sealed, Buffer.alloc(1)]), 'owner')).toThrow();
});

test('the error of a failed opening does not tell the secret', () => {
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
