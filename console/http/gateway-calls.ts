import type { FastifyRequest } from 'fastify';

/** An error answer of the API, which ends a page unless the page expects it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfter: string | null;
  constructor(
    status: number,
    code: string,
    details: Readonly<Record<string, unknown>> = {},
    retryAfter: string | null = null,
  ) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** The parts of the envelope that a page reads. */
export type Answer = { readonly payload: unknown; readonly details: unknown };

type Call = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly token: string | null;
  readonly language: string;
  readonly body?: object | undefined;
  /** A form that is sent twice has the same one, so that it creates once (D92). */
  readonly idempotencyKey?: string | undefined;
};

/**
 * Calls a route of this gateway in its process (D139), as the person whose page makes the call: by
 * the same address, request id and language. Throws a {@link Refusal}.
 */
export async function callGateway<A extends Answer>(
  request: FastifyRequest,
  { method, url, token, language, body, idempotencyKey }: Call,
): Promise<A> {
  const answer = await request.server.inject({
    method,
    url,
    remoteAddress: request.ip,
    headers: {
      'x-request-id': request.id,
      'accept-language': language,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const answered = answer.json<A & { state: string }>();
  if (answer.statusCode < 300) return answered;
  const { 'retry-after': retryAfter } = answer.headers as Readonly<Record<string, string>>;
  const details = answered.details as Refusal['details'];
  throw new Refusal(answer.statusCode, answered.state, details, retryAfter ?? null);
}

/** A path with those parameters of a query that have a value. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === ''
      ? []
      : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${String(new URLSearchParams(given))}`;
}
