import type { IncomingMessage } from 'node:http';
import { networkOf } from '../auth/limit-by-address.ts';
import { tokenOf } from '../auth/read-token.ts';
import type { Caller, Tokens } from '../auth/tokens.ts';

/** The sender of a request: the vendor or operator of its token, else its address's network. */
export function senderOf(caller: Caller | null, address: string): string {
  if (caller === null) return networkOf(address);
  return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
}

/**
 * The sender of a request before its token is checked. A token counts that this process has
 * verified. Another text is no sender, because one network can send any number of them.
 */
export const senderBy =
  (
    { verifiedCaller }: Pick<Tokens, 'verifiedCaller'>,
    addressOf: (request: IncomingMessage) => string,
  ) =>
  (request: IncomingMessage): string => {
    const token = tokenOf(request.headers);
    return senderOf(token === null ? null : verifiedCaller(token), addressOf(request));
  };
