import type { KeyObject } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import { isAccepted, signingKid, type KeyRing, type RingKey } from '../../security/key-ring.ts';

/** Lifetimes in seconds: the specification's part 8, and the operators'. */
export const vendorTokenSeconds = 300;
export const operatorTokenSeconds = 900;

/** Clocks of our own processes may differ by this, in seconds; a token from further in the future is not ours. */
export const clockSkewSeconds = 30;
/** How long a key is accepted after it has signed its last token: until that one has expired by every process's clock. */
export const tokenLifeMsMax = (operatorTokenSeconds + clockSkewSeconds) * 1000;

type Claims = Readonly<Record<string, unknown>>;

/** What is done with one key. */
type KeyTools = {
  /** Throws a TokenError of fast-jwt. */
  readonly verify: (token: string) => unknown;
  readonly signVendor: (claims: Claims) => string;
  readonly signOperator: (claims: Claims) => string;
  readonly jwk: Claims;
};

/** Only EdDSA, only this key, only our issuer and audiences. */
const verifierOf = (key: KeyObject, issuer: string) =>
  createVerifier({
    key: key.export({ type: 'spki', format: 'pem' }).toString(),
    algorithms: ['EdDSA'],
    allowedIss: issuer,
    allowedAud: ['vendor-api', 'operator-api'],
    checkTyp: 'at+jwt',
    requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti'],
  });

function signersOf({ kid, privateKey }: RingKey, issuer: string) {
  if (privateKey === null) {
    const sign = (): never => {
      throw new Error(`the key ${kid} signs nothing`);
    };
    return { signVendor: sign, signOperator: sign };
  }
  const header = { alg: 'EdDSA', typ: 'at+jwt' };
  const common = { key: privateKey, algorithm: 'EdDSA', kid, header, iss: issuer } as const;
  return {
    signVendor: createSigner({
      ...common,
      aud: 'vendor-api',
      expiresIn: vendorTokenSeconds * 1000,
    }),
    signOperator: createSigner({
      ...common,
      aud: 'operator-api',
      expiresIn: operatorTokenSeconds * 1000,
    }),
  };
}

const toolsOf = (key: RingKey, issuer: string): KeyTools => ({
  verify: verifierOf(key.publicKey, issuer),
  ...signersOf(key, issuer),
  jwk: { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, alg: 'EdDSA', use: 'sig' },
});

/** The keys of a ring with what is done with them; the ring may be another at every use. */
export function createTokenKeys(issuer: string, currentRing: () => KeyRing) {
  let ring: KeyRing = [];
  let byKid = new Map<string, { readonly key: RingKey; readonly tools: KeyTools }>();
  const refresh = (): void => {
    const latest = currentRing();
    if (latest === ring) return;
    byKid = new Map(
      latest.map((key) => [
        key.kid,
        { key, tools: byKid.get(key.kid)?.tools ?? toolsOf(key, issuer) },
      ]),
    );
    ring = latest;
  };
  return {
    /** The key that signs at an instant. */
    signing: (nowMs: number): KeyTools => {
      refresh();
      const found = byKid.get(signingKid(ring, nowMs));
      if (found === undefined) throw new Error('the signing key is not in its ring');
      return found.tools;
    },
    /** A key whose tokens are good at an instant, by its name. */
    accepted: (kid: string, nowMs: number): KeyTools | null => {
      refresh();
      const found = byKid.get(kid);
      return found !== undefined && isAccepted(found.key, nowMs) ? found.tools : null;
    },
    /** The public halves of all whose tokens are good at an instant, the newest first. */
    published: (nowMs: number): readonly Claims[] => {
      refresh();
      return Array.from(byKid.values())
        .filter(({ key }) => isAccepted(key, nowMs))
        .map(({ tools }) => tools.jwk)
        .toReversed();
    },
  };
}
