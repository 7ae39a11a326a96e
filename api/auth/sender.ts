import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { SenderOf } from '../http/start-order.ts';
import { networkOf } from './limit-by-address.ts';
import { tokenOf } from './read-token.ts';
import type { Tokens } from './tokens.ts';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Addresses and networks as a list. */
function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const each of networks) {
    const [network = '', prefix] = each.split('/');
    if (prefix === undefined) list.addAddress(network, familyOf(network));
    else list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
}

/**
 * The address that a request comes from, as `request.ip` is later: behind trusted proxies, the
 * latest address of `X-Forwarded-For` that is none of theirs.
 */
function addressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trusted: BlockList,
) {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const named = forwarded.map((hop) => hop.trim()).filter((hop) => hop !== '');
  const hops = [socket.remoteAddress ?? '', ...named.toReversed()];
  const isTrusted = (hop: string): boolean => isIP(hop) !== 0 && trusted.check(hop, familyOf(hop));
  return hops.find((hop) => !isTrusted(hop)) ?? hops.at(-1) ?? '';
}

/**
 * The sender of a request before its token is checked: the caller of a token that this process has
 * verified, otherwise the network that it comes from. Another text is no sender, because one
 * network can send any number of them.
 */
export function senderBy(
  { verifiedCaller }: Pick<Tokens, 'verifiedCaller'>,
  { trustProxy }: { readonly trustProxy: readonly string[] },
): SenderOf {
  const trusted = listOf(trustProxy);
  return (request) => {
    const token = tokenOf(request.headers);
    const caller = token === null ? null : verifiedCaller(token);
    if (caller === null) return networkOf(addressOf(request, trusted));
    return caller.side === 'vendor' ? caller.vendorId : caller.operatorId;
  };
}
