import {
  decrypt,
  encrypt,
  keyIdBytes,
  parseCipherRing,
  UnknownKeyError,
  type CipherKey,
} from './cipher-ring.ts';

/** Before the key id. A random nonce, with which a value without a key id begins, is not this. */
export const sealMagic = Buffer.from('vg-seal1');
/** The length of what precedes the nonce: the magic bytes and the key id. */
const headerBytes = sealMagic.length + keyIdBytes;

/**
 * Encrypts secrets at rest. `owner` is authenticated with the ciphertext, so that a ciphertext
 * cannot be moved to another row.
 */
export type Sealer = {
  /** Seals under the first key of the ring. */
  readonly seal: (text: string, owner: string) => Buffer;
  /**
   * Opens a value of any key of the ring. Throws {@link UnknownKeyError} if the ring does not have
   * the key, and another error if the owner or the bytes differ from those of `seal`.
   */
  readonly open: (sealed: Uint8Array, owner: string) => string;
  /** The ids of the keys, in the order of the ring. */
  readonly keyIds: readonly [string, ...string[]];
  /** How each value begins that the first key has sealed. */
  readonly header: Buffer;
};

const headerOf = ({ id }: CipherKey): Buffer => Buffer.concat([sealMagic, Buffer.from(id, 'hex')]);

/** The id of the key that sealed a value; null for a value from before values named their key. */
export function keyIdOf(sealed: Uint8Array): string | null {
  const bytes = Buffer.from(sealed);
  return bytes.subarray(0, sealMagic.length).equals(sealMagic)
    ? bytes.subarray(sealMagic.length, headerBytes).toString('hex')
    : null;
}

/**
 * A sealer with the keys of SECRETS_KEY: the first seals, all open. A sealed value is a header with
 * the id of its key, and what `encrypt` returns.
 */
export function createSealer(secretsKey: string): Sealer {
  const ring = parseCipherRing(secretsKey);
  const [first, ...others] = ring;
  const header = headerOf(first);
  return {
    keyIds: [first.id, ...others.map(({ id }) => id)],
    header,
    seal: (text, owner) => {
      const context = Buffer.concat([header, Buffer.from(owner)]);
      return Buffer.concat([header, encrypt(first, Buffer.from(text), context)]);
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed);
      const keyId = keyIdOf(bytes);
      if (keyId === null) return openUnnamed(ring, bytes, owner);
      const key = ring.find(({ id }) => id === keyId);
      if (key === undefined) throw new UnknownKeyError(keyId, 'SECRETS_KEY', 'the webhook secret');
      const context = Buffer.concat([bytes.subarray(0, headerBytes), Buffer.from(owner)]);
      return decrypt(key, bytes.subarray(headerBytes), context).toString('utf8');
    },
  };
}

/** Opens a value that does not name its key: only a trial tells which key sealed it. */
function openUnnamed(ring: readonly CipherKey[], bytes: Buffer, owner: string): string {
  for (const key of ring) {
    try {
      return decrypt(key, bytes, Buffer.from(owner)).toString('utf8');
    } catch {
      // Another key may have sealed it.
    }
  }
  throw new UnknownKeyError(null, 'SECRETS_KEY', 'the webhook secret');
}
