import { createTokenCheck } from '../../db/accounts/operators.ts';
import type { Sql } from '../../db/core/client.ts';
import { judgeOperatorSecret } from '../auth/judge-operator-secret.ts';
import { logInNetworkOf } from '../auth/limit-by-address.ts';
import type { Tokens } from '../auth/tokens.ts';
import { ApiError } from '../http/api-error.ts';
import type { SecurityEvents } from '../security/security-events.ts';

/**
 * Whether a header `Authorization` is that of an active operator. `limited`: the log-in was not
 * checked, because its rate was exceeded.
 */
export type OperatorVerdict = 'operator' | 'refused' | 'limited';

/**
 * Creates the check of a caller: an operator's token (`Bearer`), or, for a proxy that cannot fetch
 * tokens, the operator's id and secret (`Basic`). Refusals are security events. Rejects while
 * Postgres does not answer.
 */
export function createOperatorCheck({
  sql,
  tokens,
  events,
}: {
  readonly sql: Sql;
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly events: Pick<SecurityEvents, 'record'>;
}): (authorization: string | undefined, address: string) => Promise<OperatorVerdict> {
  const acceptsToken = createTokenCheck(sql);
  const byToken = async (token: string): Promise<OperatorVerdict> => {
    try {
      const caller = tokens.verify(token);
      return caller.side === 'operator' && (await acceptsToken(caller)) ? 'operator' : 'refused';
    } catch (error) {
      if (error instanceof ApiError) return 'refused';
      throw error;
    }
  };
  const bySecret = async (login: string, network: string): Promise<OperatorVerdict> => {
    const [, operatorId = '', operatorSecret = ''] = /^([^:]*):(.*)$/s.exec(login) ?? [];
    const { kind } = await judgeOperatorSecret(sql, { operatorId, operatorSecret }, network);
    return kind === 'right' ? 'operator' : kind === 'limited' ? 'limited' : 'refused';
  };
  return async (authorization, address) => {
    const network = logInNetworkOf(address);
    const [, scheme = '', value = ''] = /^(\S+) +(\S+) *$/.exec(authorization ?? '') ?? [];
    const isBasic = scheme.toLowerCase() === 'basic';
    const verdict = isBasic
      ? await bySecret(Buffer.from(value, 'base64').toString('utf8'), network)
      : scheme.toLowerCase() === 'bearer'
        ? await byToken(value)
        : 'refused';
    if (verdict !== 'operator')
      events.record(isBasic ? 'login_failed' : 'token_refused', network, {
        side: 'operator',
        network,
        route: 'codec endpoint',
      });
    return verdict;
  };
}
