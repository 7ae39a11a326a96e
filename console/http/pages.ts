import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import type { OperatorSessions } from '../../api/auth/operator-sessions.ts';
import { preferredType } from '../../domain/accept-header.ts';
import type { OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { FieldError } from '../../domain/errors.ts';
import { html, type Html } from '../html/html.ts';
import { layout, mainOf, sendAlone, sendDocument } from '../html/layout.ts';
import * as ui from '../html/ui.ts';
import { isOfAnother, type Fields, type KeptForms } from '../session/kept-form.ts';
import { resume } from '../session/session-cookie.ts';
import { formAgain } from '../session/show-kept-form.ts';
import { askToSignIn } from '../session/sign-in-form.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { isId } from './api-path.ts';
import { sendCsv } from './csv-export.ts';
import { PageEnded } from './gateway-calls.ts';
import { Refusal } from './refusal.ts';
import { languageOf, pathOfPage, visitOf } from './visit.ts';
import type { Act, Pages, ShowPage, Visit } from './visit.ts';

type Explanation = {
  readonly errors?: readonly FieldError[];
  readonly reason?: string;
  readonly message?: string;
  readonly decidedBy?: string | null;
  readonly decision?: string;
  readonly at?: string;
  readonly requiredRole?: OperatorRole;
};

/** What the API says about a refusal: its code, its reason, what it concerns, and who was first. */
export function explained(
  { codes, returns, roles, needsRole }: Texts,
  { code, details }: Pick<Refusal, 'code' | 'details'>,
  instant: (iso: string) => Html = ui.own,
): Html {
  const {
    errors = [],
    reason,
    message,
    decision,
    decidedBy,
    at,
    requiredRole,
  } = details as Explanation;
  const lines = [
    ...errors.map((error) => {
      const fault = codes.fieldError(error.code, error.message);
      return fault === error.message
        ? `${error.field} ${fault}`
        : html`${ui.code(error.field)}: ${fault} ${ui.muted(ui.code(error.code))}`;
    }),
    message,
    requiredRole && needsRole(roles[requiredRole]),
  ];
  const first =
    decision !== undefined &&
    html`<br /><b>${codes.auditAction(decision)}</b> · ${ui.own(decidedBy ?? returns.bySilence)} ·
      ${at !== undefined && instant(at)}`;
  return html`${ui.code(html`${code} ${reason}`)} ${first}
  ${lines.map((line) => line !== undefined && html`<br />${ui.own(line)}`)}`;
}

/** The statuses of the API after which a page is shown again with what was typed. */
const shownAgain = [400, 409, 422, 429, 503, 504] as const;

/** What a form does. If the API refuses it, its page is shown again and says why. */
export const attempt =
  (act: Act, show: ShowPage): Act =>
  async (visit) => {
    try {
      return await act(visit);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const status = shownAgain.find((each) => each === error.status);
      if (status === undefined) throw error;
      visit.found.isKeyReused = error.code === 'BUSINESS_IDEMPOTENCY_KEY_REUSED';
      const { errors = [] } = error.details as Explanation;
      const { fieldError } = visit.texts.codes;
      for (const { path, code, message } of errors)
        visit.faults.set(path.split('/')[1] ?? '', fieldError(code, message));
      const reason = html`${visit.texts.failures[status]}
      ${explained(visit.texts, error, visit.instant)}`;
      return { ...(await show(visit, ui.failureNote(reason))), status };
    }
  };

/** How long operators of the same roles share what a live view has read. */
const sharedMs = 4_000;

/** Who gets a live page that was read once: the operators of the same roles, or only the one. */
type SharedBy = 'roles' | 'operator';

/**
 * Makes the parts of live views that the browser's module replaces. Those that are shared by roles
 * must depend on nothing else of the operator: many open consoles read a part again every few
 * seconds.
 */
function createLiveParts(): (visit: Visit, page: ShowPage, sharedBy: SharedBy) => Promise<Html> {
  const parts = new Map<string, Promise<Html>>();
  return (visit, page, sharedBy) => {
    const { operator, language, zone, url } = visit;
    // Who was overtaken may be the operator's own earlier form.
    const isShared = sharedBy === 'roles' && visit.value('overtaken') === '';
    const owner = isShared ? operator.roles.toSorted() : operator.id;
    const key = JSON.stringify([owner, language, zone, url]);
    const shared =
      parts.get(key) ?? page(visit).then((made) => mainOf(made, made.isEnded !== true));
    if (!parts.has(key)) setTimeout(() => parts.delete(key), sharedMs).unref();
    parts.set(key, shared);
    return shared;
  };
}

/** Sends a part, or 304 to a browser that has it. */
function sendPart(request: FastifyRequest, reply: FastifyReply, part: Html): FastifyReply {
  const etag = `W/"${createHash('sha256').update(String(part)).digest('base64url')}"`;
  void reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return sendDocument(reply, 200, part);
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** A page that ends early sends nothing more. */
const untilEnded =
  (handler: Handler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    try {
      return await handler(request, reply);
    } catch (error) {
      if (!(error instanceof PageEnded)) throw error;
      if (!reply.sent) void reply.hijack();
      return undefined;
    }
  };

export function pagesOf(
  scope: FastifyInstance,
  sessions: OperatorSessions,
  keptForms: KeptForms,
): Pages {
  const partOf = createLiveParts();
  const add = (
    route: { readonly method: 'GET' | 'POST'; readonly url: string },
    act: Act,
    page?: ShowPage,
    sharedBy: SharedBy = 'roles',
  ): void => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      // The browser's module needs the part only.
      const live = request.headers['x-live'] === undefined ? undefined : page;
      // A live view repeats without a person.
      const operator = await resume(sessions, request, live === undefined);
      if (operator === null || isOfAnother(request)) return askToSignIn(request, reply, keptForms);
      const visit = visitOf(request, live === undefined ? reply : null, operator);
      const { id } = request.params as { readonly id?: string };
      if (id !== undefined && !isId(id)) throw new Refusal(404, 'NOT_FOUND_ROUTE');
      if (live !== undefined) return sendPart(request, reply, await partOf(visit, live, sharedBy));
      const done = await act(visit);
      if ('next' in done) return reply.redirect(done.next, 303);
      const listed = visit.value('csv') === 'true' ? ui.exportedBy(visit) : null;
      if (listed !== null) return sendCsv(visitOf(request, null, operator), reply, listed);
      const document = layout(visit, done, page !== undefined && done.isEnded !== true);
      return sendDocument(reply, done.status ?? 200, document);
    };
    scope.route({ ...route, schema: { hide: true }, handler: untilEnded(handler) });
  };
  return {
    show: (url, page) => add({ method: 'GET', url }, (visit) => page(visit)),
    live: (url, page, act = page) => add({ method: 'GET', url }, (visit) => act(visit), page),
    liveForOne: (url, page) =>
      add({ method: 'GET', url }, (visit) => page(visit), page, 'operator'),
    submit: (url, act, page) => {
      add({ method: 'POST', url }, attempt(act, page));
      // A browser has the address of a form that was refused.
      if (!scope.hasRoute({ method: 'GET', url }))
        scope.get(url, { schema: { hide: true } }, (request, reply) =>
          reply.redirect(pathOfPage(request.url), 303),
        );
    },
  };
}

