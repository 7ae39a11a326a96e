import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { databaseFailureCode } from '../../db/core/failure.ts';
import { preferredType } from '../../domain/accept-header.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { temporalFailureCode } from '../../temporal/temporal-failures.ts';
import { apiError, ApiError, validationErrors } from './api-error.ts';
import { readsOnly } from './bodies/body-limits.ts';
import { errorBody } from './error-body.ts';
import type { Environment } from '../../domain/accounts/credentials.ts';
import { guidePolicy, notFoundPage } from '../reference/pages/page.ts';
import { reportRefusal } from '../security/report.ts';
import { requestLogFields } from './requests/log-fields.ts';
import { lingeringClose } from '../socket/lingering-close.ts';

export const malformedBody = (): ApiError =>
  validationErrors({ field: 'Body', path: '', code: 'malformed', message: 'is not JSON' });

/** 415 with the type that was sent, at most 100 characters of it. */
const unsupportedMediaType = ({ headers, routeOptions }: FastifyRequest): ApiError =>
  apiError('UNSUPPORTED_MEDIA_TYPE', {
    received: headers['content-type']?.slice(0, 100) ?? null,
    allowedValues: ['application/json', ...(routeOptions.config.received ?? [])],
  });

/** Maps any error to the catalogue. An unknown error is a bug: INTERNAL_ERROR without details. */
function toApiError(error: Error, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return unsupportedMediaType(request);
  const dependency = databaseFailureCode(error) ?? temporalFailureCode(error);
  if (dependency === null) return apiError('INTERNAL_ERROR', { requestId: request.id });
  return apiError(
    dependency,
    {},
    dependency === 'SERVICE_UNAVAILABLE' ? { 'retry-after': '5' } : {},
  );
}

/** A 504 of a call that is no read says what to do, unless its details say more. */
function withAdvice(failure: ApiError, request: FastifyRequest): ApiError {
  if (failure.code !== 'GATEWAY_TIMEOUT' || readsOnly(request) || 'message' in failure.details)
    return failure;
  const message = 'The call may still take effect: read what it changes before you repeat it.';
  return apiError('GATEWAY_TIMEOUT', { ...failure.details, message });
}

/**
 * A 401 names the scheme, except UPSTREAM_AUTH_FAILED: the gateway's own login at a dependency
 * failed, and a new token would not help.
 */
const challenge = (code: ErrorCode): Readonly<Record<string, string>> =>
  code.startsWith('UNAUTHORIZED_') ? { 'www-authenticate': 'Bearer realm="vendor-gateway"' } : {};

/** Drains the rest of a large body before closing, so that the caller can read the response. */
function drainThenClose(reply: FastifyReply): void {
  const { raw: response } = reply;
  const { raw: request } = reply.request;
  void reply.removeHeader('connection');
  const wantsMore = response.shouldKeepAlive;
  response.shouldKeepAlive = true;
  // Null once the request is destroyed, which the types do not say.
  const socket = request.socket as Socket | null;
  if (socket === null) return;
  const end = () => {
    if (!wantsMore) socket.destroySoon();
  };
  response.once('finish', () => {
    if (request.complete) return end();
    const timer = lingeringClose(socket);
    request.once('close', () => {
      clearTimeout(timer);
      end();
    });
  });
}

function sendError(reply: FastifyReply, error: ApiError, baseUrl: string): FastifyReply {
  if (error.code === 'PAYLOAD_TOO_LARGE') drainThenClose(reply);
  return reply
    .code(error.statusCode)
    .headers({ ...challenge(error.code), ...error.headers })
    .header('content-type', 'application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(errorBody(error, baseUrl));
}

/** The response for a path that cannot be decoded. */
export const sendNotFound = (reply: FastifyReply, baseUrl: string): FastifyReply =>
  sendError(reply, apiError('NOT_FOUND_ROUTE'), baseUrl);

/** Whether a reader of pages, not a program, has asked for a path that leads nowhere. */
const isForReader = (request: FastifyRequest, { code }: ApiError): boolean =>
  code === 'NOT_FOUND_ROUTE' &&
  readsOnly(request) &&
  !/^\/(?:api|operator\/v1)(?:[/?]|$)/.test(request.url) &&
  preferredType(request.headers.accept ?? '', ['application/json', 'text/html']) === 'text/html';

const sendNotFoundPage = (reply: FastifyReply, environment: Environment): FastifyReply =>
  reply
    .code(404)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': guidePolicy,
      vary: 'accept',
    })
    .serializer(String)
    .send(notFoundPage(environment));

/** The router matches a trailing slash as an empty parameter; no route has one. */
const hasEmptyParameter = (params: unknown): boolean =>
  typeof params === 'object' && params !== null && Object.values(params).includes('');

function pathOf({ url }: FastifyRequest): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/**
 * `methodsOf` finds the methods of the routes that match a path; an empty parameter matches none. A
 * path that has a route of its own does not match a parameter of another route: `isOwnPath` knows
 * these paths.
 */
function collectMethods(app: FastifyInstance) {
  const methodsByPath = new Map<string, { readonly pattern: RegExp; methods: string[] }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
    const known = methodsByPath.get(url) ?? { pattern, methods: [] };
    known.methods.push(...[method].flat());
    methodsByPath.set(url, known);
  });
  return {
    isOwnPath: (path: string): boolean => methodsByPath.has(path),
    methodsOf: (path: string): readonly string[] =>
      methodsByPath.get(path)?.methods ??
      [...methodsByPath.values()].flatMap(({ pattern, methods }) =>
        pattern.test(path) ? methods : [],
      ),
  };
}

/**
 * Turns every error into a response; no other function does. `baseUrl` is the gateway's own, for
 * links; empty when it is unknown.
 */
export function handleErrors(
  app: FastifyInstance,
  environment: Environment,
  baseUrl: string,
): void {
  const { isOwnPath, methodsOf } = collectMethods(app);
  /** The router matches a parameter when the path's own route lacks the method. */
  const isOfAnother = (request: FastifyRequest): boolean => {
    const path = pathOf(request);
    return isOwnPath(path) && request.routeOptions.url !== path;
  };
  const routeNotFound = (request: FastifyRequest): ApiError => {
    const allowedMethods = methodsOf(pathOf(request));
    return apiError('NOT_FOUND_ROUTE', allowedMethods.length === 0 ? {} : { allowedMethods });
  };
  app.setErrorHandler<Error>((error, request, reply) => {
    // An aborted body is the caller's error, not an outage.
    const apiFailure =
      request.raw.errored === error
        ? malformedBody()
        : withAdvice(toApiError(error, request), request);
    if (apiFailure.statusCode >= 500 || apiFailure.code === 'UPSTREAM_AUTH_FAILED') {
      const { code } = apiFailure;
      request.log.error({ err: error, code, ...requestLogFields(request) }, 'a request failed');
    }
    request.errorCode = apiFailure.code;
    reportRefusal(request, apiFailure);
    return isForReader(request, apiFailure)
      ? sendNotFoundPage(reply, environment)
      : sendError(reply, apiFailure, baseUrl);
  });
  // Before the body is read: an unknown route is 404 whatever its body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || hasEmptyParameter(request.params) || isOfAnother(request))
      done(routeNotFound(request));
    else done();
  });
  app.setNotFoundHandler((request, reply) => {
    request.errorCode = 'NOT_FOUND_ROUTE';
    return sendError(reply, routeNotFound(request), baseUrl);
  });
}
