import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/**
 * A ring of AES-256-GCM keys, as an environment variable has it: 32 bytes in base64 each, separated
 * by commas. The first key encrypts, all of them decrypt.
 */

const nonceBytes = 12;
const tagBytes = 16;
/** The length of a key id. */
export const keyIdBytes = 8;

/** One key, with the id that every process derives from it. The id is not secret. */
export type CipherKey = { readonly id: string; readonly key: Buffer };
export type CipherRing = readonly [CipherKey, ...CipherKey[]];

/** A value was encrypted under a key that the ring does not have. The message says what to do. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  /** `keyId` is that of the missing key; null if the value does not name its key. */
  constructor(keyId: string | null, variable: string, what: string) {
    super(
      keyId === null
        ? `${what} does not open under a key of ${variable}: add the key that sealed it`
        : `${what} is sealed under the key ${keyId}: add that key to ${variable}`,
    );
  }
}

function cipherKey(base64: string): CipherKey {
  const key = Buffer.from(base64, 'base64');
  const digest = createHmac('sha256', key).update('vendor-gateway key id').digest('hex');
  return { id: digest.slice(0, 2 * keyIdBytes), key };
}

/** The keys of a variable, whose syntax the configuration has checked. */
export function parseCipherRing(text: string): CipherRing {
  const keys = text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
    .map(cipherKey);
  const [first, ...others] = keys;
  if (first === undefined) throw new Error('a key ring needs a key');
  return [first, ...others];
}

/** Encrypts bytes, and authenticates `context` with them. Layout: nonce, tag, ciphertext. */
export function encrypt({ key }: CipherKey, bytes: Uint8Array, context: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if the key, the context or the bytes differ from those of {@link encrypt}. */
export function decrypt({ key }: CipherKey, sealed: Buffer, context: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(context).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
