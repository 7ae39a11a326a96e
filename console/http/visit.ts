import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../api/auth/operator-sessions.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { instant, span, type Language } from '../html/formats.ts';
import type { Html, Part } from '../html/html.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { callGateway, withQuery, type Answer } from './gateway-calls.ts';

type Query = Parameters<typeof withQuery>[1];

/** One request of an operator who is signed in. */
export type Visit = {
  readonly operator: SignedIn;
  /** The path and the query of the page. */
  readonly url: string;
  /** A parameter of the path, of the query or of the form; the empty text if there is none. */
  readonly value: (name: string) => string;
  /** The id in the path, in the form that other paths have it. */
  readonly id: string;
  /** A parameter that has one of these values; else the empty text. */
  readonly choice: <T extends string>(name: string, values: readonly T[]) => T | '';
  /** Every value of a parameter of the query or the form that may occur several times. */
  readonly list: (name: string) => readonly string[];
  readonly language: Language;
  readonly texts: Texts;
  readonly instant: (iso: string | null) => Html;
  readonly since: (iso: string) => string;
  readonly may: (role: OperatorRole) => boolean;
  readonly read: <T>(path: string, query?: Query) => Promise<T>;
  /** Reads from the API a payload with its details. */
  readonly readAll: <A extends Answer>(path: string, query: Query) => Promise<A>;
  /** Changes something by the API, by a POST unless `how` has another method. */
  readonly send: <T>(
    path: string,
    body?: object,
    how?: { readonly method?: 'PATCH'; readonly idempotencyKey?: string },
  ) => Promise<T>;
};

/** What answers a visit: a page, or the path of the next one. */
export type Page = {
  readonly title: string;
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

/**
 * Reads values of a request by name; the empty text if there is none. The path wins over the form,
 * and the form over the query.
 */
export function valuesOf({ params, query, body }: FastifyRequest): (name: string) => string {
  const values: Readonly<Record<string, unknown>> = {
    ...(query as object),
    ...(body as object),
    ...(params as object),
  };
  return (name) => {
    const value = Object.hasOwn(values, name) ? values[name] : '';
    return typeof value === 'string' ? value : '';
  };
}

const listOf =
  ({ query, body }: FastifyRequest) =>
  (name: string): readonly string[] => {
    const values: Readonly<Record<string, unknown>> = { ...(query as object), ...(body as object) };
    return [values[name]].flat().filter((value) => typeof value === 'string');
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

export function visitOf(request: FastifyRequest, operator: SignedIn): Visit {
  const language = languageOf(request);
  const values = valuesOf(request);
  const { token } = operator;
  const readAll = <A extends Answer>(path: string, query: Query) =>
    callGateway<A>(request, { method: 'GET', url: withQuery(path, query), token, language });
  return {
    operator,
    url: request.method === 'POST' ? pathOfPage(request.url) : request.url,
    value: (name) => values(name).trim(),
    id: encodeURIComponent(values('id')),
    choice: (name, choices) => choices.find((each) => each === values(name)) ?? '',
    list: listOf(request),
    language,
    texts: textsOf(language),
    instant: (iso) => instant(iso, language),
    since: (iso) => span(Date.now() - Date.parse(iso), language),
    may: (role) => hasRole(operator.roles, role),
    read: async <T>(path: string, query = {}) =>
      (await readAll<Answer & { payload: T }>(path, query)).payload,
    readAll,
    send: async <T>(path: string, body?: object, how = {}) => {
      const call = { method: 'POST', url: path, token, language, body, ...how } as const;
      return (await callGateway<Answer & { payload: T }>(request, call)).payload;
    },
  };
}
