import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TokenOwner } from '../../db/accounts/operators.ts';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { isPreview } from '../commands/validate-only.ts';
import {
  apiError,
  refusedWith,
  tooManyRequests,
  type ApiError,
  type RateName,
} from '../http/api-error.ts';
import { setRateHeaders } from './call-points.ts';
import type { RateLimit, RateVerdict } from './rate-limits.ts';
import { tokenOf } from './read-token.ts';
import type { Caller, OperatorCaller, Tokens, VendorCaller } from './tokens.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The subject of the token; null on routes without authentication. */
    caller: Caller | null;
    /** The operator that acts for the caller of a sandbox's route; null on all others. */
    actingOperator: ActingOperator | null;
  }
  interface FastifyContextConfig {
    /** Required on vendor routes: a capability, one capability of a list, or null for none. */
    capability?: Capability | readonly [Capability, ...Capability[]] | null;
    /** Pushes have a rate limit of their own, as have the items of bulk calls and of jobs. */
    rate?: 'pushes' | 'bulkItems' | 'jobItems';
    /** Required on operator routes: the role that may call it, or one role of a list. */
    role?: OperatorRole | readonly [OperatorRole, ...OperatorRole[]];
  }
}

/** An operator that makes a change: the id of its row, and its name. */
export type ActingOperator = Pick<OperatorCaller, 'id' | 'operatorId'>;

/** FORBIDDEN for a token of the other part of the API. */
const wrongSide = (reason: 'VENDOR_TOKEN' | 'OPERATOR_TOKEN', message: string): ApiError =>
  apiError('FORBIDDEN', { reason, message });

/** The caller of a vendor route. Throws FORBIDDEN for an operator. */
export function vendorOf({ caller }: FastifyRequest): VendorCaller {
  if (caller?.side === 'vendor') return caller;
  throw wrongSide('OPERATOR_TOKEN', "The token is an operator's; this route needs a vendor's.");
}

/** The caller of an operator route. Throws FORBIDDEN for a vendor. */
export function operatorOf({ caller }: FastifyRequest): OperatorCaller {
  if (caller?.side === 'operator') return caller;
  throw wrongSide('VENDOR_TOKEN', "The token is a vendor's; this route needs an operator's.");
}

/** The operator that makes the changes of a request. */
export const actingOperatorOf = (request: FastifyRequest): ActingOperator =>
  request.actingOperator ?? operatorOf(request);

function bearerToken({ headers }: FastifyRequest): string {
  const token = tokenOf(headers);
  if (token === null) throw refusedWith('UNAUTHORIZED_MISSING_TOKEN', { reason: 'missing' });
  return token;
}

type Gate = {
  readonly tokens: Tokens;
  readonly acceptsToken: (owner: TokenOwner) => Promise<boolean>;
  readonly callsPerVendor: RateLimit;
  readonly pushesPerVendor: RateLimit;
  readonly bulkItemsPerVendor: RateLimit;
  readonly jobItemsPerVendor: RateLimit;
  readonly callsPerOperator: RateLimit;
};

/** The least items that a bulk call counts: one call costs more than one push. */
const bulkCallItemsMin = 10;

type Rate = {
  readonly name: RateName;
  readonly limit: RateLimit;
  readonly key: string;
  readonly points: number;
};

/** The limit that a call counts for, its name and key, and how much it counts. */
function rateOf(
  request: FastifyRequest,
  { rate }: FastifyContextConfig,
  caller: Caller,
  gate: Gate,
): Rate {
  if (caller.side === 'operator')
    return { name: 'CALLS', limit: gate.callsPerOperator, key: caller.id, points: 1 };
  // All credentials of a vendor count together.
  const key = caller.vendorId;
  if (rate === undefined || isPreview(request))
    return { name: 'CALLS', limit: gate.callsPerVendor, key, points: 1 };
  if (rate === 'pushes') return { name: 'PUSHES', limit: gate.pushesPerVendor, key, points: 1 };
  return rate === 'bulkItems'
    ? { name: 'BULK_ITEMS', limit: gate.bulkItemsPerVendor, key, points: bulkCallItemsMin }
    : { name: 'JOB_ITEMS', limit: gate.jobItemsPerVendor, key, points: bulkCallItemsMin };
}

/** Counts a call, and sets the rate headers; null without a limit. */
function countCall(reply: FastifyReply, counted: Rate): RateVerdict | null {
  const rate = counted.limit(counted.key, counted.points);
  if (rate === null) return null;
  setRateHeaders(reply, rate);
  reply.request.counted = { ...counted, limitMax: rate.limit, isShown: true };
  return rate;
}

/** An operator's token is checked against the operator's record at each call. */
async function requireAccepted({ acceptsToken }: Gate, caller: OperatorCaller): Promise<void> {
  if (await acceptsToken(caller)) return;
  throw refusedWith('UNAUTHORIZED_INVALID_TOKEN', {
    reason: 'operator_revoked',
    operatorId: caller.operatorId,
  });
}

/**
 * Checks token, permission and rate, in this order, on each route of `scope`. A call without the
 * permission counts too. A vendor's claims are used without a look-up (part 5, rule 7).
 */
function authenticate(
  scope: FastifyInstance,
  gate: Gate,
  requirePermission: (request: FastifyRequest, config: FastifyContextConfig) => void,
): void {
  scope.addHook('onRequest', (request, reply, proceed) => {
    const caller = gate.tokens.verify(bearerToken(request));
    const enter = (): void => {
      request.caller = caller;
      const { config } = request.routeOptions;
      const counted = rateOf(request, config, caller, gate);
      const rate = countCall(reply, counted);
      requirePermission(request, config);
      if (rate?.isExceeded === true) throw tooManyRequests(counted.name, rate);
    };
    // Not async for vendors: a refusal leaves before Node's parser finds a fault in the body.
    if (caller.side === 'vendor') {
      enter();
      proceed();
      return;
    }
    requireAccepted(gate, caller)
      .then(enter)
      .then(() => proceed(), proceed);
  });
}

/** Checks each vendor route of `scope`, which names its capability. */
export const authenticateVendors = (scope: FastifyInstance, gate: Gate): void =>
  authenticate(scope, gate, (request, { capability }) => {
    const caller = vendorOf(request);
    if (capability === undefined)
      throw new Error(`${request.routeOptions.url} names no capability`);
    if (capability !== null) requireCapability(caller, capability);
  });

/** Checks each operator route of `scope`, which names its role. */
export const authenticateOperators = (scope: FastifyInstance, gate: Gate): void =>
  authenticate(scope, gate, (request, { role }) => {
    const { roles } = operatorOf(request);
    if (role === undefined) throw new Error(`${request.routeOptions.url} names no role`);
    requireRole(roles, role);
  });

/** Throws FORBIDDEN. If none of several roles is held, the error names the first. */
export function requireRole(
  roles: readonly OperatorRole[],
  required: OperatorRole | readonly [OperatorRole, ...OperatorRole[]],
): void {
  const accepted = typeof required === 'string' ? ([required] as const) : required;
  if (accepted.some((role) => hasRole(roles, role))) return;
  throw apiError('FORBIDDEN', { requiredRole: accepted[0] });
}

/**
 * Throws FORBIDDEN_CAPABILITY_NOT_GRANTED. If none of several is granted, the error names the
 * first.
 */
export function requireCapability(
  { capabilities: granted }: VendorCaller,
  required: Capability | readonly [Capability, ...Capability[]],
): void {
  const accepted = typeof required === 'string' ? ([required] as const) : required;
  if (accepted.some((capability) => granted.includes(capability))) return;
  throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: accepted[0] });
}
