import type { FastifyError, FastifyInstance } from 'fastify';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { html } from '../html/html.ts';
import { documentOf, layout, mainOf } from '../html/layout.ts';
import { askToSignIn } from '../session/ask-to-sign-in.ts';
import { sessionIdOf } from '../session/session-cookie.ts';
import { textsOf } from '../texts/texts.ts';
import { explained } from './attempt.ts';
import { Refusal } from './gateway-calls.ts';
import { asksForPart, createLiveParts, sendPart, type LivePart } from './live-parts.ts';
import { sendDocument } from './send-document.ts';
import { languageOf, visitOf, type Next, type Page, type Visit } from './visit.ts';

/**
 * Adds pages to the console: `show` for a GET, `submit` for a form's POST, `live` for a GET that the
 * browser's module repeats while the page is visible. A live page depends on the operator's roles
 * only, because operators share it.
 */
export type Pages = {
  readonly show: (path: string, page: (visit: Visit) => Promise<Page | Next>) => void;
  readonly live: (path: string, page: (visit: Visit) => Promise<Page>) => void;
  readonly submit: (
    path: string,
    act: (visit: Visit) => Promise<Page | Next>,
    /** Of the form; default: 64 KiB. */
    bytesMax?: number,
  ) => void;
};
export type AddPages = (pages: Pages) => void;

export function pagesOf(scope: FastifyInstance, sessions: OperatorSessions): Pages {
  const partOf = createLiveParts();
  const add = (
    method: 'GET' | 'POST',
    url: string,
    answer: (visit: Visit) => Promise<Page | Next>,
    {
      readPart,
      bytesMax,
    }: { readPart?: (visit: Visit) => Promise<LivePart>; bytesMax?: number } = {},
  ): void => {
    scope.route({
      method,
      url,
      ...(bytesMax !== undefined && { bodyLimit: bytesMax }),
      schema: { hide: true },
      handler: async (request, reply) => {
        const part = asksForPart(request) ? readPart : undefined;
        const sessionId = sessionIdOf(request);
        const operator =
          sessionId === null ? null : await sessions.resume(sessionId, part === undefined);
        if (operator === null) return askToSignIn(request, reply);
        const visit = visitOf(request, operator);
        if (part !== undefined) return sendPart(request, reply, await part(visit));
        const answered = await answer(visit);
        if ('next' in answered) return reply.redirect(answered.next, 303);
        const document = layout(visit, answered, readPart !== undefined);
        return sendDocument(reply, answered.status ?? 200, document);
      },
    });
  };
  return {
    show: (path, page) => add('GET', path, page),
    live: (path, page) =>
      add('GET', path, page, {
        readPart: (visit) => partOf(visit, async () => mainOf((await page(visit)).body, true)),
      }),
    submit: (path, act, bytesMax) =>
      add('POST', path, act, bytesMax === undefined ? {} : { bytesMax }),
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
    const language = languageOf(request);
    const { failures, back } = textsOf(language);
    const title = failures[status as keyof typeof failures] ?? failures[500];
    return sendDocument(
      reply,
      status,
      documentOf(
        language,
        title,
        html`<main class="alone card">
          <h1>${title}</h1>
          <p class="muted">${error instanceof Refusal && explained(error)}</p>
          <p class="muted">${request.id}</p>
          <a class="button" href="/console">${back}</a>
        </main>`,
      ),
    );
  });
}
