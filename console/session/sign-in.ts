import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { html } from '../html/html.ts';
import { documentOf, languageForm } from '../html/layout.ts';
import { callGateway, Refusal, withQuery } from '../http/gateway-calls.ts';
import { sendDocument } from '../http/pages.ts';
import { languageOf, valuesOf } from '../http/visit.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { keepsCookies, pathInConsole, sessionIdOf, setSessionCookie } from './session-cookie.ts';

const hidden = { schema: { hide: true } } as const;

/** Why a sign-in has failed; null for an error that is no answer to it. */
function failureOf(error: unknown, { signIn }: Texts): string | null {
  if (!(error instanceof Refusal)) return null;
  if (error.status === 429) return signIn.limited(Number(error.retryAfter ?? 60));
  return error.status === 400 || error.status === 401 ? signIn.wrong : null;
}

type Shown = { readonly failure: string | null; readonly status: number };

function showForm(request: FastifyRequest, reply: FastifyReply, shown: Shown): FastifyReply {
  const language = languageOf(request);
  const { console: name, signIn } = textsOf(language);
  const to = pathInConsole(valuesOf(request)('to'));
  const body = html`<main class="alone card">
    <h1>${name}</h1>
    ${shown.failure !== null && html`<p class="notice bad" role="alert">${shown.failure}</p>`}
    <form method="post" action="/console/sign-in" class="stack">
      <input type="hidden" name="to" value="${to}" />
      <label>
        ${signIn.operatorId}
        <input
          name="operatorId"
          value="${valuesOf(request)('operatorId')}"
          dir="ltr"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          required
          autofocus
        />
      </label>
      <label>
        ${signIn.secret}
        <input
          name="operatorSecret"
          type="password"
          dir="ltr"
          autocomplete="current-password"
          required
        />
      </label>
      <button class="primary">${signIn.button}</button>
    </form>
    ${languageForm(language, withQuery('/console/sign-in', { to }))}
  </main>`;
  return sendDocument(reply, shown.status, documentOf(language, signIn.button, body));
}

const needsHttps = (request: FastifyRequest): string =>
  textsOf(languageOf(request)).signIn.needsHttps;

/** Ends a session and removes its cookie. */
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
    showForm(request, reply, { failure: keeps(request) ? null : needsHttps(request), status: 200 }),
  );
  scope.post('/console/sign-in', hidden, async (request, reply) => {
    if (!keeps(request))
      return showForm(request, reply, { failure: needsHttps(request), status: 403 });
    const language = languageOf(request);
    try {
      const { accessToken } = await callGateway<{ accessToken: string }>(request, {
        method: 'POST',
        url: '/operator/v1/auth/token',
        token: null,
        language,
        body: {
          operatorId: valuesOf(request)('operatorId').trim(),
          operatorSecret: valuesOf(request)('operatorSecret').trim(),
        },
      });
      const earlier = sessionIdOf(request);
      if (earlier !== null) await sessions.end(earlier);
      setSessionCookie(request, reply, await sessions.begin(accessToken));
    } catch (error) {
      const failure = failureOf(error, textsOf(language));
      if (failure === null) throw error;
      return showForm(request, reply, { failure, status: (error as Refusal).status });
    }
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
