import * as v from 'valibot';
import { findCredentialForToken } from '../../db/accounts/credentials.ts';
import { countCall, tokenCallsMax } from '../../db/accounts/token-calls.ts';
import { noDigest, sameDigest, sha256 } from '../../security/secrets.ts';
import { bodyBytesMax } from '../http/bodies/body-limits.ts';
import { refusedWith, tooManyRequests } from '../http/api-error.ts';
import { limitByAddress, logInNetworkOf } from './limit-by-address.ts';
import { vendorTokenSeconds, operatorTokenSeconds } from './token-keys.ts';
import { openRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { reportLogIn } from '../security/report.ts';
import { field, titled } from '../validation/response-parts.ts';
import { failedLogInsMax, logInOperator } from '../../db/accounts/operator-log-in.ts';
import { nameForm } from '../../domain/texts/typed-text.ts';

/** The Token of part 2; `expiresIn` in seconds. */
export const tokenResponse = titled('Token', {
  accessToken: field.text(
    'A signed JWT (EdDSA). Send it as `Authorization: Bearer …` and treat it as opaque.',
    'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6IjEifQ.' +
      'eyJhdWQiOiJ2ZW5kb3ItYXBpIn0.c2lnbmF0dXJl',
  ),
  tokenType: described(v.literal('Bearer'), 'Always `Bearer`.'),
  expiresIn: field.integer(
    'Lifetime in seconds of real time: 300 for vendors, 900 for operators.',
    300,
  ),
});

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

export const operatorTokenBody = v.strictObject({
  operatorId: described(
    filledText(255),
    "The operator's login name. Letter case and what cannot be seen make no difference.",
    sample.operatorId,
  ),
  operatorSecret: described(filledText(255), "The operator's secret.", sample.operatorSecret),
});

/** `POST /operator/v1/auth/token`: exchanges an operator's secret for a token of 900 seconds. */
export const operatorAuthTokenRoute: AddRoutes = (app, dependencies) => {
  const { sql, tokens, tokenCallsPerAddress } = dependencies;
  openRoutes(app, { tag: 'Operator: token', onRequest: limitByAddress(tokenCallsPerAddress) })({
    at: 'POST /operator/v1/auth/token',
    operationId: 'createOperatorToken',
    summary: 'Get a token',
    description:
      "Exchanges an operator's secret for a bearer token of 900 seconds, for routes under " +
      '`/operator/v1` only. Failures are counted: after 10 in any 60 seconds for one ' +
      '`operatorId` from one network (IPv4 /24, IPv6 /64), calls from there are refused for ' +
      'a while, with the right secret too. Other networks are not affected.',
    body: operatorTokenBody,
    bodyBytesMax: bodyBytesMax.logIn,
    payload: tokenResponse,
    refusals: ['UNAUTHORIZED_INVALID_CREDENTIALS'],
    handler: async ({ body: { operatorId, operatorSecret }, request }) => {
      // Only failures are counted: the scripts of an operator may log in often.
      const logIn = await logInOperator(sql, {
        operatorId,
        secretSha256: sha256(operatorSecret),
        failuresDigest: sha256(`operator:${logInNetworkOf(request.ip)}:${nameForm(operatorId)}`),
        noDigest,
      });
      if (logIn.kind === 'limited')
        throw tooManyRequests(
          'FAILED_LOG_INS',
          { limit: failedLogInsMax, resetSeconds: logIn.waitSeconds },
          { side: 'operator' },
        );
      if (logIn.kind === 'wrong')
        throw refusedWith('UNAUTHORIZED_INVALID_CREDENTIALS', {
          side: 'operator',
          // Another text may be a secret in the wrong field.
          ...(logIn.isKnown ? { operatorId } : {}),
        });
      reportLogIn(request, { side: 'operator', operatorId: logIn.operator.operatorId });
      const accessToken = tokens.issueOperatorToken(logIn.operator);
      return { accessToken, tokenType: 'Bearer' as const, expiresIn: operatorTokenSeconds };
    },
  });
};
