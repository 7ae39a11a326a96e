/** A header that a vendor adds to the requests of a subscription. */
export type CustomHeader = { readonly name: string; readonly value: string };

/** The most custom headers of a subscription. */
export const customHeadersMax = 5;
export const headerNameMax = 100;
export const headerValueMax = 1024;

/** Characters of a token (RFC 9110). */
export const headerNamePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Visible ASCII, with spaces inside. */
export const headerValuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/**
 * Headers that the gateway sets, or that belong to one connection or to the route between sender
 * and receiver.
 */
const reserved = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
const reservedPrefixes = ['webhook-', 'content-', 'proxy-', 'sec-', 'x-forwarded-'];

/** Whether a vendor may not set a header, by its name in any letter case. */
export const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase();
  return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
};
