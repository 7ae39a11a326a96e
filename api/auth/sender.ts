import proxyAddr from '@fastify/proxy-addr';
import type { SenderOf } from '../http/start-order.ts';
import { networkOf } from './limit-by-address.ts';
import { tokenOf } from './read-token.ts';
import type { Tokens } from './tokens.ts';

/**
 * The sender of a request before its token is checked: the caller of a token that this process has
 * verified, otherwise the network that it comes from, as Fastify's `request.ip` later. Another text
 * is no sender, because one network can send any number of them.
 */
export function senderBy(
  { verifiedCaller }: Pick<Tokens, 'verifiedCaller'>,
  { trustProxy }: { readonly trustProxy: readonly string[] },
): SenderOf {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => {
    const token = tokenOf(request.headers);
    const caller = token === null ? null : verifiedCaller(token);
    if (caller === null) return networkOf(proxyAddr(request, isTrusted));
    return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
  };
}
