import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt, encrypt, parseCipherRing } from '../../security/cipher-ring.ts';

const context = Buffer.from('of a test');
const keyText = () => randomBytes(32).toString('base64');
const nonceAndTagBytes = 12 + 16;

test('a shortened tag is refused, at each length', () => {
  const [key] = parseCipherRing(keyText());
  const sealed = encrypt(key, Buffer.alloc(0), context);
  expect(sealed).toHaveLength(nonceAndTagBytes);
  expect(decrypt(key, sealed, context)).toHaveLength(0);
  for (let size = 0; size < nonceAndTagBytes; size += 1)
    expect(() => decrypt(key, sealed.subarray(0, size), context), String(size)).toThrow();
});

test('a ring is its keys in their order, without blanks', () => {
  const [one, two] = [keyText(), keyText()];
  expect(parseCipherRing(` ${one} ,, ${two},`)).toEqual(parseCipherRing(`${one},${two}`));
  const ids = parseCipherRing(`${one},${two}`).map(({ id }) => id);
  expect(ids).toEqual([...parseCipherRing(one), ...parseCipherRing(two)].map(({ id }) => id));
  expect(new Set(ids).size).toBe(2);
});

test('a ring without a key is refused', () => {
  for (const text of ['', ' , ']) expect(() => parseCipherRing(text)).toThrow('needs a key');
});
