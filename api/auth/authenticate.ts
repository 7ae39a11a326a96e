import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { TokenOwner } from '../../db/accounts/operators.ts';
import type { Capability } from '../../domain/accounts/capabilities.ts';
import { hasRole, type OperatorRole } from '../../domain/accounts/operator-roles.ts';
import { isPreview } from '../commands/validate-only.ts';
import { apiError, refusedWith, tooManyRequests, type ApiError } from '../http/api-error.ts';
import { countCall, type CountingCall } from './call-points.ts';
import type { RateLimit } from './rate-limits.ts';
import { tokenOf } from './read-token.ts';
import type { Caller, OperatorCaller, Tokens, VendorCaller } from './tokens.ts';

/** A value, or a list of values of which one is enough. */
export type OneOf<T> = T | readonly [T, ...T[]];

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

/** The limits of vendors' calls by the kind of a route, and what a call counts by itself. */
const vendorRates = {
  calls: { name: 'CALLS', limit: 'callsPerVendor', points: 1 },
  pushes: { name: 'PUSHES', limit: 'pushesPerVendor', points: 1 },
  bulkItems: { name: 'BULK_ITEMS', limit: 'bulkItemsPerVendor', points: bulkCallItemsMin },
  jobItems: { name: 'JOB_ITEMS', limit: 'jobItemsPerVendor', points: bulkCallItemsMin },
} as const;

/** What a call counts, and for which limit. All credentials of a vendor count together. */
function countingCall(
  request: FastifyRequest,
  { rate }: FastifyContextConfig,
  caller: Caller,
  gate: Gate,
): CountingCall {
  if (caller.side === 'operator')
    return {
      name: 'CALLS',
      limit: gate.callsPerOperator,
      key: caller.id,
      points: 1,
      isShown: true,
    };
  const { name, limit, points } =
    vendorRates[rate === undefined || isPreview(request) ? 'calls' : rate];
  return { name, limit: gate[limit], key: caller.vendorId, points, isShown: true };
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
      const call = countingCall(request, config, caller, gate);
      const rate = countCall(request, reply, call);
      requirePermission(request, config);
      if (rate?.isExceeded === true) throw tooManyRequests(call.name, rate);
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
export function requireRole(roles: readonly OperatorRole[], required: OneOf<OperatorRole>): void {
  const accepted = [required].flat();
  if (accepted.some((role) => hasRole(roles, role))) return;
  throw apiError('FORBIDDEN', { requiredRole: accepted[0] });
}

/**
 * Throws FORBIDDEN_CAPABILITY_NOT_GRANTED. If none of several is granted, the error names the
 * first.
 */
export function requireCapability(
  { capabilities: granted }: VendorCaller,
  required: OneOf<Capability>,
): void {
  const accepted = [required].flat();
  if (accepted.some((capability) => granted.includes(capability))) return;
  throw apiError('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability: accepted[0] });
}
