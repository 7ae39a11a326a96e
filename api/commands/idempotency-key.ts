import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ErrorCode, FieldError } from '../../domain/errors.ts';
import type { Caller } from '../auth/tokens.ts';
import { validationErrors } from '../http/api-error.ts';
import { largeCallPauses } from '../http/large-call-pauses.ts';
import { bodyErrors } from '../validation/compiler.ts';
import { described } from '../validation/described.ts';
import { canonicalJson, pieceLengthMin } from './canonical-json.ts';

// The header of draft-ietf-httpapi-idempotency-key-header.

const header = 'Idempotency-Key';
/** The header of a kept response. */
export const repeatedHeader = 'Idempotency-Replayed';
export const keyRefusal = 'BUSINESS_IDEMPOTENCY_KEY_REUSED' satisfies ErrorCode;
const visibleAscii = /^[!-~]{1,255}$/;
/** A string of structured fields (RFC 9651), in which a backslash precedes `"` and `\`. */
const quoted = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;

const keyEntry = {
  [header]: described(
    v.optional(
      v.pipe(v.string(), v.metadata({ jsonSchema: { pattern: '^[!#-~][!-~]*$', maxLength: 255 } })),
    ),
    'A call with the key of an earlier one gets its response again and creates nothing, for 24 ' +
      'hours of real time. 1 to 255 visible ASCII characters, bare or in double quotes. See ' +
      '[repeating a call that creates](/docs/errors#repeating-a-call-that-creates).',
    '8e03978e-40d5-43dd-bc93-6894a57f9324',
  ),
};

/** The headers of a route that takes a key, in the reference. {@link requireValidKey} checks it. */
export const keyedHeaders = (others: v.GenericSchema | undefined): v.GenericSchema =>
  v.object({ ...(others as { entries?: v.ObjectEntries } | undefined)?.entries, ...keyEntry });

/** The key of a header, bare or in double quotes; null for a malformed one. */
export function parseKey(value: string): string | null {
  const key = value.startsWith('"')
    ? quoted.exec(value)?.[1]?.replaceAll(/\\(["\\])/g, '$1')
    : value;
  return key !== undefined && visibleAscii.test(key) ? key : null;
}

function headerOf({ headers }: FastifyRequest): string | undefined {
  const value = headers[header.toLowerCase()];
  return typeof value === 'string' ? value : undefined;
}

/** The key of a request, after {@link requireValidKey}; null for none. */
export function keyOf(request: FastifyRequest): string | null {
  const value = headerOf(request);
  return value === undefined ? null : parseKey(value);
}

/** The entry for a malformed key; none for a valid one, and without a key. */
export function keyErrors(request: FastifyRequest): readonly FieldError[] {
  const value = headerOf(request);
  if (value === undefined || parseKey(value) !== null) return [];
  const message = 'must have 1 to 255 visible ASCII characters, bare or in double quotes';
  return [{ field: header, path: '', code: 'invalid', message }];
}

/** A `preValidation` hook. A malformed key is listed beside the errors of the body. */
export const requireValidKey =
  (body: v.GenericSchema | undefined) =>
  async (request: FastifyRequest): Promise<void> => {
    const errors = keyErrors(request);
    if (errors.length === 0) return;
    throw validationErrors(
      ...errors,
      ...(body === undefined ? [] : bodyErrors(body, request.body)),
    );
  };

const sha256Of = (...parts: readonly unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();

/** Each credential and each operator has keys of its own. */
export const keyId = (caller: Caller, key: string): Buffer =>
  caller.side === 'vendor'
    ? sha256Of('vendor', caller.vendorId, caller.credentialId, key)
    : sha256Of('operator', caller.id, key);

/**
 * The identity of a request: its method, its route with the ids, its query and its parsed body. In
 * a query, `false` is the same as no parameter. Other calls run in its pauses, because a body may
 * have 10,000 items.
 */
export async function requestSha256(request: FastifyRequest): Promise<Buffer> {
  const { method, routeOptions, params, query, body } = request;
  const ids = Object.values((params ?? {}) as Readonly<Record<string, string>>);
  const asked = Object.entries(query ?? {}).filter(([, value]) => value !== false);
  const named = Object.fromEntries(asked);
  const call = [method, routeOptions.url, ids.map((id) => id.toLowerCase()), named, body];
  const hash = createHash('sha256');
  const pause = largeCallPauses();
  for (const piece of canonicalJson(call)) {
    hash.update(piece);
    if (piece.length >= pieceLengthMin) await pause();
  }
  return hash.digest();
}
