import { randomUUID } from 'node:crypto';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { KeyRing } from '../../security/key-ring.ts';
import { BoundedMap } from '../bounded-map.ts';
import { refusedWith } from '../http/api-error.ts';
import { kidOfToken, verifiedPayload, type Payload } from './read-token.ts';
import {
  clockSkewSeconds,
  createTokenKeys,
  operatorTokenSeconds,
  vendorTokenSeconds,
} from './token-keys.ts';

export { operatorTokenSeconds, vendorTokenSeconds };

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

export type Tokens = {
  readonly issueVendorToken: (credential: {
    readonly id: string;
    readonly clientId: string;
    readonly vendorId: string;
    readonly capabilities: readonly Capability[];
    readonly environment: string;
  }) => string;
  readonly issueOperatorToken: (operator: Omit<OperatorCaller, 'side'>) => string;
  /** Throws UNAUTHORIZED_TOKEN_EXPIRED or UNAUTHORIZED_INVALID_TOKEN. */
  readonly verify: (token: string) => Caller;
  /** The caller of a token that this process has verified; null for any other text. */
  readonly verifiedCaller: (token: string) => Caller | null;
  /** The public keys whose tokens are accepted now, for `/.well-known/jwks.json`. */
  readonly jwks: () => { readonly keys: readonly Readonly<Record<string, unknown>>[] };
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
}: {
  readonly issuer: string;
  readonly environment: Environment;
  readonly ring: () => KeyRing;
}): Tokens {
  const keys = createTokenKeys(issuer, ring);
  const cache = createTokenCache();
  return {
    issueVendorToken: ({ id, clientId, vendorId, capabilities: granted, environment: env }) =>
      keys.signers().signVendor({
        sub: id,
        jti: randomUUID(),
        client_id: clientId,
        vendor_id: vendorId,
        capabilities: granted,
        env,
      }),
    issueOperatorToken: ({ id, operatorId, roles, tokenGeneration }) =>
      keys.signers().signOperator({
        sub: id,
        jti: randomUUID(),
        operator_id: operatorId,
        roles,
        token_generation: tokenGeneration,
      }),
    verify: (token) => {
      const nowMs = Date.now();
      const cached = cache.get(token, nowMs);
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
    verifiedCaller: (token) => cache.get(token, Date.now())?.caller ?? null,
    jwks: () => ({ keys: keys.accepted().map(({ jwk }) => jwk) }),
  };
}

type CachedToken = {
  readonly caller: Caller;
  readonly kid: string;
  /** The entry is valid from then to `untilMs`, both included (Unix milliseconds). */
  readonly fromMs: number;
  readonly untilMs: number;
};

/** About ten megabytes, tokens included. */
const cachedMax = 10_000;

/** Caches verified tokens. The oldest entry is evicted first: tokens live about equally long. */
export function createTokenCache(max = cachedMax) {
  const byToken = new BoundedMap<string, CachedToken>(max);
  return {
    get: (token: string, nowMs: number): CachedToken | null => {
      const found = byToken.get(token);
      if (found === undefined) return null;
      if (nowMs >= found.fromMs && nowMs <= found.untilMs) return found;
      byToken.delete(token);
      return null;
    },
    set: (token: string, entry: CachedToken): void => {
      byToken.set(token, entry);
    },
    size: (): number => byToken.size,
  };
}

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
