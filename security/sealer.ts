import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts secrets at rest. `owner` is authenticated with the ciphertext, so that a ciphertext
 * cannot be moved to another row.
 */
export type Sealer = {
  readonly seal: (text: string, owner: string) => Buffer;
  /** Throws if the key, the owner or the bytes differ from those of `seal`. */
  readonly open: (sealed: Uint8Array, owner: string) => string;
};

/** AES-256-GCM; `keyBase64` is 32 bytes. Layout: nonce, tag, ciphertext. */
export function createSealer(keyBase64: string): Sealer {
  const key = Buffer.from(keyBase64, 'base64');
  return {
    seal: (text, owner) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed);
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
