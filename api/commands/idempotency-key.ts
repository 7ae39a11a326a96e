import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Caller } from '../auth/tokens.ts';
import { validationErrors } from '../http/api-error.ts';
import { largeCallRests } from '../http/large-call-rests.ts';
import { bodyErrors } from '../validation/compiler.ts';
import { described } from '../validation/described.ts';

// The header of draft-ietf-httpapi-idempotency-key-header (D92).

const header = 'Idempotency-Key';
/** The header of a kept answer. */
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
    'A call with the key of an earlier one gets its answer again and creates nothing, for 24 ' +
      'hours. 1 to 255 visible ASCII characters, bare or in double quotes. See ' +
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

/** A `preValidation` hook. A malformed key is listed beside the errors of the body (D3). */
export const requireValidKey =
  (body: v.GenericSchema | undefined) =>
  async (request: FastifyRequest): Promise<void> => {
    const value = headerOf(request);
    if (value === undefined || parseKey(value) !== null) return;
    const message = 'must have 1 to 255 visible ASCII characters, bare or in double quotes';
    const errors = [
      { field: header, path: '', code: 'invalid', message },
      ...(body === undefined ? [] : bodyErrors(body, request.body)),
    ];
    throw validationErrors(...errors);
  };

const sha256Of = (...parts: readonly unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();

/** Each credential and each operator has keys of its own. */
export const keyId = (caller: Caller, key: string): Buffer =>
  caller.side === 'vendor'
    ? sha256Of('vendor', caller.vendorId, caller.credentialId, key)
    : sha256Of('operator', caller.id, key);

/**
 * A value with its keys sorted and without those that are null or absent, because both mean the
 * same: a field that a later version adds does not change the hash of a body without it.
 */
function canonical(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > depthMax) return null;
  if (Array.isArray(value)) return value.map((inner) => canonical(inner, depth + 1));
  return presentEntries(value).map(([name, inner]) => [name, canonical(inner, depth + 1)]);
}

/**
 * The depth to which a body is hashed. No request has half of it. A malformed item of a job may be
 * nested deeper, which would exhaust the stack.
 */
const depthMax = 20;

const presentEntries = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value)
    .filter(([, inner]) => inner !== null && inner !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));

/** The number of items of a list that are written at once, in less than a millisecond. */
const hashedAtOnce = 50;

/**
 * The JSON text of a canonical body, in pieces whose length does not depend on the length of a
 * list.
 */
function* bodyPieces(body: unknown): Generator<string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    yield JSON.stringify(canonical(body)) ?? 'null';
    return;
  }
  yield '[';
  for (const [place, [name, inner]] of presentEntries(body).entries()) {
    yield `${place === 0 ? '' : ','}[${JSON.stringify(name)},`;
    yield* Array.isArray(inner) ? listPieces(inner) : [JSON.stringify(canonical(inner))];
    yield ']';
  }
  yield ']';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  yield '[';
  for (let start = 0; start < list.length; start += hashedAtOnce) {
    const items = JSON.stringify(
      list.slice(start, start + hashedAtOnce).map((item) => canonical(item)),
    );
    yield `${start === 0 ? '' : ','}${items.slice(1, -1)}`;
  }
  yield ']';
}

/**
 * The identity of a request: its method, its route with the ids, its query and its parsed body.
 * Other calls run in its rests, because a body may have 10,000 items.
 */
export async function requestSha256(request: FastifyRequest): Promise<Buffer> {
  const { method, routeOptions, params, query, body } = request;
  const ids = Object.values((params ?? {}) as Readonly<Record<string, string>>);
  const call = [method, routeOptions.url, ids.map((id) => id.toLowerCase()), canonical(query)];
  const hash = createHash('sha256').update(`${JSON.stringify(call).slice(0, -1)},`);
  let length = 0;
  const rest = largeCallRests();
  for (const piece of bodyPieces(body)) {
    hash.update(piece);
    length += piece.length;
    if (length < pausedAfter) continue;
    length = 0;
    await rest();
  }
  return hash.update(']').digest();
}

/** Characters. */
const pausedAfter = 16_384;
