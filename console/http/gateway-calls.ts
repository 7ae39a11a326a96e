import type { FastifyRequest, InjectOptions } from 'fastify';

/** An error answer of the API, which ends a page unless the page expects it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: object;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, details: object = {}, retryAfter?: string) {
    super(code);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  }
}

/** The parts of the envelope that a page reads. */
export type Answer<T, D = unknown> = { readonly payload: T; readonly details: D };

/**
 * Calls a route of this gateway in its process (D139), as the person whose page makes the call: by
 * the same address and request id. Throws a {@link Refusal}.
 */
export async function callGateway<T, D = unknown>(
  request: FastifyRequest,
  call: InjectOptions,
): Promise<Answer<T, D>> {
  const headers = { 'x-request-id': request.id, ...call.headers };
  const answer = await request.server.inject({ ...call, remoteAddress: request.ip, headers });
  const answered = answer.json<Answer<T, D> & { state: string }>();
  if (answer.statusCode < 300) return answered;
  const { 'retry-after': retryAfter } = answer.headers as Readonly<Record<string, string>>;
  throw new Refusal(answer.statusCode, answered.state, answered.details as object, retryAfter);
}
