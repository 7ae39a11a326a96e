import { once } from 'node:events';
import { connect, isIPv6, SocketAddress, type Socket } from 'node:net';
import { networkFault, PeerNotVetted } from './failure.ts';

export type DialOptions = {
  readonly port: number;
  /** For all addresses together. */
  readonly timeoutMs: number;
  /** Gives up at once and closes half-open sockets. */
  readonly signal: AbortSignal;
};

/** The most that an address without a response delays the others: time to repeat one lost SYN. */
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
  // The socket may fail before its next owner listens.
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

/** Compares with the peer that the kernel reports: connecting to 0.0.0.0 reaches 127.0.0.1. */
function assertVetted(socket: Socket, addresses: readonly string[]): void {
  const peer = socket.remoteAddress;
  if (peer !== undefined && addresses.map(canonical).includes(canonical(peer))) return;
  socket.destroy();
  throw new PeerNotVetted('peer is not a vetted address');
}

/** Prefers the error of an address that answered to the error of an unreachable address. */
const moreSpecific = (first: unknown, second: unknown): unknown =>
  first === undefined || networkFault(first)?.startsWith('network_unreachable') === true
    ? second
    : first;

/**
 * Opens a TCP connection to the first of `addresses` that accepts one, in their order, and checks
 * that the peer is one of them. Looks up no name. Rejects with {@link PeerNotVetted} or a socket's
 * error.
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
      failure = moreSpecific(failure, error);
    }
  }
  throw failure;
}
