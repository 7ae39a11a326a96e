import type { SenderOf } from '../http/start-order.ts';
import { networkOf } from './limit-by-address.ts';
import { tokenOf } from './read-token.ts';
import type { Tokens } from './tokens.ts';

/**
 * The sender of a request before its token is checked: the caller of a token that this process has
 * verified, otherwise the network of the connection. Another text is no sender, because one network
 * can send any number of them.
 */
export const senderBy =
  ({ verifiedCaller }: Pick<Tokens, 'verifiedCaller'>): SenderOf =>
  ({ headers, socket }) => {
    const token = tokenOf(headers);
    const caller = token === null ? null : verifiedCaller(token);
    if (caller === null) return networkOf(socket.remoteAddress ?? '');
    return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
  };
