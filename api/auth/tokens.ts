import { createPrivateKey, createPublicKey, createHash, type KeyObject } from 'node:crypto';
import { createSigner, createVerifier, TokenError } from 'fast-jwt';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import { capabilities, type Capability } from '../../domain/capabilities.ts';
import { operatorRoles, type OperatorRole } from '../../domain/operator-roles.ts';
import { apiError } from '../api-error.ts';

/** Lifetimes in seconds: the specification's part 8, and the operators'. */
export const vendorTokenSeconds = 300;
export const operatorTokenSeconds = 900;

/** Who a vendor's token speaks for; the claim alone is checked, without a look-up (part 5, rule 7). */
export type VendorCaller = {
  readonly side: 'vendor';
  readonly credentialId: string;
  readonly tokenId: string;
  readonly vendorId: string;
  readonly capabilities: readonly Capability[];
};
export type OperatorCaller = {
  readonly side: 'operator';
  /** The operator's row. */
  readonly id: string;
  /** The name the operator logs in with. */
  readonly operatorId: string;
  readonly roles: readonly OperatorRole[];
};
export type Caller = VendorCaller | OperatorCaller;

const common = { sub: v.string(), iat: v.number(), exp: v.number(), jti: v.string() };
const claims = v.variant('aud', [
  v.object({
    ...common,
    aud: v.literal('vendor-api'),
    vendor_id: v.string(),
    capabilities: v.array(v.picklist(capabilities)),
  }),
  v.object({
    ...common,
    aud: v.literal('operator-api'),
    operator_id: v.string(),
    roles: v.array(v.picklist(operatorRoles)),
  }),
]);

export type Tokens = {
  readonly issueVendorToken: (credential: {
    readonly id: string;
    readonly clientId: string;
    readonly vendorId: string;
    readonly capabilities: readonly Capability[];
    readonly environment: string;
  }) => string;
  readonly issueOperatorToken: (operator: {
    readonly id: string;
    readonly operatorId: string;
    readonly roles: readonly OperatorRole[];
  }) => string;
  /** Throws UNAUTHORIZED_TOKEN_EXPIRED or UNAUTHORIZED_INVALID_TOKEN. */
  readonly verify: (token: string) => Caller;
  /** The public keys, for `/.well-known/jwks.json`. */
  readonly jwks: { readonly keys: readonly Record<string, unknown>[] };
};

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** The key's name: the start of its own digest, so that every process names it alike. */
const kidOf = (key: KeyObject): string =>
  createHash('sha256').update(pemOf(key)).digest('base64url').slice(0, 16);

/**
 * Ed25519 tokens (D10): `signingKey` is a private PEM; tokens of `previousKey` (either PEM) are accepted too, so that keys
 * rotate without an outage. A token is verified once and remembered until it expires.
 */
export function createTokens(options: {
  readonly issuer: string;
  readonly signingKey: string;
  readonly previousKey?: string | undefined;
}): Tokens {
  const { issuer, signingKey, previousKey } = options;
  const current = createPublicKey(createPrivateKey(signingKey));
  const keys = previousKey === undefined ? [current] : [current, createPublicKey(previousKey)];
  if (keys.some((key) => key.asymmetricKeyType !== 'ed25519'))
    throw new Error('JWT keys must be Ed25519 keys');
  const verifiers = new Map(keys.map((key) => [kidOf(key), verifierOf(key, issuer)]));
  const signer = {
    key: signingKey,
    algorithm: 'EdDSA',
    kid: kidOf(current),
    header: { alg: 'EdDSA', typ: 'at+jwt' },
    iss: issuer,
  } as const;
  const signVendor = createSigner({ ...signer, aud: 'vendor-api', expiresIn: vendorTokenSeconds * 1000 });
  const signOperator = createSigner({
    ...signer,
    aud: 'operator-api',
    expiresIn: operatorTokenSeconds * 1000,
  });
  return {
    issueVendorToken: ({ id, clientId, vendorId, capabilities: granted, environment }) =>
      signVendor({
        sub: id,
        jti: uuidv7(),
        client_id: clientId,
        vendor_id: vendorId,
        capabilities: granted,
        env: environment,
      }),
    issueOperatorToken: ({ id, operatorId, roles }) =>
      signOperator({ sub: id, jti: uuidv7(), operator_id: operatorId, roles }),
    verify: (token) => verify(token, verifiers),
    jwks: {
      keys: keys.map((key) => ({
        ...key.export({ format: 'jwk' }),
        kid: kidOf(key),
        alg: 'EdDSA',
        use: 'sig',
      })),
    },
  };
}

type Verifier = (token: string) => unknown;

/** Only EdDSA, only this key, only our issuer and audiences. */
const verifierOf = (key: KeyObject, issuer: string): Verifier =>
  createVerifier({
    key: pemOf(key),
    algorithms: ['EdDSA'],
    allowedIss: issuer,
    allowedAud: ['vendor-api', 'operator-api'],
    checkTyp: 'at+jwt',
    requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp', 'jti'],
    cache: 10_000,
  });

const header = v.object({ kid: v.string() });

/** Which key a token says it was signed with; the signature is checked with that key alone. */
function kidOfToken(token: string): string | null {
  try {
    const [first = ''] = token.split('.', 1);
    const parsed = v.safeParse(header, JSON.parse(Buffer.from(first, 'base64url').toString('utf8')));
    return parsed.success ? parsed.output.kid : null;
  } catch {
    return null;
  }
}

function verify(token: string, verifiers: ReadonlyMap<string, Verifier>): Caller {
  const verifier = verifiers.get(kidOfToken(token) ?? '');
  if (verifier === undefined) throw apiError('UNAUTHORIZED_INVALID_TOKEN');
  try {
    const payload = v.parse(claims, verifier(token));
    // Clocks of our own processes may differ by a little, a token from the future is not ours.
    if (payload.iat > Date.now() / 1000 + 30) throw apiError('UNAUTHORIZED_INVALID_TOKEN');
    return payload.aud === 'vendor-api'
      ? {
          side: 'vendor',
          credentialId: payload.sub,
          tokenId: payload.jti,
          vendorId: payload.vendor_id,
          capabilities: payload.capabilities,
        }
      : { side: 'operator', id: payload.sub, operatorId: payload.operator_id, roles: payload.roles };
  } catch (error) {
    const isExpired = error instanceof TokenError && error.code === TokenError.codes.expired;
    throw apiError(isExpired ? 'UNAUTHORIZED_TOKEN_EXPIRED' : 'UNAUTHORIZED_INVALID_TOKEN');
  }
}
