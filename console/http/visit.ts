import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '../../api/auth/operator-sessions.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import type { Html, Part } from '../html/html.ts';
import { textsOf, type Texts } from '../texts/texts.ts';
import { instant, span, type Language } from '../html/formats.ts';
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
  /** The time from an instant until now. */
  readonly since: (iso: string) => string;
  readonly may: (role: OperatorRole) => boolean;
  /** Reads from the API. */
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
  /** Default: the title. */
  readonly heading?: Part;
  /** What stands above and beside the heading. */
  readonly above?: Part;
  readonly beside?: Part;
  /** What the form before has done, or why it did nothing. */
  readonly notice?: Part;
  readonly content: Part;
  /** What stands beside the content. */
  readonly aside?: Part;
  /** What the operator may do. */
  readonly actions?: Part;
  /** Default: 200. */
  readonly status?: number;
  /** After so many seconds, a browser loads the page again. */
  readonly refreshSeconds?: number | null;
};
export type Next = { readonly next: string };

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

/** Every text that a request has by a name. */
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
