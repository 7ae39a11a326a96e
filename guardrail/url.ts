import { hostNameProblem, isLocalHost } from './host-name.ts';

export type UrlPolicy = {
  /** The allowed ports; without 443, a URL must name its port. */
  readonly allowedPorts: readonly number[];
  /** Origins in the form of `URL.origin` that are exempt from every other rule. */
  readonly allowedOrigins: readonly string[];
};

/**
 * `exempt`: the origin is in `allowedOrigins`. `reason` is for the caller and repeats no input.
 * `localOrigin` is the origin of a local host, which `allowedOrigins` could name.
 */
export type UrlVerdict =
  | { readonly kind: 'allowed'; readonly url: URL; readonly exempt: boolean }
  | { readonly kind: 'not-a-url' }
  | { readonly kind: 'refused'; readonly reason: string; readonly localOrigin?: string };

const lengthMax = 2048;

/** Counts code points; the first test avoids counting a huge string. */
const isTooLong = (raw: string): boolean =>
  raw.length > lengthMax && (raw.length > 2 * lengthMax || Array.from(raw).length > lengthMax);

/**
 * Whether a text has a scheme, which makes a URL absolute (RFC 3986, 4.3). Like the URL parser, it
 * first drops leading white space and control characters, and tabs and line ends.
 */
export const isAbsoluteUrl = (raw: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(raw.replaceAll(/[\t\n\r]/g, '').replace(/^[\p{Cc} ]+/u, ''));

/**
 * Tests of the text as written, before the URL parser repairs it. The first match is the reason.
 */
const rawProblems: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'the URL must not have control characters'],
  [/[\s\p{Z}]/u, 'the URL must not have white space'],
  [/\\/, 'the URL must not have a backslash'],
  [/^(?!https:)/i, 'the scheme must be https'],
  [/^(?!https:\/\/[^/])/i, 'the URL must have two slashes and a host name after its scheme'],
  [/#/, 'the URL must not have a fragment'],
  [/^https:\/\/[^/?]*@/i, 'the URL must not have a user name or password'],
];

const rawHostAndPort = /^https:\/\/([^/?]*?)(?::\d{1,5})?(?:[/?]|$)/i;

function problemOf(raw: string, url: URL | null, policy: UrlPolicy): string | null {
  const found = rawProblems.find(([pattern]) => pattern.test(raw));
  if (found !== undefined) return found[1];
  if (url === null) return 'the URL cannot be parsed';
  const port = url.port === '' ? 443 : Number(url.port);
  if (!policy.allowedPorts.includes(port))
    return `the port must be ${policy.allowedPorts.join(' or ')}`;
  return hostNameProblem(rawHostAndPort.exec(raw)?.[1] ?? '', url.hostname);
}

/**
 * Null for a text that is no URL. `URL.canParse` of Node 20 refuses hosts with Latin-1 letters once
 * it is compiled.
 */
export function parseUrl(raw: string): URL | null {
  try {
    return new URL(raw);
  } catch {
    return null;
  }
}

const isExempt = (url: URL, policy: UrlPolicy): boolean =>
  (url.protocol === 'https:' || url.protocol === 'http:') &&
  policy.allowedOrigins.includes(url.origin);

const localOriginOf = (url: URL | null): { readonly localOrigin?: string } =>
  url !== null && /^https?:$/.test(url.protocol) && isLocalHost(url.hostname)
    ? { localOrigin: url.origin }
    : {};

/**
 * Judges a destination without a look-up. `not-a-url`: no absolute URL, or over 2,048 code points.
 * Every other fault is `refused` with a reason. Never throws.
 */
export function checkUrl(raw: string, policy: UrlPolicy): UrlVerdict {
  if (isTooLong(raw) || !isAbsoluteUrl(raw)) return { kind: 'not-a-url' };
  const url = parseUrl(raw);
  if (url !== null && isExempt(url, policy)) {
    return url.username === '' && url.password === ''
      ? { kind: 'allowed', url, exempt: true }
      : { kind: 'refused', reason: 'the URL must not have a user name or password' };
  }
  const reason = problemOf(raw, url, policy);
  // A null URL always has a reason; the second test narrows the type.
  if (reason !== null || url === null)
    return { kind: 'refused', reason: reason ?? 'the URL cannot be parsed', ...localOriginOf(url) };
  return { kind: 'allowed', url, exempt: false };
}
