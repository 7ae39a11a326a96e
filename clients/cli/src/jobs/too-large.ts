import { VendorGatewayError } from 'vendor-gateway-client';

/** How a connection ends on which a body of this size does not arrive in time. */
const lostReasons: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'TimeoutError'];
/** A body that any connection carries in time. */
const smallBytes = 64 * 1024;

/**
 * Whether a smaller body may succeed where this one did not: the gateway did not get it in time, or
 * takes no body of its size. A connection that ends under a large body says so too.
 */
export function isTooLarge(error: unknown, bytes: number): boolean {
  if (!(error instanceof VendorGatewayError)) return false;
  const { state, status, details } = error;
  if (status === 408 || status === 413) return true;
  return (
    state === 'CONNECTION_FAILED' && bytes > smallBytes && lostReasons.includes(details.reason)
  );
}
