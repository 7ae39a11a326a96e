import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { callGateway, type Answer, Refusal } from '../http/gateway-calls.ts';
import { languageOf, valuesOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { keepsCookies, pathInConsole, sessionIdOf, setSessionCookie } from './session-cookie.ts';
import { keptFormOf, showKeptForm, showSignIn } from './sign-in-form.ts';

const hidden = { schema: { hide: true } } as const;

/** Why a sign-in has failed; null for an error that is no answer to it. */
function failureOf(error: unknown, { signIn }: Texts): string | null {
  if (!(error instanceof Refusal)) return null;
  if (error.status === 429) return signIn.limited(Number(error.retryAfter ?? 60));
  return error.status === 400 || error.status === 401 ? signIn.wrong : null;
}

const needsHttps = (request: FastifyRequest): string =>
  textsOf(languageOf(request)).signIn.needsHttps;

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
  const keeps = (request: FastifyRequest): boolean => keepsCookies(request, publicUrl);
  scope.get('/console/sign-in', hidden, async (request, reply) =>
    showSignIn(request, reply, {
      failure: keeps(request) ? null : needsHttps(request),
      status: 200,
    }),
  );
  scope.post('/console/sign-in', hidden, async (request, reply) => {
    if (!keeps(request))
      return showSignIn(request, reply, { failure: needsHttps(request), status: 403 });
    const language = languageOf(request);
    try {
      const { payload } = await callGateway<Answer & { payload: { accessToken: string } }>(
        request,
        {
          method: 'POST',
          url: '/operator/v1/auth/token',
          token: null,
          language,
          body: {
            operatorId: valuesOf(request)('operatorId').trim(),
            operatorSecret: valuesOf(request)('operatorSecret').trim(),
          },
        },
      );
      const earlier = sessionIdOf(request);
      if (earlier !== null) await sessions.end(earlier);
      setSessionCookie(request, reply, await sessions.begin(payload.accessToken));
    } catch (error) {
      const failure = failureOf(error, textsOf(language));
      if (failure === null) throw error;
      return showSignIn(request, reply, { failure, status: (error as Refusal).status });
    }
    const kept = keptFormOf(request);
    if (kept !== null) return showKeptForm(request, reply, kept);
    return reply.redirect(pathInConsole(valuesOf(request)('to')), 303);
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
    const language = valuesOf(request)('language') === 'ar' ? 'ar' : 'en';
    const path = '/console';
    void reply.setCookie('console-language', language, {
      path,
      sameSite: 'strict',
      httpOnly: true,
    });
    return reply.redirect(pathInConsole(valuesOf(request)('to')), 303);
  });
}
