import type { FastifyInstance, FastifyReply } from 'fastify';
import { databaseFailureCode } from '../../db/core/failure.ts';
import { invalid, type ErrorCode, type ErrorDetails } from '../../domain/errors.ts';
import { temporalFailureCode } from '../../temporal/temporal-failures.ts';
import { apiError, ApiError } from './api-error.ts';
import { lingeringClose } from './lingering-close.ts';

/** What Fastify itself refuses, by its codes. */
const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'NOT_FOUND_ROUTE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

/** A body that breaks off or has the wrong length is the caller's, not ours. */
const brokenBody = new Set(['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'FST_ERR_CTP_INVALID_JSON_BODY']);

export const malformedBody = (): ApiError =>
  new ApiError(
    invalid({ field: 'Body', path: '', code: 'malformed', message: 'is not JSON' }).failure,
  );

/** Any error as one of the catalogue. What is unknown is a bug: INTERNAL_ERROR, and nothing about the inside. */
function toApiError(error: Error, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const framework = frameworkCodes[code];
  if (framework !== undefined) return apiError(framework);
  if (brokenBody.has(code)) return malformedBody();
  const dependency = databaseFailureCode(error) ?? temporalFailureCode(error);
  if (dependency === null) return apiError('INTERNAL_ERROR', { requestId });
  return apiError(
    dependency,
    {},
    dependency === 'SERVICE_UNAVAILABLE' ? { 'retry-after': '5' } : {},
  );
}

/** 401 names the scheme, except for our own login at a dependency, which no new token would mend (D7). */
const challenge = (code: ErrorCode): Readonly<Record<string, string>> =>
  code.startsWith('UNAUTHORIZED_') ? { 'www-authenticate': 'Bearer realm="vendor-gateway"' } : {};

/** A rule that says no is worth reading about; what is wrong with the form of a request is said already. */
const helpOn = ({ code, statusCode }: ApiError): ErrorDetails =>
  statusCode === 422 || statusCode === 409 ? { help: `/docs/errors#${code.toLowerCase()}` } : {};

/** The rest of a large body is read away for a while, and only then the connection closed, if its caller wants no more of it. */
function closeLater(reply: FastifyReply): void {
  const { raw: response } = reply;
  const { raw: request } = reply.request;
  void reply.removeHeader('connection');
  const wantsMore = response.shouldKeepAlive;
  response.shouldKeepAlive = true;
  response.once('finish', () => {
    const timer = request.complete ? null : lingeringClose(request.socket);
    const end = () => {
      if (timer !== null) clearTimeout(timer);
      if (!wantsMore) request.socket.destroySoon();
    };
    if (timer === null) end();
    else request.once('close', end);
  });
}

function answer(reply: FastifyReply, error: ApiError): FastifyReply {
  const body = {
    state: error.code,
    payload: null,
    details: { ...error.details, ...helpOn(error) },
  };
  if (error.code === 'PAYLOAD_TOO_LARGE') closeLater(reply);
  return reply
    .code(error.statusCode)
    .headers({ ...challenge(error.code), ...error.headers })
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body);
}

/** No route, or a path that cannot even be decoded. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  answer(reply, apiError('NOT_FOUND_ROUTE'));

/** A trailing slash makes the router find a parameter with nothing in it; we have no such path. */
const hasEmptyParameter = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && Object.values(params).includes('');

/** The one place where failures become answers. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error>((error, request, reply) => {
    // A body that its sender broke off is nobody's outage.
    const answered =
      request.raw.errored === error ? malformedBody() : toApiError(error, request.id);
    if (answered.statusCode >= 500 || answered.code === 'UPSTREAM_AUTH_FAILED') {
      request.log.error({ err: error, code: answered.code }, 'a request failed');
    }
    return answer(reply, answered);
  });
  // Before the body is read: nothing about it matters where there is no route (D2).
  app.addHook('onRequest', async (request) => {
    if (request.is404 || hasEmptyParameter(request.params)) throw apiError('NOT_FOUND_ROUTE');
  });
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply));
}