const types = ['text/html', 'application/json'] as const;

/**
 * Answers errors as pages, and in JSON to a caller that prefers it. A session that ended meanwhile
 * leads to the sign-in. `isPassing` knows the failures that are over at a later try.
 */
export function handlePageErrors(
  scope: FastifyInstance,
  keptForms: KeptForms,
  isPassing: (error: unknown) => boolean,
): void {
  scope.setErrorHandler<FastifyError | Refusal>(async (error, request, reply) => {
    const refusal = error instanceof Refusal ? error : null;
    const known = refusal?.status ?? (error as FastifyError).statusCode;
    const status = known ?? (isPassing(error) ? 503 : 500);
    if (refusal !== null && status === 401) return askToSignIn(request, reply, keptForms);
    request.errorCode = 'code' in error ? error.code : null;
    if (status >= 500) request.log.error({ err: error, status }, 'a page failed');
    if ('headers' in error) void reply.headers(error.headers);
    if (preferredType(request.headers.accept ?? '', types) === 'application/json') {
      if (refusal === null) throw error;
      const { code: state, details } = refusal;
      return reply.code(status).send({ state, payload: null, details });
    }
    const texts = textsOf(languageOf(request));
    const { failures, back } = texts;
    const title = failures[status as keyof typeof failures] ?? failures[500];
    const { signedIn } = request;
    // The page of the form cannot be read either: what was typed must not be lost.
    const isKept = signedIn !== null && request.method === 'POST' && status >= 500;
    const form = { path: request.url, fields: (request.body ?? {}) as Fields };
    const content = html`${refusal && ui.muted(explained(texts, refusal))} ${ui.hint(request.id)}
      ${isKept && formAgain(texts, form)} <a class="button" href="/console">${back}</a>`;
    if (signedIn === null) return sendAlone(request, reply, { status, title, content });
    const visit = visitOf(request, reply, signedIn);
    return sendDocument(reply, status, layout(visit, { title, content }, false));
  });
}
