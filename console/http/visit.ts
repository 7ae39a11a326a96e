import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../api/auth/operator-sessions.ts';
import { preferredLanguage } from '../../domain/accept-header.ts';
import { isTimeZone, languages } from '../../domain/accounts/operator-settings.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { plainNumber } from '../../domain/texts/typed-text.ts';
import { ago, instant, span, type Language, type Query } from '../html/formats.ts';
import type { Part } from '../html/html.ts';
import { textsOf } from '../texts/texts.ts';
import type { ApiPath } from './api-path.ts';
import { callGateway } from './gateway-calls.ts';
import type { Refusal } from './refusal.ts';

/** The texts of a request by name. The path wins over the form, and the form over the query. */
const listOf = ({ params, query, body }: FastifyRequest, name: string): readonly string[] => {
  const from = [params, body, query].find((values) => Object.hasOwn(values ?? {}, name));
  const value = (from as Readonly<Record<string, unknown>> | undefined)?.[name];
  // A browser sends each end of a line as two characters.
  return [value]
    .flat()
    .filter((each) => typeof each === 'string')
    .map((each) => each.replaceAll(/\r\n?/g, '\n'));
};

/** The only text of a request with this name, else the empty text. */
export const valueOf = (request: FastifyRequest, name: string): string => {
  const [value = '', ...others] = listOf(request, name);
  return others.length === 0 ? value : '';
};

/** The only text of a sent form with this name, else the empty text. An address cannot set it. */
export const sentValueOf = (request: FastifyRequest, name: string): string =>
  Object.hasOwn(request.body ?? {}, name) ? valueOf(request, name) : '';

/** Whether another site or a typed address led to this page. Older browsers do not say. */
const isFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  !['same-origin', undefined].includes(headers['sec-fetch-site']);

declare module 'fastify' {
  interface FastifyRequest {
    /** The operator of the session; null without one. */
    signedIn: SignedIn | null;
  }
}

/** The language of a page: the operator's, the last page's in this browser, or the browser's. */
export const languageOf = ({ signedIn, cookies, headers }: FastifyRequest): Language => {
  if (signedIn?.settings.language) return signedIn.settings.language;
  // Null before the hook of the cookies has run.
  const chosen = (cookies as FastifyRequest['cookies'] | null)?.['console-language'];
  if (chosen === 'en' || chosen === 'ar') return chosen;
  return preferredLanguage(headers['accept-language'] ?? '', languages) ?? 'en';
};

/** The path of the page that has a form, from the form's own, which is below it. */
export const pathOfPage = (url: string): string =>
  /^\/console(?:\/[^?]*\/(?:ord_)?[\da-f-]{36}|(?:\/(?!sign-)[^/?]+){0,2})/.exec(url)?.[0] ??
  '/console';

const msSince = (iso: string): number => Date.now() - Date.parse(iso);

/** A list of the API with the filter of a visit. */
export type Listed = { readonly path: ApiPath; readonly filter: Query };

/** What becomes known of a visit while its page is made. */
type Found = {
  /** Why the API has refused the filter. */
  filterRefusal: Refusal | null;
  /** The list that the page shows, with its filter: what its export has. */
  listed: Listed | null;
  /** Whether the API has refused the key of the form: it belongs to another request. */
  isKeyReused: boolean;
};

type Sending = { readonly method?: 'PATCH'; readonly query?: Query };

/**
 * One request of an operator who is signed in. Without its `reply`, the page is for others too, and
 * is read to its end.
 */
