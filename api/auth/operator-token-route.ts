import * as v from 'valibot';
import { findOperator } from '../../db/accounts/operators.ts';
import { countTokenCall, tokenCallWait } from '../../db/accounts/token-calls.ts';
import { noDigest, sameDigest, sha256 } from '../../security/secrets.ts';
import { apiError, tooManyRequests } from '../http/api-error.ts';
import { limitByAddress } from './limit-by-address.ts';
import { operatorTokenSeconds } from './tokens.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';
import { tokenResponse } from './token-response.ts';
import type { Routes } from '../validation/compiler.ts';

const body = v.strictObject({
  operatorId: described(filledText(255), "The operator's login name.", sample.operatorId),
  operatorSecret: described(filledText(255), "The operator's secret.", sample.operatorSecret),
});

/** `POST /operator/v1/auth/token`: exchanges an operator's secret for a token of 900 seconds. */
export function operatorAuthTokenRoute(app: Routes, dependencies: Dependencies): void {
  const { sql, tokens, tokenCallsPerAddress } = dependencies;
  app.post(
    '/operator/v1/auth/token',
    {
      config: { refusals: ['UNAUTHORIZED_INVALID_CREDENTIALS'] },
      schema: {
        body,
        response: { 200: envelope(tokenResponse) },
        tags: ['Operator: token'],
        summary: 'Get a token',
        operationId: 'createOperatorToken',
        description:
          "Exchanges an operator's secret for a bearer token of 900 seconds, for routes under " +
          '`/operator/v1` only. Failures are counted: after more than 10 in any 60 seconds for one ' +
          '`operatorId` it is refused for a while, with the right secret too. Operators are made by ' +
          'a command of the service.',
      },
      onRequest: limitByAddress(tokenCallsPerAddress),
    },
    async (request) => {
      const { operatorId, operatorSecret } = request.body;
      // Only failures are counted: the scripts of an operator may log in often.
      const failures = sha256(`operator:${operatorId}`);
      const waitSeconds = await tokenCallWait(sql, failures);
      if (waitSeconds !== null) throw tooManyRequests(waitSeconds);
      const operator = await findOperator(sql, operatorId);
      const isRight = sameDigest(sha256(operatorSecret), operator?.secretSha256 ?? noDigest);
      if (operator === null || !isRight || !operator.isActive) {
        await countTokenCall(sql, failures);
        throw apiError('UNAUTHORIZED_INVALID_CREDENTIALS');
      }
      const accessToken = tokens.issueOperatorToken(operator);
      return success({
        accessToken,
        tokenType: 'Bearer' as const,
        expiresIn: operatorTokenSeconds,
      });
    },
  );
}
