import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { inUnits } from '../html/formats.ts';
import { callGateway, Refusal } from '../http/gateway-calls.ts';
import { languageOf, valueOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { keepsCookies, pathInConsole, sessionIdOf, setSessionCookie } from './session-cookie.ts';
import { keptFormOf, showKeptForm, showSignIn } from './sign-in-form.ts';

const hidden = { schema: { hide: true }, bodyLimit: 64 * 1024 } as const;
/** A kept form of 512 KiB has up to twice as much here: it is JSON, which is encoded again. */
const withKeptForm = { ...hidden, bodyLimit: 1024 * 1024 };

/** Why a sign-in has failed; null for an error that is no answer to it. */
function failureOf({ status, headers }: Refusal, request: FastifyRequest): string | null {
  const language = languageOf(request);
  const { signIn } = textsOf(language);
  const seconds = Number(headers['retry-after'] ?? 60);
  if (status === 429) return signIn.limited(inUnits(seconds, 'second', language));
  return status === 400 || status === 401 ? signIn.wrong : null;
}

const leadTo = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(pathInConsole(valueOf(request, 'to')), 303);

const leaving =
  (end: (sessionId: string) => Promise<void>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const sessionId = sessionIdOf(request);
    if (sessionId !== null) await end(sessionId);
    setSessionCookie(request, reply, null);
    return reply.redirect('/console/sign-in', 303);
  };

/** Sign-in, sign-out, sign-out everywhere, and the choice of the language. */
export function addSignIn(
  scope: FastifyInstance,
  sessions: OperatorSessions,
  publicUrl: string,
): void {
  /** Begins a session, which replaces that of the browser. Throws a {@link Refusal}. */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const text = (name: string): string => valueOf(request, name).trim();
    const { payload } = await callGateway<{ readonly accessToken: string }>(request, {
      method: 'POST',
      url: '/operator/v1/auth/token',
      headers: { 'accept-language': languageOf(request) },
      payload: { operatorId: text('operatorId'), operatorSecret: text('operatorSecret') },
    });
    const earlier = sessionIdOf(request);
    if (earlier !== null) await sessions.end(earlier);
    setSessionCookie(request, reply, await sessions.begin(payload.accessToken));
  };
  const needsHttps = (request: FastifyRequest): string | null =>
    keepsCookies(request, publicUrl) ? null : textsOf(languageOf(request)).signIn.needsHttps;
  scope.get('/console/sign-in', hidden, async (request, reply) =>
    showSignIn(request, reply, 200, { failure: needsHttps(request) }),
  );
  scope.post('/console/sign-in', withKeptForm, async (request, reply) => {
    let failure = needsHttps(request);
    if (failure !== null) return showSignIn(request, reply, 403, { failure });
    try {
      await begin(request, reply);
    } catch (error) {
      failure = error instanceof Refusal ? failureOf(error, request) : null;
      if (failure === null) throw error;
      return showSignIn(request, reply, (error as Refusal).status, { failure });
    }
    const kept = keptFormOf(request);
    return kept === null ? leadTo(request, reply) : showKeptForm(request, reply, kept);
  });
  scope.post('/console/sign-out', hidden, leaving(sessions.end));
  scope.post('/console/sign-out-everywhere', hidden, leaving(sessions.endAll));
  scope.post('/console/language', hidden, async (request, reply) => {
    const language = valueOf(request, 'language') === 'ar' ? 'ar' : 'en';
    const options = { path: '/console', sameSite: 'strict', httpOnly: true } as const;
    return leadTo(request, reply.setCookie('console-language', language, options));
  });
}
