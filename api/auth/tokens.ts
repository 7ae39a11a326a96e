import { randomUUID } from 'node:crypto';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { KeyRing } from '../../security/key-ring.ts';
import { BoundedMap } from '../bounded-map.ts';
import { refusedWith } from '../http/api-error.ts';
import { kidOfToken, verifiedPayload, type Payload } from './read-token.ts';
import { clockSkewSeconds, createTokenKeys } from './token-keys.ts';

/** The subject of a vendor's token: its claims are used without a look-up (part 5, rule 7). */
export type VendorCaller = {
  readonly side: 'vendor';
  readonly credentialId: string;
  readonly tokenId: string;
  readonly vendorId: string;
  readonly capabilities: readonly Capability[];
};
export type OperatorCaller = {
  readonly side: 'operator';
  /** The id of the operator's row. */
  readonly id: string;
  /** The name the operator logs in with. */
  readonly operatorId: string;
  readonly roles: readonly OperatorRole[];
  /** The operator's generation of tokens when the token was issued. */
  readonly tokenGeneration: number;
};
export type Caller = VendorCaller | OperatorCaller;

type CachedToken = {
  readonly caller: Caller;
  readonly kid: string;
  /** The entry is valid from then to `untilMs`, both included (Unix milliseconds). */
  readonly fromMs: number;
  readonly untilMs: number;
};

/**
 * Issues and verifies Ed25519 tokens. `ring` is called at each use, so that keys rotate without an
 * outage. A verified token is cached until it expires or its key is not accepted. A vendor's token
 * of another environment is refused.
 */
export function createTokens({
  issuer,
  environment,
  ring,
  cachedMax = 10_000,
}: {
  readonly issuer: string;
  readonly environment: Environment;
  readonly ring: () => KeyRing;
  /** The most tokens that are cached: about ten megabytes by default, tokens included. */
  readonly cachedMax?: number;
}) {
  const keys = createTokenKeys(issuer, ring);
  // The oldest entry is evicted first: tokens live about equally long.
  const cache = new BoundedMap<string, CachedToken>(cachedMax);
  const cachedAt = (token: string, nowMs: number): CachedToken | null => {
    const found = cache.get(token);
    return found !== undefined && nowMs >= found.fromMs && nowMs <= found.untilMs ? found : null;
  };
  return {
    issueVendorToken: (credential: {
      readonly id: string;
      readonly clientId: string;
      readonly vendorId: string;
      readonly capabilities: readonly Capability[];
      readonly environment: string;
    }): string =>
      keys.signers().signVendor({
        sub: credential.id,
        jti: randomUUID(),
        client_id: credential.clientId,
        vendor_id: credential.vendorId,
        capabilities: credential.capabilities,
        env: credential.environment,
      }),
    issueOperatorToken: (operator: Omit<OperatorCaller, 'side'>): string =>
      keys.signers().signOperator({
        sub: operator.id,
        jti: randomUUID(),
        operator_id: operator.operatorId,
        roles: operator.roles,
        token_generation: operator.tokenGeneration,
      }),
    /** Throws UNAUTHORIZED_TOKEN_EXPIRED or UNAUTHORIZED_INVALID_TOKEN. */
    verify: (token: string): Caller => {
      const nowMs = Date.now();
      const cached = cachedAt(token, nowMs);
      if (cached !== null && keys.acceptedKey(cached.kid, nowMs) !== undefined)
        return cached.caller;
      const key = keys.acceptedKey(kidOfToken(token), nowMs);
      if (key === undefined)
        throw refusedWith('UNAUTHORIZED_INVALID_TOKEN', { reason: 'unknown_key' });
      const payload = verifiedPayload(key.verify, token);
      if (payload.aud === 'vendor-api' && payload.env !== environment)
        throw refusedWith('UNAUTHORIZED_INVALID_TOKEN', { reason: 'environment' });
      const verified = cachedToken(key.kid, payload);
      if (nowMs < verified.fromMs)
        throw refusedWith('UNAUTHORIZED_INVALID_TOKEN', { reason: 'not_yet_valid' });
      cache.set(token, verified);
      return verified.caller;
    },
    /** The caller of a token that this process has verified; null for any other text. */
    verifiedCaller: (token: string): Caller | null => cachedAt(token, Date.now())?.caller ?? null,
    /** The public keys whose tokens are accepted now, for `/.well-known/jwks.json`. */
    jwks: () => ({ keys: keys.accepted().map(({ jwk }) => jwk) }),
  };
}

export type Tokens = ReturnType<typeof createTokens>;

const callerOf = (payload: Payload): Caller =>
  payload.aud === 'vendor-api'
    ? {
        side: 'vendor',
        credentialId: payload.sub,
        tokenId: payload.jti,
        vendorId: payload.vendor_id,
        capabilities: Object.freeze(payload.capabilities),
      }
    : {
        side: 'operator',
        id: payload.sub,
        operatorId: payload.operator_id,
        roles: Object.freeze(payload.roles),
        tokenGeneration: payload.token_generation,
      };

const cachedToken = (kid: string, payload: Payload): CachedToken => ({
  // Many requests have the same caller.
  caller: Object.freeze(callerOf(payload)),
  kid,
  fromMs: Math.max((payload.iat - clockSkewSeconds) * 1000, (payload.nbf ?? 0) * 1000),
  untilMs: payload.exp * 1000,
});
