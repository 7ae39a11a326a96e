import { redactText } from './redact-text.ts';

/** The response of a receiver as its vendor may read it. */
export type ReadableResponse = {
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the body is no text. */
  readonly body: string | null;
  readonly bodyBytes: number;
};

/** Characters of a body that are shown. */
const bodyMax = 4096;
/** The longest text that looks like a secret: its start at the end of what was read is cut. */
const tailMax = 2100;
/** The bytes of a body to read: a secret at the end of what is shown is then recognised whole. */
export const responseBytesKept = bodyMax + tailMax;

const shownHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'via',
  'location',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];
const headerMax = 256;
const textTypes =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?(?:json|xml)|application\/(?:javascript|x-www-form-urlencoded))\s*(?:;|$)/i;

/**
 * Makes a response readable: selected headers; of a body of a text type, the first 4,096
 * characters. Invalid UTF-8 is replaced, and control characters are removed. `known` are secrets of
 * the request.
 */
export function readableResponse(
  { headers, body, bodyBytes }: RawResponse,
  known: readonly string[],
): ReadableResponse {
  const first = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  const shown = shownHeaders.flatMap((name) => {
    const value = first(name);
    return value === undefined ? [] : [[name, redactText(plain(value), known).slice(0, headerMax)]];
  });
  const isText =
    textTypes.test(first('content-type') ?? '') && isPlainCoding(first('content-encoding'));
  return {
    headers: Object.fromEntries(shown) as Record<string, string>,
    body: isText || bodyBytes === 0 ? shownText(body, bodyBytes, known) : null,
    bodyBytes,
  };
}

type RawResponse = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array;
  readonly bodyBytes: number;
};

const isPlainCoding = (coding: string | undefined): boolean =>
  coding === undefined || coding.trim().toLowerCase() === 'identity';

function shownText(body: Uint8Array, bodyBytes: number, known: readonly string[]): string {
  const isCut = bodyBytes > body.length;
  const text = redactText(plain(new TextDecoder().decode(body)), known, isCut);
  const whole = isCut ? text.slice(0, -tailMax) : text;
  return whole.slice(0, bodyMax).toWellFormed();
}

/** Without control characters but tabs and line ends; Postgres stores no NUL. */
const plain = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are what it removes
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');
