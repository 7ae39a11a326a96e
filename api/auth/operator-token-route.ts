import * as v from 'valibot';
import { failedLogInsMax, logInOperator } from '../../db/accounts/operator-log-in.ts';
import { nameForm } from '../../domain/texts/typed-text.ts';
import { noDigest, sha256 } from '../../security/secrets.ts';
import { bodyBytesMax } from '../http/bodies/body-limits.ts';
import { refusedWith, tooManyRequests } from '../http/api-error.ts';
import { limitByAddress, logInNetworkOf } from './limit-by-address.ts';
import { operatorTokenSeconds } from './token-keys.ts';
import { openRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { tokenResponse } from './token-response.ts';
import { reportLogIn } from '../security/report.ts';

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
