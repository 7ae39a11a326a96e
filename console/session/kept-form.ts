import type { FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { pathInConsole, sessionIdOf } from './session-cookie.ts';
import type { Seals } from './seals.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A form that was sent after its session had ended. */
export type KeptForm = {
  readonly path: string;
  readonly fields: Fields;
  /** The operator of that session; null if the browser has none any more. */
  readonly operatorId: string | null;
};

export type KeptForms = {
  /** The form of a request, sealed for the page of the sign-in. */
  readonly keep: (request: FastifyRequest) => Promise<string>;
  /** Null for a text that {@link KeptForms.keep} has not made within the last 30 minutes. */
  readonly open: (kept: string) => KeptForm | null;
};

/**
 * Forms that the page of the sign-in keeps, so that nothing that was written is lost and no address
 * has it. Only a form that passed the check of its origin is kept, and only in a body.
 */
export const createKeptForms = (sessions: OperatorSessions, seals: Seals): KeptForms => ({
  keep: async (request) => {
    const sessionId = sessionIdOf(request);
    const kept: KeptForm = {
      path: pathInConsole(request.url),
      fields: (request.body ?? {}) as Fields,
      operatorId: sessionId && (await sessions.operatorIdOf(sessionId)),
    };
    return seals.seal('kept form', kept);
  },
  open: (kept) => seals.open('kept form', kept) as KeptForm | null,
});
