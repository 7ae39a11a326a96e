import { logInOperator, type LogIn } from '../../db/accounts/operator-log-in.ts';
import type { Queryable } from '../../db/core/client.ts';
import { noDigest, sha256 } from '../../security/secrets.ts';

/**
 * Judges an operator's id and secret. The token route and the codec endpoint count their failures
 * together, by operator and network (D86).
 */
export const judgeOperatorSecret = (
  sql: Queryable,
  { operatorId, operatorSecret }: { readonly operatorId: string; readonly operatorSecret: string },
  network: string,
): Promise<LogIn> =>
  logInOperator(sql, {
    operatorId,
    secretSha256: sha256(operatorSecret),
    failuresDigest: sha256(`operator:${network}:${operatorId}`),
    noDigest,
  });
