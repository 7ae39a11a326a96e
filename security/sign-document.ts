import { sign } from 'node:crypto';
import { currentSigningKey, type KeyRing } from './key-ring.ts';

const encoded = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs a document as a flattened JWS in JSON (RFC 7515, 7.2.2), with the key that signs tokens, so
 * that the published JWKS verifies it until the key is rotated. `typ` keeps it from being taken for
 * a token.
 */
export function signDocument(document: unknown, typ: string, ring: KeyRing) {
  const { kid, privateKey } = currentSigningKey(ring, new Date());
  if (privateKey === null) throw new Error('a key without its private half cannot sign');
  const header = encoded({ alg: 'EdDSA', kid, typ });
  const payload = encoded(document);
  const signature = sign(null, Buffer.from(`${header}.${payload}`), privateKey);
  return { payload, protected: header, signature: signature.toString('base64url') };
}

export type SignedDocument = ReturnType<typeof signDocument>;
