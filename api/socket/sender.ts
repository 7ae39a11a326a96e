import type { IncomingMessage } from 'node:http';
import type { SenderOf } from './start-order.ts';
import { networkOf } from '../auth/limit-by-address.ts';
import { tokenOf } from '../auth/read-token.ts';
import type { Tokens } from '../auth/tokens.ts';

/**
 * The sender of a request before its token is checked: the caller of a token that this process has
 * verified, otherwise the network of the address that `addressOf` finds. Another text is no sender,
 * because one network can send any number of them.
 */
export const senderBy =
  (
    { verifiedCaller }: Pick<Tokens, 'verifiedCaller'>,
    addressOf: (request: IncomingMessage) => string,
  ): SenderOf =>
  (request) => {
    const token = tokenOf(request.headers);
    const caller = token === null ? null : verifiedCaller(token);
    if (caller === null) return networkOf(addressOf(request));
    return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
  };
