import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';

const kibibyte = 1024;

/** The largest body by what it is for; a job has a larger limit of its own. */
export const bodyBytesMax = {
  logIn: 4 * kibibyte,
  formWithoutSession: 4 * kibibyte,
  oneThing: 64 * kibibyte,
  form: 512 * kibibyte,
  manyThings: 1024 * kibibyte,
} as const;

/** The largest body of a request. */
export const bodyLimitOf = ({ bodyBytesMax: own, routeOptions }: FastifyRequest): number =>
  Math.min(own ?? Infinity, routeOptions.bodyLimit);

/** Whether a request has a body. */
export const hasBody = ({ headers }: { readonly headers: IncomingHttpHeaders }): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

/** Whether a method only reads, so that a body has no effect. */
export const readsOnly = ({ method }: { readonly method?: string | undefined }): boolean =>
  method === 'GET' || method === 'HEAD';
