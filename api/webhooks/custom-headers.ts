import * as v from 'valibot';
import type { StoredHeaders } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { Sealer } from '../../security/sealer.ts';
import { sealHeaders } from '../../security/webhook-headers.ts';
import { described } from '../validation/described.ts';
import { boundedList } from '../validation/fields.ts';

const nameMax = 100;
const valueMax = 1024;

/** Characters of a token (RFC 9110). */
const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Visible ASCII, with spaces inside. */
const valuePattern = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

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

/** By the name in any letter case. */
const isReservedHeader = (name: string): boolean => {
  const lower = name.toLowerCase();
  return reserved.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix));
};

const headerEntries = v.strictObject({
  name: described(
    v.pipe(
      v.string(),
      v.maxLength(nameMax, `too_long: must have at most ${nameMax} characters`),
      v.regex(namePattern, 'invalid_header_name: must be a header name'),
      v.check((name) => !isReservedHeader(name), 'reserved: is a header that the gateway sets'),
      v.toLowerCase(),
    ),
    'The name, in any letter case.',
    'authorization',
  ),
  value: described(
    v.pipe(
      v.string(),
      v.maxLength(valueMax, `too_long: must have at most ${valueMax} characters`),
      v.regex(valuePattern, 'invalid_header_value: must be visible ASCII characters'),
    ),
    'The value: visible ASCII. No response returns it.',
    'Bearer 5c1f',
  ),
});

const header = v.pipe(headerEntries, v.title('CustomHeader'));

/** At most five headers; each name once, in any letter case. */
export const headerList = v.pipe(
  boundedList(header, { min: 0, max: 5, what: 'headers' }),
  v.check(
    (headers) => new Set(headers.map(({ name }) => name)).size === headers.length,
    'duplicate: must not contain a name twice',
  ),
);

/** The headers as a subscription stores them. */
export const storedHeaders = (
  sealer: Sealer,
  headers: v.InferOutput<typeof headerList>,
  subscriptionId: string,
): StoredHeaders => {
  const byName = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return {
    headerNames: headers.map(({ name }) => name),
    headersSealed: headers.length === 0 ? null : sealHeaders(sealer, byName, subscriptionId),
  };
};
