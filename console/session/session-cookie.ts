import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';

/** HTTP on the machine itself, where browsers keep no `__Host-` cookie. */
const isLoopback = ({ protocol, hostname }: FastifyRequest): boolean =>
  protocol === 'http' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Whether a browser keeps the cookie: over HTTPS, or on the machine itself. */
export const keepsCookies = (request: FastifyRequest, publicUrl: string): boolean =>
  isLoopback(request) || request.protocol === 'https' || publicUrl.startsWith('https:');

const nameFor = (request: FastifyRequest): string =>
  isLoopback(request) ? 'console' : '__Host-console';

export const sessionIdOf = (request: FastifyRequest): string | null =>
  request.cookies[nameFor(request)] ?? null;

/** The operator of a request's session, which a request of a person keeps alive; null without one. */
export async function resume(sessions: OperatorSessions, request: FastifyRequest, byPerson = true) {
  const sessionId = sessionIdOf(request);
  request.signedIn = sessionId === null ? null : await sessions.resume(sessionId, byPerson);
  return request.signedIn;
}

/** Sets the cookie of a session until the browser closes; null removes it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  sessionId: string | null,
): void {
  const secure = !isLoopback(request);
  const options = { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
  if (sessionId === null) void reply.clearCookie(nameFor(request), options);
  else void reply.setCookie(nameFor(request), sessionId, options);
}

/** Remembers the language for the pages without a session, for a year. */
export const setLanguageCookie = (reply: FastifyReply, language: 'en' | 'ar'): FastifyReply =>
  reply.setCookie('console-language', language, {
    path: '/console',
    sameSite: 'strict',
    httpOnly: true,
    maxAge: 365 * 86_400,
  });

/** The path of a page of the console, or its home: a link must not lead elsewhere after sign-in. */
export function pathInConsole(to: string): string {
  const base = 'http://console.invalid';
  if (!/^\/console(?:[/?]|$)/.test(to) || !URL.canParse(to, base)) return '/console';
  const { origin, pathname, search } = new URL(to, base);
  const isInside = origin === base && /^\/console(?:\/|$)/.test(pathname);
  return isInside ? pathname + search : '/console';
}