export function visitOf(request: FastifyRequest, reply: FastifyReply | null, operator: SignedIn) {
  const language = languageOf(request);
  const { timeZone } = operator.settings;
  // A later version of the runtime may no longer know the name.
  const zone = timeZone !== null && isTimeZone(timeZone) ? timeZone : null;
  const headers = { 'accept-language': language, authorization: `Bearer ${operator.token}` };
  const readAll = <T, D>(path: ApiPath, query: Query = {}) =>
    callGateway<T, D>(request, reply, { method: 'GET', path, query, headers });
  const found: Found = { filterRefusal: null, listed: null, isKeyReused: false };
  return {
    operator,
    found,
    /** What is wrong with the fields of the form that was sent, by their names in the API. */
    faults: new Map<string, string>(),
    /** What is wrong with the fields of filters and searches, by their names in the API. */
    filterFaults: new Map<string, string>(),
    may: (role: OperatorRole) => hasRole(operator.roles, role),
    /** The path of the page, with its query unless a form was sent. */
    url: request.method === 'POST' ? pathOfPage(request.url) : request.url,
    /** Where the form went that a page is shown again for, because it was refused; else empty. */
    sentTo: request.method === 'POST' ? request.url : '',
    /** The id in the path, if the page has one. */
    id: valueOf(request, 'id'),
    /** A parameter of the path, of the query or of the form; the empty text if there is none. */
    value: (name: string) => valueOf(request, name).trim(),
    /**
     * A parameter by which a page of the console says what a form has done. In a link of another
     * site it is the empty text: the page must not repeat another site's words as its own.
     */
    claimed: (name: string) => (isFromElsewhere(request) ? '' : valueOf(request, name)),
    /** What a form that was refused had; the empty text on a page that an address opens. */
    typed: (name: string) => sentValueOf(request, name).trim(),
    /** A parameter that is a number or a code, in ASCII digits. */
    digits: (name: string) => plainNumber(valueOf(request, name)),
    /** A parameter that has one of these values; else the empty text. */
    choice: <T extends string>(name: string, choices: readonly T[]): T | '' =>
      choices.find((each) => each === valueOf(request, name)) ?? '',
    /** Every value of a parameter that may occur several times. */
    list: (name: string) => listOf(request, name),
    language,
    texts: textsOf(language),
    /** The operator's time zone; null: the browser's. */
    zone,
    instant: (iso: string | null) => instant(iso, language, zone),
    /** A time span until now; within a minute of it: now. */
    since: (iso: string) => {
      const ms = msSince(iso);
      return ms < 60_000 ? ago(0, language) : span(ms, language);
    },
    ago: (iso: string) => ago(msSince(iso), language),
    read: async <T>(path: ApiPath, query?: Query) =>
      (await readAll<T, unknown>(path, query)).payload,
    /** Reads from the API a payload with its details. */
    readAll,
    /** Changes something by the API, by a POST unless `method` is another. */
    send: async <T>(path: ApiPath, body?: object, how: Sending = {}) => {
      // A form that is sent twice has the same key, so that it creates once.
      const key = valueOf(request, 'key');
      const all = key === '' ? headers : { ...headers, 'idempotency-key': key };
      const call = { method: 'POST' as const, ...how, path, body, headers: all };
      return (await callGateway<T>(request, reply, call)).payload;
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
  readonly hasLivePart?: boolean;
  /** Whether a live page does not change by itself any more. */
  readonly isEnded?: boolean;
};
export type Next = { readonly next: string };
export type Act = (visit: Visit) => Promise<Page | Next>;
/** A page, with a notice of what the form before has done or why it did nothing. */
export type ShowPage = (visit: Visit, notice?: Part) => Promise<Page>;

/**
 * Adds pages to the console: `show` for a GET, `live` for a GET that the browser's module repeats
 * while the page is visible, and `submit` for a form's POST. A live page depends on the operator's
 * roles only, because operators share it; `act` answers its address itself, by default with the
 * page. `liveForOne` is a live page that no other operator gets. A form that is refused shows its
 * page again.
 */
export type Pages = {
  readonly show: (path: string, page: Act) => void;
  readonly live: (path: string, page: ShowPage, act?: Act) => void;
  readonly liveForOne: (path: string, page: ShowPage) => void;
  readonly submit: (path: string, act: Act, page: ShowPage) => void;
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
export const switchActive = ({ value, send }: Visit, path: ApiPath): Promise<unknown> =>
  send(path.below('active'), { isActive: value('isActive') === 'true' }, { method: 'PATCH' });
