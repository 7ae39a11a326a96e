import { once } from 'node:events';
import { connect, isIPv6, SocketAddress, type Socket } from 'node:net';
import { networkFault, PeerNotVetted } from './failure.ts';

export type DialOptions = {
  readonly port: number;
  /** For all addresses together. */
  readonly timeoutMs: number;
  /** Gives up at once, and closes what is half open. */
  readonly signal: AbortSignal;
};

/** An address that does not answer may keep the others waiting this long: time for one lost SYN to be sent again. */
const otherWaitsMsMax = 3000;

/** One spelling for each address, so that `2001:DB8:0::1` and `2001:db8::1` are the same. */
const canonical = (address: string): string =>
  isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;

/** Connects to one address within `timeoutMs`, or rejects with the socket's error. */
async function dialOne(
  address: string,
  timeoutMs: number,
  { port, signal }: DialOptions,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ host: address, port, noDelay: true, keepAlive: true });
  // The socket may fail between two owners, when nobody else listens.
  socket.on('error', () => undefined);
  const giveUp = () => {
    socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
  };
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await once(socket, 'connect');
    return socket;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  }
}

/** The peer the kernel reports is what counts: connecting to 0.0.0.0, for one, reaches 127.0.0.1. */
function assertVetted(socket: Socket, addresses: readonly string[]): void {
  const peer = socket.remoteAddress;
  if (peer !== undefined && addresses.map(canonical).includes(canonical(peer))) return;
  socket.destroy();
  throw new PeerNotVetted('peer is not a vetted address');
}

/** Prefer an address that answered to one that could not be reached: it says more of the receiver. */
const moreTelling = (first: unknown, second: unknown): unknown =>
  first === undefined || networkFault(first)?.startsWith('network_unreachable') === true
    ? second
    : first;

/**
 * Opens a TCP connection to the first of `addresses` that takes one, in their order, and makes sure that the peer is
 * one of them. No name is looked up. Rejects with {@link PeerNotVetted} or the most telling of the sockets' errors.
 */
export async function dial(addresses: readonly string[], options: DialOptions): Promise<Socket> {
  const deadline = performance.now() + options.timeoutMs;
  let failure: unknown;
  for (const [index, address] of addresses.entries()) {
    const othersLeft = addresses.length - index - 1;
    const share = (deadline - performance.now()) / (othersLeft + 1);
    const waitMs = Math.max(1, othersLeft === 0 ? share : Math.min(share, otherWaitsMsMax));
    try {
      const socket = await dialOne(address, waitMs, options);
      assertVetted(socket, addresses);
      return socket;
    } catch (error) {
      if (error instanceof PeerNotVetted || options.signal.aborted) throw error;
      failure = moreTelling(failure, error);
    }
  }
  throw failure;
}
