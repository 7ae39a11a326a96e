import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { html } from '../html/html.ts';
import { layout, mainOf } from '../html/layout.ts';
import { askToSignIn } from '../session/sign-in-form.ts';
import { sessionIdOf } from '../session/session-cookie.ts';
import { textsOf } from '../texts/texts.ts';
import { attempt, explained, type Act, type ShowPage } from './attempt.ts';
import { Refusal } from './gateway-calls.ts';
import { asksForPart, createLiveParts, sendPart } from './live-parts.ts';
import { sendAlone, sendDocument } from './send-document.ts';
import { languageOf, visitOf } from './visit.ts';

/**
 * Adds pages to the console: `show` for a GET, `live` for a GET that the browser's module repeats
 * while the page is visible, and `submit` for a form's POST. A live page depends on the operator's
 * roles only, because operators share it. A form that is refused shows its page again. Forms have
 * up to 64 KiB unless they may have more.
 */
export type Pages = {
  readonly show: (path: string, page: Act) => void;
  readonly live: (path: string, page: ShowPage) => void;
  readonly submit: (path: string, act: Act, page: ShowPage, bytesMax?: number) => void;
};
export type AddPages = (pages: Pages) => void;

export function pagesOf(scope: FastifyInstance, sessions: OperatorSessions): Pages {
  const partOf = createLiveParts();
  const add = (
    route: Pick<RouteOptions, 'method' | 'url' | 'bodyLimit'>,
    answer: Act,
    page?: ShowPage,
  ): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const asked = asksForPart(request) ? page : undefined;
      const sessionId = sessionIdOf(request);
      const operator =
        sessionId === null ? null : await sessions.resume(sessionId, asked === undefined);
      if (operator === null) return askToSignIn(request, reply);
      const visit = visitOf(request, operator);
      if (asked !== undefined) {
        const part = await partOf(visit, async () => mainOf(await asked(visit), true));
        return sendPart(request, reply, part);
      }
      const answered = await answer(visit);
      if ('next' in answered) return reply.redirect(answered.next, 303);
      const document = layout(visit, answered, page !== undefined);
      return sendDocument(reply, answered.status ?? 200, document);
    };
    scope.route({ ...route, schema: { hide: true }, handler });
  };
  return {
    show: (url, page) => add({ method: 'GET', url }, (visit) => page(visit)),
    live: (url, page) => add({ method: 'GET', url }, (visit) => page(visit), page),
    submit: (url, act, page, bodyLimit = 64 * 1024) =>
      add({ method: 'POST', url, bodyLimit }, attempt(act, page)),
  };
}

/** Fastify's own errors have a status; a {@link Refusal} is of the API. */
const statusOf = (error: FastifyError | Refusal): number =>
  error instanceof Refusal ? error.status : (error.statusCode ?? 500);

/** Answers errors as pages. A session that ended meanwhile leads to the sign-in. */
export function handlePageErrors(scope: FastifyInstance): void {
  scope.setErrorHandler<FastifyError | Refusal>((error, request, reply) => {
    const status = statusOf(error);
    if (error instanceof Refusal && status === 401) return askToSignIn(request, reply);
    request.errorCode = 'code' in error ? error.code : null;
    if (status >= 500) request.log.error({ err: error, status }, 'a page failed');
    if (error instanceof Refusal && error.retryAfter !== null)
      void reply.header('retry-after', error.retryAfter);
    const { failures, back } = textsOf(languageOf(request));
    const title = failures[status as keyof typeof failures] ?? failures[500];
    const content = html`<p class="muted">${error instanceof Refusal && explained(error)}</p>
      <p class="muted">${request.id}</p>
      <a class="button" href="/console">${back}</a>`;
    return sendAlone(request, reply, { status, title, content });
  });
}
