import type { FastifyRequest } from 'fastify';
import { validate } from 'uuid';

/** Who called, by a verified token. */
export function callerIds({ caller }: FastifyRequest): Readonly<Record<string, string>> {
  if (caller === null) return {};
  return caller.side === 'vendor'
    ? { vendorId: caller.vendorId, credentialId: caller.credentialId }
    : { operatorId: caller.operatorId };
}

/** The id in the path. Other texts in a path are not logged. */
function subjectIdOf({ params }: FastifyRequest): string | undefined {
  const [id] = Object.values((params ?? {}) as Readonly<Record<string, string>>);
  return validate(id) ? id : undefined;
}

/**
 * The fields that connect a log line with the call, its caller and its subject. `requestId` is on
 * each line.
 */
export function requestLogFields(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const { method, routeOptions, workflowId } = request;
  return {
    route: `${method} ${routeOptions.url ?? ''}`,
    ...callerIds(request),
    subjectId: subjectIdOf(request),
    ...(workflowId === null ? {} : { workflowId }),
  };
}
