import { v7 as uuidv7 } from 'uuid';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { KeyRing } from '../../security/key-ring.ts';
import { apiError } from '../http/api-error.ts';
import { kidOfToken, verifiedPayload, type Payload } from './read-token.ts';
import { createRememberedCallers, type Remembered } from './remembered-callers.ts';
import {
  clockSkewSeconds,
  createTokenKeys,
  operatorTokenSeconds,
  vendorTokenSeconds,
} from './token-keys.ts';

export { operatorTokenSeconds, vendorTokenSeconds };

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
  /** The public keys whose tokens are good now, for `/.well-known/jwks.json`. */
  readonly jwks: () => { readonly keys: readonly Readonly<Record<string, unknown>>[] };
};

/**
 * Ed25519 tokens (D10). `ring` is asked at every use, so that keys rotate without an outage. A token is verified once and
 * remembered until it expires, or its key is no longer accepted.
 */
export function createTokens({
  issuer,
  ring,
}: {
  readonly issuer: string;
  readonly ring: () => KeyRing;
}): Tokens {
  const keys = createTokenKeys(issuer, ring);
  const callers = createRememberedCallers();
  return {
    issueVendorToken: ({ id, clientId, vendorId, capabilities: granted, environment }) =>
      keys.signing(Date.now()).signVendor({
        sub: id,
        jti: uuidv7(),
        client_id: clientId,
        vendor_id: vendorId,
        capabilities: granted,
        env: environment,
      }),
    issueOperatorToken: ({ id, operatorId, roles }) =>
      keys
        .signing(Date.now())
        .signOperator({ sub: id, jti: uuidv7(), operator_id: operatorId, roles }),
    verify: (token) => {
      const nowMs = Date.now();
      const remembered = callers.find(token, nowMs);
      if (remembered !== null && keys.accepted(remembered.kid, nowMs) !== null)
        return remembered.caller;
      const kid = kidOfToken(token);
      const key = kid === null ? null : keys.accepted(kid, nowMs);
      if (kid === null || key === null) throw apiError('UNAUTHORIZED_INVALID_TOKEN');
      const found = rememberedOf(kid, verifiedPayload(key.verify, token));
      if (nowMs < found.fromMs) throw apiError('UNAUTHORIZED_INVALID_TOKEN');
      callers.keep(token, found);
      return found.caller;
    },
    jwks: () => ({ keys: keys.published(Date.now()) }),
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
      };

const rememberedOf = (kid: string, payload: Payload): Remembered => ({
  // Many requests share it.
  caller: Object.freeze(callerOf(payload)),
  kid,
  fromMs: Math.max((payload.iat - clockSkewSeconds) * 1000, (payload.nbf ?? 0) * 1000),
  untilMs: payload.exp * 1000,
});
