import type { FastifyInstance } from 'fastify';
import type { Capability } from '../domain/accounts/capabilities.ts';
import type { OperatorRole } from '../domain/accounts/operator-roles.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { ActingOperator, OneOf } from './auth/authenticate.ts';
import type { CountedCall } from './auth/call-points.ts';
import type { Caller } from './auth/tokens.ts';
import type { CommandStore } from './commands/answer-once.ts';
import type { SecurityEvents } from './security/security-events.ts';

/** What the application, its routes and its requests have beside Fastify's own fields. */

declare module 'fastify' {
  interface FastifyInstance {
    /** The dependencies of commands. */
    commands: CommandStore;
    securityEvents: SecurityEvents;
  }
  interface FastifyContextConfig {
    /** Required on vendor routes: a capability, one capability of a list, or null for none. */
    capability?: OneOf<Capability> | null;
    /** Required on operator routes: the role that may call it, or one role of a list. */
    role?: OneOf<OperatorRole>;
    /** Pushes have a rate limit of their own, as have the items of bulk calls and of jobs. */
    rate?: 'pushes' | 'bulkItems' | 'jobItems';
    /** The handler waits for a worker or for a name server, so it has a quota of its own. */
    waitsForOthers?: boolean;
    /** The handler waits for events, without a connection, so it has a quota of its own. */
    isLongPoll?: boolean;
    /** The time limit of a route that may take longer than the others, in ms. */
    handlerTimeoutMs?: number;
    /** The route takes `validateOnly`. */
    isPreviewable?: boolean;
    /** The route's own error codes: its resource's 404 and its business rules. */
    refusals?: readonly ErrorCode[];
    /** Media types that the route takes and returns beside JSON. */
    received?: readonly string[];
    sent?: readonly string[];
  }
  interface FastifyRequest {
    /** The subject of the token; null on routes without authentication. */
    caller: Caller | null;
    /** The operator that acts for the caller of a sandbox's route; null on all others. */
    actingOperator: ActingOperator | null;
    /**
     * What the call has counted for so far, as its body and its items may count more; null while no
     * rate limit applies.
     */
    counted: CountedCall | null;
    /** The largest body of this request, if it is smaller than its route's; else null. */
    bodyBytesMax: number | null;
    /**
     * Called with the bytes of a body that have arrived so far: takes room for them and for the
     * next piece, and counts those of a job for its rate. Throws TOO_MANY_REQUESTS without room.
     * Null for a call without a body.
     */
    onBodyBytes: ((arrivedBytes: number) => void) | null;
    /** The workflow that the request waits for; null for none. */
    workflowId: string | null;
    /** What to run once the command of the call is committed; null while there is nothing. */
    committed: (() => void)[] | null;
    /** The code of an error response; null for a success. */
    errorCode: string | null;
  }
}

const ofRequests = [
  'caller',
  'actingOperator',
  'counted',
  'bodyBytesMax',
  'onBodyBytes',
  'workflowId',
  'committed',
  'errorCode',
] as const;

/** Adds the fields of requests, all null. */
export function addRequestFields(app: FastifyInstance): void {
  for (const name of ofRequests) app.decorateRequest(name, null);
}
