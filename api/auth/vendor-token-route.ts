import * as v from 'valibot';
import { findCredentialForToken } from '../../db/accounts/credentials.ts';
import { countCall, tokenCallsMax } from '../../db/accounts/token-calls.ts';
import { noDigest, sameDigest, sha256 } from '../../security/secrets.ts';
import { bodyBytesMax } from '../http/bodies/body-limits.ts';
import { refusedWith, tooManyRequests } from '../http/api-error.ts';
import { limitByAddress, logInNetworkOf } from './limit-by-address.ts';
import { vendorTokenSeconds } from './token-keys.ts';
import { openRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { tokenResponse } from './token-response.ts';
import { reportLogIn } from '../security/report.ts';

/** The body of a token call of a vendor. */
export const tokenBody = v.strictObject({
  clientId: described(filledText(255), "The credential's public name.", sample.clientId),
  clientSecret: described(filledText(255), "The credential's secret.", sample.clientSecret),
});

const readableClientId = v.object({ clientId: v.pipe(v.string(), v.nonEmpty()) });

/** `POST /api/v1/auth/token`: exchanges a credential for a token of 300 seconds (parts 4, 5). */
export const authTokenRoute: AddRoutes = (app, dependencies) => {
  const { sql, environment, tokens, tokenCallsPerAddress } = dependencies;
  openRoutes(app, { tag: 'Token', onRequest: limitByAddress(tokenCallsPerAddress) })({
    at: 'POST /api/v1/auth/token',
    operationId: 'createToken',
    summary: 'Get a token',
    description:
      'Exchanges a credential for a bearer token of 300 seconds. There is no refresh token: ' +
      'fetch a new one shortly before the old one ends, and keep it for all calls until ' +
      "then. The token carries the credential's capabilities as they are now; a change of " +
      'them counts from the next token on. An unknown `clientId` and a wrong secret are ' +
      'answered alike. At most 10 calls in any 60 seconds for one `clientId` from one network ' +
      '(IPv4 /24, IPv6 /64); calls that are refused do not lengthen the wait.',
    body: tokenBody,
    bodyBytesMax: bodyBytesMax.logIn,
    payload: tokenResponse,
    refusals: ['UNAUTHORIZED_INVALID_CREDENTIALS', 'UNAUTHORIZED_VENDOR_INACTIVE'],
    // A valid clientId is counted even if the rest of the body is invalid, for each network:
    // a caller elsewhere who knows a clientId cannot use up its calls.
    preValidation: async (request) => {
      const readable = v.safeParse(readableClientId, request.body);
      if (!readable.success) return;
      const network = logInNetworkOf(request.ip);
      const digest = sha256(`${network}:${readable.output.clientId}`);
      const resetSeconds = await countCall(sql, digest, tokenCallsMax);
      if (resetSeconds === null) return;
      const rate = { limit: tokenCallsMax, resetSeconds };
      throw tooManyRequests('TOKEN_CALLS', rate, { side: 'vendor' });
    },
    handler: async ({ body: { clientId, clientSecret }, request }) => {
      const credential = await findCredentialForToken(sql, clientId);
      const isRight = sameDigest(sha256(clientSecret), credential?.secretSha256 ?? noDigest);
      const isUsable =
        credential?.isActive === true &&
        credential.environment === environment &&
        credential.expiresAt > new Date();
      if (credential === null || !isRight || !isUsable)
        throw refusedWith('UNAUTHORIZED_INVALID_CREDENTIALS', {
          side: 'vendor',
          // Another text may be a secret in the wrong field.
          ...(credential === null ? {} : { clientId }),
        });
      if (!credential.vendorIsActive)
        throw refusedWith('UNAUTHORIZED_VENDOR_INACTIVE', { side: 'vendor', clientId });
      reportLogIn(request, { side: 'vendor', clientId, vendorId: credential.vendorId });
      const accessToken = tokens.issueVendorToken(credential);
      return { accessToken, tokenType: 'Bearer' as const, expiresIn: vendorTokenSeconds };
    },
  });
};
