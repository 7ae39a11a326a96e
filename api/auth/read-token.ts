import type { IncomingHttpHeaders } from 'node:http';
import { TokenError } from 'fast-jwt';
import * as v from 'valibot';
import { capabilities } from '../../domain/accounts/capabilities.ts';
import { operatorRoles } from '../../domain/accounts/operator-roles.ts';
import { refusedWith } from '../http/api-error.ts';

/** Reads a token from a request, and its header and claims. */

const common = {
  sub: v.string(),
  iat: v.number(),
  nbf: v.optional(v.number()),
  exp: v.number(),
  jti: v.string(),
};
const claims = v.variant('aud', [
  v.object({
    ...common,
    aud: v.literal('vendor-api'),
    vendor_id: v.string(),
    env: v.string(),
    capabilities: v.array(v.picklist(capabilities)),
  }),
  v.object({
    ...common,
    aud: v.literal('operator-api'),
    operator_id: v.string(),
    roles: v.array(v.picklist(operatorRoles)),
    token_generation: v.number(),
  }),
]);

/** The claims of a verified token. */
export type Payload = v.InferOutput<typeof claims>;

const header = v.pipe(v.string(), v.parseJson(), v.object({ kid: v.string() }));

/** The bearer token of a request's headers; null if they have none. */
export function tokenOf({ authorization = '' }: IncomingHttpHeaders): string | null {
  const [, token] = /^bearer +(\S.*)$/i.exec(authorization) ?? [];
  return token?.trimEnd() ?? null;
}

/** The `kid` of an unverified token, null if it has none. Only that key verifies the token. */
export function kidOfToken(token: string): string | null {
  const [first = ''] = token.split('.', 1);
  const parsed = v.safeParse(header, Buffer.from(first, 'base64url').toString('utf8'));
  return parsed.success ? parsed.output.kid : null;
}

/**
 * The last character of a base64url signature has unused bits. They must be zero, so that a token
 * has one spelling only.
 */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The reasons of the security log, by fast-jwt's codes. */
const reasons: Readonly<Record<string, string>> = {
  [TokenError.codes.expired]: 'expired',
  [TokenError.codes.inactive]: 'not_yet_valid',
  [TokenError.codes.invalidSignature]: 'signature',
  [TokenError.codes.invalidAlgorithm]: 'algorithm',
  [TokenError.codes.malformed]: 'malformed',
};

/** The verifier checks issuer and audience; the claims' schema checks the others. */
function reasonOf(error: unknown): string {
  if (!(error instanceof TokenError)) return 'claims';
  if (error.code !== TokenError.codes.invalidClaimValue) return reasons[error.code] ?? 'malformed';
  return /\baud\b/.test(error.message) ? 'audience' : 'claims';
}

/** Verifies a token. Throws UNAUTHORIZED_TOKEN_EXPIRED or UNAUTHORIZED_INVALID_TOKEN. */
export function verifiedPayload(verify: (token: string) => unknown, token: string): Payload {
  let reason = 'signature';
  try {
    const payload = v.parse(claims, verify(token));
    if (isCanonical(token)) return payload;
  } catch (error) {
    reason = reasonOf(error);
  }
  const code = reason === 'expired' ? 'UNAUTHORIZED_TOKEN_EXPIRED' : 'UNAUTHORIZED_INVALID_TOKEN';
  throw refusedWith(code, { reason });
}
