import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { withoutInvisible } from '../../domain/texts/invisible.ts';
import { inUnits } from '../html/formats.ts';
import { apiPath } from '../http/api-path.ts';
import { callGateway } from '../http/gateway-calls.ts';
import { Refusal } from '../http/refusal.ts';
import { languageOf, sentValueOf, valueOf, visitOf } from '../http/visit.ts';
import { textsOf } from '../texts/texts.ts';
import { isOfAnother, type KeptForms } from './kept-form.ts';
import {
  keepsCookies,
  pathInConsole,
  resume,
  sessionIdOf,
  setLanguageCookie,
  setSessionCookie,
} from './session-cookie.ts';
import { saveSettings } from './settings.ts';
import { showKeptForm, showLostForm } from './show-kept-form.ts';
import { askToSignIn, showSignIn } from './sign-in-form.ts';

const hidden = { schema: { hide: true }, bodyLimit: 64 * 1024 } as const;
/** A kept form of 512 KiB has up to twice as much here: it is JSON, which is encoded again. */
const withKeptForm = { ...hidden, bodyLimit: 1024 * 1024 };

/** Why a sign-in has failed; null for an error of another cause. */
function failureOf({ status, headers }: Refusal, request: FastifyRequest): string | null {
  const language = languageOf(request);
  const { signIn } = textsOf(language);
  const seconds = Number(headers['retry-after'] ?? 60);
  if (status === 429) return signIn.limited(inUnits(seconds, 'second', language));
  return status === 400 || status === 401 ? signIn.wrong : null;
}

const leadTo = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.redirect(pathInConsole(valueOf(request, 'to')), 303);

/** Sign-in, sign-out, sign-out everywhere, and the choice of the language. */
export function addSignIn(
  scope: FastifyInstance,
  sessions: OperatorSessions,
  keptForms: KeptForms,
  publicUrl: string,
): void {
  /** Begins a session, which replaces the browser's earlier one, and returns its operator's id. */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<string | null> => {
    // What is pasted may have marks that cannot be seen around it.
    const text = (name: string): string => withoutInvisible(valueOf(request, name)).trim();
    const { payload } = await callGateway<{ readonly accessToken: string }>(request, reply, {
      method: 'POST',
      path: apiPath`/operator/v1/auth/token`,
      headers: { 'accept-language': languageOf(request) },
      body: { operatorId: text('operatorId'), operatorSecret: text('operatorSecret') },
    });
    const earlier = sessionIdOf(request);
    if (earlier !== null) await sessions.end(earlier);
    const sessionId = await sessions.begin(payload.accessToken);
    setSessionCookie(request, reply, sessionId);
    return sessions.operatorIdOf(sessionId);
  };
  const leaving =
    (end: (sessionId: string) => Promise<void>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const sessionId = sessionIdOf(request);
      await resume(sessions, request);
      if (isOfAnother(request)) return askToSignIn(request, reply, keptForms);
      if (sessionId !== null) await end(sessionId);
      setSessionCookie(request, reply, null);
      return reply.redirect('/console/sign-in', 303);
    };
  const needsHttps = (request: FastifyRequest): string | null =>
    keepsCookies(request, publicUrl) ? null : textsOf(languageOf(request)).signIn.needsHttps;
  scope.get('/console/sign-in', hidden, async (request, reply) =>
    showSignIn(request, reply, 200, { failure: needsHttps(request) }),
  );
  scope.post('/console/sign-in', withKeptForm, async (request, reply) => {
    let failure = needsHttps(request);
    const sealed = sentValueOf(request, 'kept');
    const form = keptForms.open(sealed);
    const kept = sealed !== '' && form === null ? null : sealed;
    if (failure !== null) return showSignIn(request, reply, 403, { failure, kept });
    let operatorId: string | null;
    try {
      operatorId = await begin(request, reply);
    } catch (error) {
      failure = error instanceof Refusal ? failureOf(error, request) : null;
      if (failure === null) throw error;
      return showSignIn(request, reply, (error as Refusal).status, { failure, kept });
    }
    if (sealed === '') return leadTo(request, reply);
    const isOwn = form !== null && [null, operatorId].includes(form.operatorId);
    return isOwn ? showKeptForm(request, reply, form) : showLostForm(request, reply);
  });
  scope.post('/console/sign-out', hidden, leaving(sessions.end));
  scope.post('/console/sign-out-everywhere', hidden, leaving(sessions.endAll));
  scope.post('/console/language', hidden, async (request, reply) => {
    const language = valueOf(request, 'language') === 'ar' ? 'ar' : 'en';
    const operator = await resume(sessions, request);
    if (operator !== null && !isOfAnother(request))
      await saveSettings(visitOf(request, reply, operator), { language });
    return leadTo(request, setLanguageCookie(reply, language));
  });
}
