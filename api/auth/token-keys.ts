import { createSigner, createVerifier } from 'fast-jwt';
import {
  acceptedKeys,
  currentSigningKey,
  isAccepted,
  type KeyRing,
  type RingKey,
} from '../../security/key-ring.ts';

/** Lifetime of a vendor's token (part 8). */
export const vendorTokenSeconds = 300;
export const operatorTokenSeconds = 900;

/** The largest difference between the clocks of two API processes. A later `iat` is invalid. */
export const clockSkewSeconds = 30;
/** How long a key is accepted after another key signs: until its last token has expired. */
export const tokenLifeMsMax = (operatorTokenSeconds + clockSkewSeconds) * 1000;

/** Accepts EdDSA, this key, this issuer and the two audiences only. */
const createKeyVerifier = ({ publicKey }: RingKey, issuer: string): ((token: string) => unknown) =>
  createVerifier({
    key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    algorithms: ['EdDSA'],
    allowedIss: issuer,
    allowedAud: ['vendor-api', 'operator-api'],
    checkTyp: 'at+jwt',
    requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti'],
  });

function createSigners({ kid, privateKey }: RingKey, issuer: string) {
  if (privateKey === null) return null;
  const header = { alg: 'EdDSA', typ: 'at+jwt' };
  const common = { key: privateKey, algorithm: 'EdDSA', kid, header, iss: issuer } as const;
  const signer = (aud: string, seconds: number) =>
    createSigner({ ...common, aud, expiresIn: seconds * 1000 });
  return {
    signVendor: signer('vendor-api', vendorTokenSeconds),
    signOperator: signer('operator-api', operatorTokenSeconds),
  };
}

const createTokenKey = (key: RingKey, issuer: string) => ({
  ...key,
  /** Throws the TokenError of fast-jwt. */
  verify: createKeyVerifier(key, issuer),
  signers: createSigners(key, issuer),
  jwk: { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'EdDSA', use: 'sig' },
});

/** The keys of the current ring, which may change at any time, with signers and verifiers. */
export function createTokenKeys(issuer: string, currentRing: () => KeyRing) {
  let ring: KeyRing = [];
  let keys: readonly ReturnType<typeof createTokenKey>[] = [];
  const currentKeys = () => {
    const latest = currentRing();
    if (latest !== ring) keys = latest.map((key) => createTokenKey(key, issuer));
    ring = latest;
    return keys;
  };
  return {
    signers: () => {
      const { signers } = currentSigningKey(currentKeys(), new Date());
      if (signers === null) throw new Error('a key without a private half cannot sign');
      return signers;
    },
    /** The key of this `kid` if its tokens are accepted at the instant. */
    acceptedKey: (kid: string | null, nowMs: number) =>
      currentKeys().findLast((key) => key.kid === kid && isAccepted(key, nowMs)),
    /** The keys whose tokens are accepted now, the newest first. */
    accepted: () => acceptedKeys(currentKeys(), new Date()).toReversed(),
  };
}
