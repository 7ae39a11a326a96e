import type { FastifyReply, FastifyRequest, InjectOptions } from 'fastify';
import { withQuery, type Query } from '../html/formats.ts';
import type { ApiPath } from './api-path.ts';
import { Refusal } from './refusal.ts';

/** The parts of the envelope that a page reads. */
export type GatewayResponse<T, D = unknown> = { readonly payload: T; readonly details: D };

export type GatewayCall = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: ApiPath;
  readonly query?: Query;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
};

/** The browser has gone, or has a response: what the page would still read has no reader. */
export class PageEnded extends Error {
  override readonly name = 'PageEnded';
}

/**
 * Calls a route of this gateway in its process, as the person whose page makes the call: by the
 * same address and request id. Throws a {@link Refusal}, or {@link PageEnded} without a call.
 */
export async function callGateway<T, D = unknown>(
  request: FastifyRequest,
  reply: FastifyReply | null,
  { method, path, query = {}, body, headers: given }: GatewayCall,
): Promise<GatewayResponse<T, D>> {
  if (reply !== null && (reply.sent || reply.raw.destroyed)) throw new PageEnded();
  const headers = { 'x-request-id': request.id, ...given };
  const url = withQuery(String(path), query);
  const call: InjectOptions = { method, url, headers, remoteAddress: request.ip };
  const response = await request.server.inject(
    body === undefined ? call : { ...call, payload: body },
  );
  const envelope = response.json<GatewayResponse<T, D> & { state: string }>();
  if (response.statusCode < 300) return envelope;
  const { 'retry-after': retryAfter } = response.headers as Readonly<Record<string, string>>;
  throw new Refusal(response.statusCode, envelope.state, envelope.details as object, retryAfter);
}
