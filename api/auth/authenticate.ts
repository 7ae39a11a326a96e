import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { createTokenCheck } from '../../db/accounts/operators.ts';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { isPreview } from '../commands/validate-only.ts';
import { apiError, refusedWith, tooManyRequests, type ApiError } from '../http/api-error.ts';
import { noteCount, setRateHeaders } from './call-points.ts';
import type { RateLimit, RateVerdict } from './rate-limits.ts';
import type { Caller, OperatorCaller, Tokens, VendorCaller } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The subject of the token; null on routes without authentication. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Required on vendor routes: a capability, a list of which one is enough, or null for none. */
    capability?: Capability | readonly [Capability, ...Capability[]] | null;
    /** Pushes have a rate limit of their own (D13), as have the items of bulk calls and of jobs. */
    rate?: 'pushes' | 'bulkItems' | 'jobItems';
    /** Required on operator routes: the role that may call it. */
    role?: OperatorRole;
  }
}

/** FORBIDDEN for a token of the other part of the API. */
const wrongSide = (reason: 'VENDOR_TOKEN' | 'OPERATOR_TOKEN'): ApiError => {
  const [own, wanted] =
    reason === 'VENDOR_TOKEN' ? ["a vendor's", "an operator's"] : ["an operator's", "a vendor's"];
  const message = `The token is ${own}; this route needs ${wanted}.`;
  return apiError('FORBIDDEN', { reason, message });
};

/** The caller of a vendor route. Throws FORBIDDEN for an operator. */
export function vendorOf(request: FastifyRequest): VendorCaller {
  if (request.caller?.side !== 'vendor') throw wrongSide('OPERATOR_TOKEN');
  return request.caller;
}

/** The caller of an operator route. Throws FORBIDDEN for a vendor. */
export function operatorOf(request: FastifyRequest): OperatorCaller {
  if (request.caller?.side !== 'operator') throw wrongSide('VENDOR_TOKEN');
  return request.caller;
}

function bearerToken(request: FastifyRequest): string {
  const [, token] = /^bearer +(\S.*)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) throw refusedWith('UNAUTHORIZED_MISSING_TOKEN', { reason: 'missing' });
  return token.trimEnd();
}

/**
 * Calls `admit` with the subject of the request's token, then `proceed`. An operator's token is
 * checked against the operator's record at each call (D86); a vendor's claims are used at once,
 * without a look-up (part 5, rule 7).
 */
function authenticate(
  request: FastifyRequest,
  { tokens, acceptsToken }: Gate,
  proceed: (error?: Error) => void,
  admit: (caller: Caller) => void,
): void {
  const caller = tokens.verify(bearerToken(request));
  const enter = (): void => {
    request.caller = caller;
    admit(caller);
  };
  if (caller.side === 'vendor') {
    enter();
    proceed();
    return;
  }
  requireAccepted(acceptsToken, caller)
    .then(enter)
    .then(() => proceed(), proceed);
}

async function requireAccepted(
  acceptsToken: Gate['acceptsToken'],
  caller: OperatorCaller,
): Promise<void> {
  if (await acceptsToken(caller)) return;
  throw refusedWith('UNAUTHORIZED_INVALID_TOKEN', {
    reason: 'operator_revoked',
    operatorId: caller.operatorId,
  });
}

type Gate = {
  readonly tokens: Tokens;
  readonly acceptsToken: ReturnType<typeof createTokenCheck>;
  readonly callsPerVendor: RateLimit;
  readonly callsPerOperator: RateLimit;
};
type VendorGate = Gate & {
  readonly pushesPerVendor: RateLimit;
  readonly bulkItemsPerVendor: RateLimit;
  readonly jobItemsPerVendor: RateLimit;
};

/** The least items that a bulk call counts: one call costs more than one push. */
const bulkCallItemsMin = 10;

/** The limit that a call of a vendor counts for, and how much it counts. */
function rateOf(
  request: FastifyRequest,
  { rate }: FastifyContextConfig,
  gate: VendorGate,
): [RateLimit, number] {
  if (isPreview(request)) return [gate.callsPerVendor, 1];
  if (rate === 'bulkItems') return [gate.bulkItemsPerVendor, bulkCallItemsMin];
  if (rate === 'jobItems') return [gate.jobItemsPerVendor, bulkCallItemsMin];
  return [rate === 'pushes' ? gate.pushesPerVendor : gate.callsPerVendor, 1];
}

/** Checks token, capability and rate, in this order (D2), on each vendor route of `scope`. */
export function authenticateVendors(scope: FastifyInstance, gate: VendorGate): void {
  scope.addHook('onRequest', (request, reply, done) => {
    authenticate(request, gate, done, (called) => {
      const { config, url } = request.routeOptions;
      const [ofVendors, points] = rateOf(request, config, gate);
      const rate = countCall(reply, called, {
        ofVendors,
        points,
        ofOperators: gate.callsPerOperator,
      });
      const caller = vendorOf(request);
      const { capability } = config;
      if (capability === undefined) throw new Error(`${url} names no capability`);
      if (capability !== null) requireCapability(caller, capability);
      if (rate?.isExceeded === true) throw tooManyRequests(rate.resetSeconds);
    });
  });
}

/**
 * Throws FORBIDDEN_CAPABILITY_NOT_GRANTED. If none of several is granted, the error names the first
 * (D15).
 */
export function requireCapability(
  { capabilities: granted }: VendorCaller,
  required: Capability | readonly [Capability, ...Capability[]],
): void {
  const accepted = typeof required === 'string' ? ([required] as const) : required;
  if (accepted.some((capability) => granted.includes(capability))) return;
  throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: accepted[0] });
}

/**
 * Counts a call of either side on any route, and sets the rate headers (D13). All credentials of a
 * vendor count together (D85).
 */
function countCall(
  reply: FastifyReply,
  caller: Caller,
  {
    ofVendors,
    points = 1,
    ofOperators,
  }: {
    readonly ofVendors: RateLimit;
    /** How much the call of a vendor counts. */
    readonly points?: number;
    readonly ofOperators: RateLimit;
  },
): RateVerdict | null {
  const counted =
    caller.side === 'vendor'
      ? { limit: ofVendors, key: caller.vendorId, points }
      : { limit: ofOperators, key: caller.id, points: 1 };
  const rate = counted.limit(counted.key, counted.points);
  if (rate === null) return null;
  setRateHeaders(reply, rate);
  noteCount(reply.request, rate, { ...counted, isShown: true });
  return rate;
}

/** Checks token, role and rate, in this order (D2), on each operator route of `scope`. */
export function authenticateOperators(scope: FastifyInstance, gate: Gate): void {
  scope.addHook('onRequest', (request, reply, done) => {
    authenticate(request, gate, done, (caller) => {
      const rate = countCall(reply, caller, {
        ofVendors: gate.callsPerVendor,
        ofOperators: gate.callsPerOperator,
      });
      const { roles } = operatorOf(request);
      const { role } = request.routeOptions.config;
      if (role === undefined) throw new Error(`${request.routeOptions.url} names no role`);
      if (!hasRole(roles, role)) throw apiError('FORBIDDEN', { requiredRole: role });
      if (rate?.isExceeded === true) throw tooManyRequests(rate.resetSeconds);
    });
  });
}
