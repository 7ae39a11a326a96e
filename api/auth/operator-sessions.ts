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
import type { Dependencies } from '../dependencies.ts';

/** The sessions of operators in the console. A session's id is the value of its cookie. */
export const createOperatorSessions = ({ sql, tokens }: Pick<Dependencies, 'sql' | 'tokens'>) => ({
  /** Begins a session with the token of a log-in, and returns its id. */
  begin: async (token: string): Promise<string> => {
    const caller = tokens.verify(token);
    if (caller.side !== 'operator') throw new Error('only operators have sessions');
    const sessionId = newSecret('cs');
    await insertSession(sql, sha256(sessionId), caller);
    return sessionId;
  },
  /** The operator of a session that is open or ended a short time ago; else null. */
  operatorIdOf: (sessionId: string): Promise<string | null> =>
    findOperatorId(sql, sha256(sessionId)),
  /**
   * The operator with a new token for calls of the API; null once the session has ended. A request
   * that no person makes leaves the session as idle as it is.
   */
  resume: async (sessionId: string, isOfPerson = true) => {
    const find = isOfPerson ? resumeSession : readSession;
    const operator = await find(sql, sha256(sessionId));
    if (operator === null) return null;
    const { id, operatorId, roles, language, timeZone, keys } = operator;
    const settings: OperatorSettings = { language, timeZone, keys };
    return { id, operatorId, roles, settings, token: tokens.issueOperatorToken(operator) };
  },
  end: (sessionId: string): Promise<void> => deleteSession(sql, sha256(sessionId)),
  /** Ends every session of the operator of a session. */
  endAll: async (sessionId: string): Promise<void> => {
    const operator = await readSession(sql, sha256(sessionId));
    if (operator !== null) await deleteSessionsOf(sql, operator.id);
  },
});

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;
/** The operator of a session, with a new token for calls of the API. */
export type SignedIn = NonNullable<Awaited<ReturnType<OperatorSessions['resume']>>>;
