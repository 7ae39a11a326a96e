import type { FastifyInstance, FastifyRequest } from 'fastify';
import { logInNetworkOf } from '../auth/limit-by-address.ts';
import { afterCommit } from '../commands/after-commit.ts';
import type { ApiError } from '../http/api-error.ts';
import { callerIds } from '../http/requests/log-fields.ts';
import {
  createSecurityEvents,
  type SecurityEventName,
  type SecurityFacts,
} from './security-events.ts';

/** Adds the security log of the process, which ends with the app. */
export function logSecurityEvents(app: FastifyInstance): void {
  const events = createSecurityEvents(app.log);
  app.decorate('securityEvents', events);
  const timer = setInterval(events.endMinute, 60_000).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    events.endMinute();
  });
}

/** Who called, by a verified token, and from which network. */
function callerFacts(request: FastifyRequest): SecurityFacts {
  const { ip, id, routeOptions } = request;
  return {
    ...callerIds(request),
    network: logInNetworkOf(ip),
    requestId: id,
    route: routeOptions.url ?? null,
  };
}

/** Lines are bounded for each vendor or operator, and without a valid token for each network. */
const subjectOf = ({ caller, ip }: FastifyRequest): string =>
  caller === null ? logInNetworkOf(ip) : caller.side === 'vendor' ? caller.vendorId : caller.id;

/** The event of a refusal; null when the refusal has nothing to do with security. */
function refusalName({ code, statusCode }: ApiError): SecurityEventName | null {
  if (code === 'UNAUTHORIZED_INVALID_CREDENTIALS' || code === 'UNAUTHORIZED_VENDOR_INACTIVE')
    return 'login_failed';
  if (code.startsWith('UNAUTHORIZED_')) return 'token_refused';
  if (code === 'FORBIDDEN_CAPABILITY_NOT_GRANTED') return 'capability_refused';
  if (statusCode === 403) return 'access_refused';
  if (statusCode === 429) return 'rate_limited';
  return statusCode === 404 && code !== 'NOT_FOUND_ROUTE' ? 'resource_refused' : null;
}

/** The details of a refusal that name no data of the caller's request. */
function detailFacts({ details }: ApiError): SecurityFacts {
  const known = ['reason', 'requiredCapability', 'requiredRole', 'eventType'] as const;
  return Object.fromEntries(
    known.flatMap((name) => {
      const { [name]: value } = details;
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

/** Records a refused request. A vendor's 404 does not tell whether another vendor has the id. */
export function reportRefusal(request: FastifyRequest, error: ApiError): void {
  const name = refusalName(error);
  if (name === null) return;
  if (name === 'resource_refused' && request.caller?.side !== 'vendor') return;
  request.server.securityEvents.record(name, subjectOf(request), {
    code: error.code,
    ...detailFacts(error),
    ...error.logged,
    ...callerFacts(request),
  });
}

/** Records a log-in that got a token. */
export const reportLogIn = (request: FastifyRequest, facts: SecurityFacts): void => {
  request.server.securityEvents.record('login_succeeded', logInNetworkOf(request.ip), {
    ...facts,
    ...callerFacts(request),
  });
};

/** Records a change once its transaction has committed. */
export const noteChange = (request: FastifyRequest, action: string, subjectId: string): void =>
  afterCommit(request, () => {
    const facts = { action, subjectId, ...callerFacts(request) };
    request.server.securityEvents.record('change', subjectOf(request), facts);
  });
