import { createHash, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto';
import { ApiError } from '../../../api/http/api-error.ts';
import type { Tokens } from '../../../api/auth/tokens.ts';
import { issuer, signingKey } from '../../support/api/api.ts';

export type Claims = Readonly<Record<string, unknown>>;

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
export const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header of a token, or its claims. */
export const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString()) as Claims;

export const publicPem = (privatePem: string): string =>
  createPublicKey(createPrivateKey(privatePem)).export({ type: 'spki', format: 'pem' }).toString();

/** The `kid` of a key. */
export const kidOf = (privatePem: string): string =>
  createHash('sha256').update(publicPem(privatePem)).digest('base64url').slice(0, 16);

export const goodHeader = { alg: 'EdDSA', typ: 'at+jwt', kid: kidOf(signingKey) };

/** Claims of a vendor's token that the gateway accepts; seconds are relative to now. */
export const goodClaims = ({ iat = 0, exp = 300 } = {}): Claims => ({
  iss: issuer,
  sub: randomUUID(),
  aud: 'vendor-api',
  iat: nowSeconds() + iat,
  exp: nowSeconds() + exp,
  jti: randomUUID(),
  client_id: 'vc_1',
  vendor_id: randomUUID(),
  capabilities: ['Offers', 'Orders'],
  env: 'Production',
});

/** The three parts, signed by `signer`; by default with the gateway's Ed25519 key. */
export function craftToken(
  claims: Claims = goodClaims(),
  header: Claims = goodHeader,
  signer: (signed: Buffer) => Buffer = ed25519(signingKey),
): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${signer(Buffer.from(signed)).toString('base64url')}`;
}

export const ed25519 = (privatePem: string) => (signed: Buffer) =>
  sign(null, signed, createPrivateKey(privatePem));

/** Replaces one part of a token. */
export const withPart = (token: string, part: 0 | 1 | 2, text: string): string =>
  token.split('.').with(part, text).join('.');

/** The error code with which a token is refused; null if it is accepted. */
export function refusalBy({ verify }: Pick<Tokens, 'verify'>, token: string): string | null {
  try {
    verify(token);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
