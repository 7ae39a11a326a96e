import { reasonOf } from './connection-failure.ts';
import { describeRefusal } from './describe-details.ts';
import { errorCodes, type DetailsByCode } from './error-details.ts';
import { isObject } from './json.ts';

/** What the client itself reports, beside the gateway's codes. */
type ClientDetails = {
  /**
   * No response: the connection failed, or the time limit ended. `reason` is a code, if there is
   * one.
   */
  CONNECTION_FAILED: { readonly reason: string | null };
  /**
   * The address leads elsewhere: `location` is the new one, `baseUrl` what to set, if it is clear.
   * The client follows no redirect, which could carry the secret to another server.
   */
  REDIRECTED: { readonly location: string | null; readonly baseUrl: string | null };
  /** The response is not the gateway's; a proxy may have sent it. */
  INVALID_RESPONSE: Readonly<Record<string, never>>;
  /** A code that this version does not know: judge it by `status`. `code` is the gateway's text. */
  UNKNOWN: { readonly code: string; readonly details: Readonly<Record<string, unknown>> };
};

/** The details of each state. */
export type DetailsByState = DetailsByCode & ClientDetails;
export type ErrorState = keyof DetailsByState;

type Facts<TState extends ErrorState> = {
  readonly state: TState;
  readonly details: DetailsByState[TState];
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The id to quote when you ask about the call; null without a response. */
  readonly requestId: string | null;
  /** The time to wait as the gateway named it; null if it did not. */
  readonly retryAfterMs: number | null;
};
type Call = { readonly method: string; readonly path: string };

class GatewayError<TState extends ErrorState> extends Error implements Facts<TState> {
  override readonly name = 'VendorGatewayError';
  readonly state: TState;
  readonly details: DetailsByState[TState];
  readonly status: number;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor(facts: Facts<TState>, { method, path }: Call) {
    // Neither body nor headers, because they may hold a secret or a token.
    const status = facts.status === 0 ? '' : ` (${facts.status})`;
    const text = explanationOf(facts);
    super(`${method} ${path}: ${facts.state}${status}${text === '' ? '' : `: ${text}`}`);
    this.state = facts.state;
    this.details = facts.details;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** What the details say, for people. */
function explanationOf({ state, details }: Facts<ErrorState>): string {
  if (state !== 'UNKNOWN') return describeRefusal(state, { ...details });
  const { code, details: inner } = details as DetailsByState['UNKNOWN'];
  return [code, describeRefusal(code, inner)].filter((part) => part !== '').join(': ');
}

/** A failed call. A test of `state` narrows `details`. */
export type VendorGatewayError = { [S in ErrorState]: GatewayError<S> }[ErrorState];
export const VendorGatewayError = GatewayError as abstract new (
  ...args: never
) => VendorGatewayError;

/** `Retry-After` in seconds or as an HTTP date; null if there is none. */
export function retryAfterMsOf({ headers }: Response): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const knownCodes = new Set<string>(errorCodes);

type StateAndDetails = { [S in ErrorState]: Pick<Facts<S>, 'state' | 'details'> }[ErrorState];

/** What the body of a failed call says. */
function readBody(body: unknown): StateAndDetails {
  if (!isObject(body) || typeof body['state'] !== 'string')
    return { state: 'INVALID_RESPONSE', details: {} };
  const { state: code } = body;
  const details = isObject(body['details']) ? body['details'] : {};
  return knownCodes.has(code)
    ? ({ state: code, details } as StateAndDetails)
    : { state: 'UNKNOWN', details: { code, details } };
}

/** The error of a response with this body. */
export function errorOf(response: Response, body: unknown, call: Call): VendorGatewayError {
  const facts = {
    ...readBody(body),
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMsOf(response),
  };
  return new GatewayError<ErrorState>(facts, call) as VendorGatewayError;
}

/** The facts of a call without a response. */
const unnamed = { status: 0, requestId: null, retryAfterMs: null } as const;

/** The error of a response whose form is right and whose facts contradict each other. */
export const contradictoryResponse = (call: Call): VendorGatewayError =>
  new GatewayError({ state: 'INVALID_RESPONSE', details: {}, ...unnamed, status: 200 }, call);

/**
 * The error of a call without a response. `cause` may hold headers, so that only its code is kept.
 */
export function connectionFailed(cause: unknown, call: Call): VendorGatewayError {
  const details = { reason: reasonOf(cause) };
  return new GatewayError({ state: 'CONNECTION_FAILED', details, ...unnamed }, call);
}

/** The error of a redirect. A query or a password in the new address may be secret. */
export function redirected(response: Response, url: string, call: Call): VendorGatewayError {
  const target = response.headers.get('location');
  const isReadable = target !== null && target !== '' && URL.canParse(target, url);
  const details = { location: null, baseUrl: null };
  const facts = {
    state: 'REDIRECTED' as const,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: null,
  };
  if (!isReadable) return new GatewayError({ ...facts, details }, call);
  const { origin, pathname } = new URL(target, url);
  // What comes before the path of the call is the gateway's address.
  const before = pathname.endsWith(call.path) ? pathname.slice(0, -call.path.length) : null;
  const baseUrl = before === null ? null : `${origin}${before}`;
  return new GatewayError(
    { ...facts, details: { location: `${origin}${pathname}`, baseUrl } },
    call,
  );
}
