import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const keyIdBytes = 8;

/** Before the key id. A random nonce, with which a value without a key id begins, is not this. */
export const sealMagic = Buffer.from('vg-seal1');
/** The length of what precedes the nonce: the magic bytes and the key id. */
const headerBytes = sealMagic.length + keyIdBytes;

/** One key, with the id that every process derives from it. The id is not secret. */
type CipherKey = { readonly id: string; readonly key: Buffer };

/** A value was sealed under a key that SECRETS_KEY does not have. The message says what to do. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  /** `keyId` names the missing key; null if the value does not name its key. */
  constructor(keyId: string | null) {
    super(
      keyId === null
        ? 'the webhook secret does not open under a key of SECRETS_KEY: add the key that sealed it'
        : `the webhook secret is sealed under the key ${keyId}: add that key to SECRETS_KEY`,
    );
  }
}

function cipherKey(base64: string): CipherKey {
  const key = Buffer.from(base64, 'base64');
  const digest = createHmac('sha256', key).update('vendor-gateway key id').digest('hex');
  return { id: digest.slice(0, 2 * keyIdBytes), key };
}

/** Encrypts bytes, and authenticates `context` with them. Layout: nonce, tag, ciphertext. */
function encrypt({ key }: CipherKey, bytes: Uint8Array, context: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if the key, the context or the bytes differ from what {@link encrypt} had. */
function decrypt({ key }: CipherKey, sealed: Buffer, context: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceBytes);
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(context).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]);
}

/** The id of the key that sealed a value; null for a value from before values named their key. */
export function keyIdOf(sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed);
  return bytes.subarray(0, sealMagic.length).equals(sealMagic)
    ? bytes.subarray(sealMagic.length, headerBytes).toString('hex')
    : null;
}

/**
 * Encrypts secrets at rest with the AES-256-GCM keys of SECRETS_KEY, whose syntax the configuration
 * has checked: 32 bytes in base64 each, separated by commas. The first key seals, all open. A
 * sealed value is a header with the id of its key, and what `encrypt` returns. `owner` is
 * authenticated with it, so that a sealed value cannot be moved to another row.
 */
export function createSealer(secretsKey: string) {
  const texts = secretsKey.split(',').map((text) => text.trim());
  const ring = texts.filter((text) => text !== '').map(cipherKey);
  const [first, ...others] = ring;
  if (first === undefined) throw new Error('a key ring needs a key');
  const header = Buffer.concat([sealMagic, Buffer.from(first.id, 'hex')]);
  return {
    /** The ids of the keys, in the order of the ring. */
    keyIds: [first.id, ...others.map(({ id }) => id)] as const,
    /** How each value begins that the first key has sealed. */
    header,
    /** Seals under the first key of the ring. */
    seal: (text: string, owner: string): Buffer => {
      const context = Buffer.concat([header, Buffer.from(owner)]);
      return Buffer.concat([header, encrypt(first, Buffer.from(text), context)]);
    },
    /**
     * Opens a value of any key of the ring. Throws {@link UnknownKeyError} if the ring does not
     * have the key, and another error if the owner or the bytes differ from what `seal` got and
     * returned.
     */
    open: (sealed: Uint8Array, owner: string): string => {
      const bytes = Buffer.from(sealed);
      const keyId = keyIdOf(bytes);
      if (keyId === null) return openUnnamed(ring, bytes, owner);
      const key = ring.find(({ id }) => id === keyId);
      if (key === undefined) throw new UnknownKeyError(keyId);
      const context = Buffer.concat([bytes.subarray(0, headerBytes), Buffer.from(owner)]);
      return decrypt(key, bytes.subarray(headerBytes), context).toString('utf8');
    },
  };
}

export type Sealer = ReturnType<typeof createSealer>;

/** Opens a value that does not name its key: only a trial tells which key sealed it. */
function openUnnamed(ring: readonly CipherKey[], bytes: Buffer, owner: string): string {
  for (const key of ring) {
    try {
      return decrypt(key, bytes, Buffer.from(owner)).toString('utf8');
    } catch {
      // Another key may have sealed it.
    }
  }
  throw new UnknownKeyError(null);
}
