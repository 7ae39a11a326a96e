import { errorCodes, type DetailsByCode } from './error-details.ts';
import { isObject } from './json.ts';

/** What the client itself reports, beside the gateway's codes. */
type ClientDetails = {
  /**
   * No answer: the connection failed, or the time limit ended. `reason` is a code, if there is one.
   */
  CONNECTION_FAILED: { readonly reason: string | null };
  /** The answer is not the gateway's; a proxy may have sent it. */
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
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** The id to quote when you ask about the call; null without an answer. */
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
    super(`${method} ${path}: ${facts.state}${facts.status === 0 ? '' : ` (${facts.status})`}`);
    this.state = facts.state;
    this.details = facts.details;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
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

/** The error of an answer with this body. */
export function errorOf(response: Response, body: unknown, call: Call): VendorGatewayError {
  const facts = {
    ...readBody(body),
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: retryAfterMsOf(response),
  };
  return new GatewayError<ErrorState>(facts, call) as VendorGatewayError;
}

/** The error of an answer whose form is right and whose facts contradict each other. */
export const contradictoryAnswer = (call: Call): VendorGatewayError =>
  new GatewayError(
    {
      state: 'INVALID_RESPONSE',
      details: {},
      status: 200,
      requestId: null,
      retryAfterMs: null,
    },
    call,
  );

/**
 * The error of a call without an answer. `cause` may hold headers, so that only its code is kept.
 */
export function connectionFailed(cause: unknown, call: Call): VendorGatewayError {
  const inner = isObject(cause) && isObject(cause['cause']) ? cause['cause'] : cause;
  const { code = null, name = null } = isObject(inner) ? inner : {};
  const text = typeof code === 'string' ? code : name;
  const reason = typeof text === 'string' && /^\w{1,40}$/.test(text) ? text : null;
  const facts = { status: 0, requestId: null, retryAfterMs: null, details: { reason } };
  return new GatewayError({ state: 'CONNECTION_FAILED', ...facts }, call);
}
