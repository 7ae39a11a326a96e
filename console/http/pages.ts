import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import { createHash } from 'node:crypto';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { html, type Html } from '../html/html.ts';
import { layout, mainOf } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { sessionIdOf } from '../session/session-cookie.ts';
import { askToSignIn } from '../session/sign-in-form.ts';
import { textsOf } from '../texts/texts.ts';
import { Refusal } from './gateway-calls.ts';
import { sendAlone, sendDocument } from './send-document.ts';
import { languageOf, visitOf, type Act, type Pages, type ShowPage, type Visit } from './visit.ts';

type Explanation = {
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly reason?: string;
  readonly message?: string;
};

/** What the API says about a refusal: its code, its reason, and what it concerns. */
export function explained({ code, details }: Pick<Refusal, 'code' | 'details'>): Html {
  const { errors = [], reason, message } = details as Explanation;
  return html`<bdi class="id">${code} ${reason}</bdi>
    ${errors.map((error) => html`<br /><bdi>${error.field} ${error.message}</bdi>`)}
    ${message !== undefined && html`<br /><bdi>${message}</bdi>`}`;
}

/** What a form does. If the API refuses it, its page is shown again and says why. */
export const attempt =
  (act: Act, show: ShowPage): Act =>
  async (visit) => {
    try {
      return await act(visit);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error;
      if (status !== 400 && status !== 409 && status !== 422) throw error;
      const reason = html`${visit.texts.failures[status]} ${explained(error)}`;
      return { ...(await show(visit, ui.failureNote(reason))), status };
    }
  };

/** How long operators of the same roles share what a live view has read. */
const sharedMs = 4_000;

/** The part of a live view that the browser's module replaces, with its entity tag. */
type LivePart = { readonly html: Html; readonly etag: string };

/** Whether the browser's module asks, which needs the part only and is no act of a person. */
const asksForPart = ({ headers }: FastifyRequest): boolean => headers['x-live'] !== undefined;

/**
 * Makes parts, which must depend on the operator's roles only: many open consoles read a part again
 * every few seconds.
 */
function createLiveParts(): (visit: Visit, make: () => Promise<Html>) => Promise<LivePart> {
  const parts = new Map<string, Promise<LivePart>>();
  return ({ operator, language, url }, make) => {
    const key = JSON.stringify([operator.roles.toSorted(), language, url]);
    const shared = parts.get(key);
    if (shared !== undefined) return shared;
    const made = make().then((html) => {
      const digest = createHash('sha256').update(String(html)).digest('base64url');
      return { html, etag: `W/"${digest}"` };
    });
    parts.set(key, made);
    setTimeout(() => parts.delete(key), sharedMs).unref();
    return made;
  };
}

/** Sends a part, or 304 to a browser that has it. */
function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, etag }: LivePart,
): FastifyReply {
  void reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return sendDocument(reply, 200, html);
}

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
