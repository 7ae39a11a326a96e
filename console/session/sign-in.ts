import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { callGateway, Refusal } from '../http/gateway-calls.ts';
import { languageOf, valueOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { keepsCookies, pathInConsole, sessionIdOf, setSessionCookie } from './session-cookie.ts';
import { keptFormOf, showKeptForm, showSignIn } from './sign-in-form.ts';

const hidden = { schema: { hide: true } } as const;

/** Why a sign-in has failed; null for an error that is no answer to it. */
function failureOf({ status, retryAfter }: Refusal, { signIn }: Texts): string | null {
  if (status === 429) return signIn.limited(Number(retryAfter ?? 60));
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
  scope.get('/console/sign-in', hidden, async (request, reply) => {
    const { needsHttps } = textsOf(languageOf(request)).signIn;
    const failure = keepsCookies(request, publicUrl) ? null : needsHttps;
    return showSignIn(request, reply, 200, { failure });
  });
  scope.post('/console/sign-in', hidden, async (request, reply) => {
    const texts = textsOf(languageOf(request));
    if (!keepsCookies(request, publicUrl))
      return showSignIn(request, reply, 403, { failure: texts.signIn.needsHttps });
    try {
      await begin(request, reply);
    } catch (error) {
      const failure = error instanceof Refusal ? failureOf(error, texts) : null;
      if (failure === null) throw error;
      return showSignIn(request, reply, (error as Refusal).status, { failure });
    }
    const kept = keptFormOf(request);
    return kept === null ? leadTo(request, reply) : showKeptForm(request, reply, kept);
  });
  scope.post('/console/sign-out', hidden, leaving(sessions.end));
  scope.post(
    '/console/sign-out-everywhere',
    hidden,
    leaving(async (sessionId) => {
      const operator = await sessions.resume(sessionId);
      if (operator !== null) await sessions.endAll(operator);
    }),
  );
  scope.post('/console/language', hidden, async (request, reply) => {
    const language = valueOf(request, 'language') === 'ar' ? 'ar' : 'en';
    const options = { path: '/console', sameSite: 'strict', httpOnly: true } as const;
    return leadTo(request, reply.setCookie('console-language', language, options));
  });
}
