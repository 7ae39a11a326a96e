import { hostNameProblem } from './host-name.ts';

/** What a destination URL may be. */
export type UrlPolicy = {
  /** Ports a URL may name, 443 included if the default is to be allowed. */
  readonly allowedPorts: readonly number[];
  /** Origins as `URL.origin` writes them (`http://127.0.0.1:9000`) that are exempt from every other rule. */
  readonly allowedOrigins: readonly string[];
};

/** `exempt`: the origin is one of the policy's `allowedOrigins`. `reason` is for the caller and repeats no input. */
export type UrlVerdict =
  | { readonly kind: 'allowed'; readonly url: URL; readonly exempt: boolean }
  | { readonly kind: 'not-a-url' }
  | { readonly kind: 'refused'; readonly reason: string };

const lengthMax = 2048;

/** In code points; the first test spares counting a huge string. */
const isTooLong = (raw: string): boolean =>
  raw.length > lengthMax && (raw.length > 2 * lengthMax || Array.from(raw).length > lengthMax);

/**
 * A scheme makes a URL absolute (RFC 3986, 4.3). The URL parser first drops white space and control characters around
 * and tabs and line ends within, so that is done here too: such a string is a URL that is refused.
 */
export const isAbsoluteUrl = (raw: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(raw.replaceAll(/[\t\n\r]/g, '').replace(/^[\p{Cc} ]+/u, ''));

/** Tests on the string as it was written, before the URL parser repairs it. The first that matches is the reason. */
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

/** Parses once, where `canParse` and then `new URL` would do so twice at each send. */
function parse(raw: string): URL | null {
  try {
    return new URL(raw);
  } catch {
    return null;
  }
}

const isExempt = (url: URL, policy: UrlPolicy): boolean =>
  (url.protocol === 'https:' || url.protocol === 'http:') &&
  policy.allowedOrigins.includes(url.origin);

/**
 * Judges a destination as it was given, without any look-up. `not-a-url`: over 2,048 characters (code points), or no
 * absolute URL at all; any other dislike is `refused` with a reason. Never throws.
 */
export function checkUrl(raw: string, policy: UrlPolicy): UrlVerdict {
  if (isTooLong(raw) || !isAbsoluteUrl(raw)) return { kind: 'not-a-url' };
  const url = parse(raw);
  if (url !== null && isExempt(url, policy)) {
    return url.username === '' && url.password === ''
      ? { kind: 'allowed', url, exempt: true }
      : { kind: 'refused', reason: 'the URL must not have a user name or password' };
  }
  const reason = problemOf(raw, url, policy);
  // A null URL always has a reason; the second test is for the compiler.
  if (reason !== null || url === null)
    return { kind: 'refused', reason: reason ?? 'the URL cannot be parsed' };
  return { kind: 'allowed', url, exempt: false };
}
