import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** At most 128 HTTP token characters. */
const validId = /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,128}$/;

/** The caller's id when it is valid, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}
