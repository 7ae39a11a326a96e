import {
  deleteSession,
  deleteSessionsOf,
  findOperatorId,
  insertSession,
  readSession,
  resumeSession,
} from '../../db/accounts/operator-sessions.ts';
import type { OperatorSettings } from '../../domain/accounts/operator-settings.ts';
import { newSecret, sha256 } from '../../security/secrets.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Dependencies } from '../dependencies.ts';

/** The operator of a session, with a new token for calls of the API. */
export type SignedIn = {
  readonly id: string;
  readonly operatorId: string;
  readonly roles: readonly OperatorRole[];
  readonly token: string;
  readonly settings: OperatorSettings;
};

/** The sessions of operators in the console. A session's id is the value of its cookie. */
export type OperatorSessions = {
  /** Begins a session with the token of a log-in, and returns its id. */
  readonly begin: (token: string) => Promise<string>;
  /** The operator of a session that is open or ended a short time ago; else null. */
  readonly operatorIdOf: (sessionId: string) => Promise<string | null>;
  /** Null once the session has ended. A request that no person makes leaves it as idle as it is. */
  readonly resume: (sessionId: string, isOfPerson?: boolean) => Promise<SignedIn | null>;
  readonly end: (sessionId: string) => Promise<void>;
  /** Ends every session of the operator of a session. */
  readonly endAll: (sessionId: string) => Promise<void>;
};

export function createOperatorSessions({
  sql,
  tokens,
}: Pick<Dependencies, 'sql' | 'tokens'>): OperatorSessions {
  return {
    begin: async (token) => {
      const caller = tokens.verify(token);
      if (caller.side !== 'operator') throw new Error('only operators have sessions');
      const sessionId = newSecret('cs');
      await insertSession(sql, sha256(sessionId), caller);
      return sessionId;
    },
    operatorIdOf: (sessionId) => findOperatorId(sql, sha256(sessionId)),
    resume: async (sessionId, isOfPerson = true) => {
      const find = isOfPerson ? resumeSession : readSession;
      const operator = await find(sql, sha256(sessionId));
      if (operator === null) return null;
      const { id, operatorId, roles, language, timeZone, keys } = operator;
      const settings = { language, timeZone, keys };
      return { id, operatorId, roles, settings, token: tokens.issueOperatorToken(operator) };
    },
    end: (sessionId) => deleteSession(sql, sha256(sessionId)),
    endAll: async (sessionId) => {
      const operator = await readSession(sql, sha256(sessionId));
      if (operator !== null) await deleteSessionsOf(sql, operator.id);
    },
  };
}
