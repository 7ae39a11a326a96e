import * as v from 'valibot';
import {
  customHeadersMax,
  headerNameMax,
  headerNamePattern,
  headerValueMax,
  headerValuePattern,
  isReservedHeader,
  type CustomHeader,
} from '../../domain/webhooks/custom-headers.ts';
import type { StoredHeaders } from '../../db/webhooks/subscriptions/webhook-subscriptions.ts';
import type { Sealer } from '../../security/sealer.ts';
import { sealHeaders } from '../../security/webhook-headers.ts';
import { described } from '../validation/described.ts';
import { boundedList } from '../validation/fields.ts';

const headerEntries = v.strictObject({
  name: described(
    v.pipe(
      v.string(),
      v.maxLength(headerNameMax, `too_long: must have at most ${headerNameMax} characters`),
      v.regex(headerNamePattern, 'invalid_header_name: must be a header name'),
      v.check((name) => !isReservedHeader(name), 'reserved: is a header that the gateway sets'),
      v.toLowerCase(),
    ),
    'The name, in any letter case.',
    'authorization',
  ),
  value: described(
    v.pipe(
      v.string(),
      v.maxLength(headerValueMax, `too_long: must have at most ${headerValueMax} characters`),
      v.regex(headerValuePattern, 'invalid_header_value: must be visible ASCII characters'),
    ),
    'The value: visible ASCII. No response returns it.',
    'Bearer 5c1f',
  ),
});

const header = v.pipe(headerEntries, v.title('CustomHeader'));

/** At most five headers; each name once, in any letter case. */
export const headerList = v.pipe(
  boundedList(header, { min: 0, max: customHeadersMax, what: 'headers' }),
  v.check(
    (headers) => new Set(headers.map(({ name }) => name)).size === headers.length,
    'duplicate: must not contain a name twice',
  ),
);

/** The headers as a subscription stores them. */
export const storedHeaders = (
  sealer: Sealer,
  headers: readonly CustomHeader[],
  subscriptionId: string,
): StoredHeaders => {
  const byName = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  return {
    headerNames: headers.map(({ name }) => name),
    headersSealed: headers.length === 0 ? null : sealHeaders(sealer, byName, subscriptionId),
  };
};
