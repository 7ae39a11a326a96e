import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../api/auth/operator-sessions.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { instant, span, withQuery, type Language, type Query } from '../html/formats.ts';
import type { Part } from '../html/html.ts';
import { textsOf } from '../texts/texts.ts';
import { callGateway } from './gateway-calls.ts';

/** The texts of a request by name. The path wins over the form, and the form over the query. */
const listOf = ({ params, query, body }: FastifyRequest, name: string): readonly string[] => {
  const values = Object.assign({}, query, body, params) as Readonly<Record<string, unknown>>;
  return [values[name]].flat().filter((value) => typeof value === 'string');
};

/** The only text of a request with this name, else the empty text. */
export const valueOf = (request: FastifyRequest, name: string): string => {
  const [value = '', ...others] = listOf(request, name);
  return others.length === 0 ? value : '';
};

export const languageOf = ({ cookies, headers }: FastifyRequest): Language => {
  // Null before the hook of the cookies has run.
  const chosen = (cookies as FastifyRequest['cookies'] | null)?.['console-language'];
  if (chosen === 'en' || chosen === 'ar') return chosen;
  return /^\s*ar\b/i.test(headers['accept-language'] ?? '') ? 'ar' : 'en';
};

/** The path of the page that has a form, from the form's own, which is below it. */
export const pathOfPage = (url: string): string =>
  /^\/console(?:\/[^/?]+){0,2}/.exec(url)?.[0] ?? '/console';

/** One request of an operator who is signed in. */
export function visitOf(request: FastifyRequest, operator: SignedIn) {
  const language = languageOf(request);
  const headers = { 'accept-language': language, authorization: `Bearer ${operator.token}` };
  const readAll = <T, D>(path: string, query: Query = {}) =>
    callGateway<T, D>(request, { method: 'GET', url: withQuery(path, query), headers });
  return {
    operator,
    may: (role: OperatorRole) => hasRole(operator.roles, role),
    /** The path of the page, with its query unless a form was sent. */
    url: request.method === 'POST' ? pathOfPage(request.url) : request.url,
    /** Where the form went that a page is shown again for, because it was refused; else empty. */
    sentTo: request.method === 'POST' ? request.url : '',
    /** The id in the path, in the form that other paths have it. */
    id: encodeURIComponent(valueOf(request, 'id')),
    /** A parameter of the path, of the query or of the form; the empty text if there is none. */
    value: (name: string) => valueOf(request, name).trim(),
    /** A parameter that has one of these values; else the empty text. */
    choice: <T extends string>(name: string, choices: readonly T[]): T | '' =>
      choices.find((each) => each === valueOf(request, name)) ?? '',
    /** Every value of a parameter that may occur several times. */
    list: (name: string) => listOf(request, name),
    language,
    texts: textsOf(language),
    instant: (iso: string | null) => instant(iso, language),
    since: (iso: string) => span(Date.now() - Date.parse(iso), language),
    read: async <T>(path: string, query?: Query) =>
      (await readAll<T, unknown>(path, query)).payload,
    /** Reads from the API a payload with its details. */
    readAll,
    /** Changes something by the API, by a POST unless `method` is another. */
    send: async <T>(path: string, body?: object, method: 'POST' | 'PATCH' = 'POST') => {
      // A form that is sent twice has the same key, so that it creates once (D92).
      const key = valueOf(request, 'key');
      const all = key === '' ? headers : { ...headers, 'idempotency-key': key };
      const call = { method, url: path, headers: all, ...(body && { payload: body }) };
      return (await callGateway<T>(request, call)).payload;
    },
  };
}
export type Visit = ReturnType<typeof visitOf>;

/** What answers a visit: a page, or the path of the next one. */
export type Page = {
  readonly title: string;
  /** The title as it is shown, if it is more than the text. */
  readonly heading?: Part;
  readonly above?: Part;
  readonly beside?: Part;
  /** What the form before has done, or why it did nothing. */
  readonly notice?: Part;
  readonly content: Part;
  readonly aside?: Part;
  readonly actions?: Part;
  readonly status?: number;
  /** After so many seconds, a browser loads the page again. */
  readonly refreshSeconds?: number | null;
};
export type Next = { readonly next: string };
export type Act = (visit: Visit) => Promise<Page | Next>;
/** A page, with a notice of what the form before has done or why it did nothing. */
export type ShowPage = (visit: Visit, notice?: Part) => Promise<Page>;

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

/** What a form does that makes one call of the API: it leads to its page, with a query if given. */
export const change =
  (call: (visit: Visit) => Promise<unknown>, query = ''): Act =>
  async (visit) => {
    await call(visit);
    return { next: `${visit.url}${query}` };
  };

/** Switches what has the path in the API on or off, as the form says. */
export const switchActive = ({ value, send }: Visit, path: string): Promise<unknown> =>
  send(`${path}/active`, { isActive: value('isActive') === 'true' }, 'PATCH');
