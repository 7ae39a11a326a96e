import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { validationErrors, type ApiError } from './api-error.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port (RFC 9110, 7.2). */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** What is wrong with the `Host` of a request; null for one `Host` that names a host. */
function objectionTo({ httpVersion, rawHeaders, headers }: IncomingMessage): ApiError | null {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0);
  const count = names.filter((name) => name.toLowerCase() === 'host').length;
  // A caller of HTTP/1.0, such as the health check of a proxy, may send none (RFC 9112, 3.2).
  if (count === 0 && httpVersion === '1.0') return null;
  const message =
    count === 0 ? 'is required' : count > 1 ? 'must be sent once' : 'must name one host';
  if (count === 1 && hostForm.test(headers.host ?? '')) return null;
  return validationErrors({
    field: 'Host',
    path: '',
    code: count === 0 ? 'required' : 'malformed',
    message,
  });
}

/**
 * Refuses a request without exactly one `Host`, before any other check: a proxy in front may have
 * read another one than the gateway does.
 */
export function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const objection = objectionTo(raw);
    if (objection === null) done();
    else done(objection);
  });
}
