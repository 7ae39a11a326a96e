import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../process/health/listen.ts';

/**
 * A TCP proxy to a port of this machine. Its connections can be cut, or held. `onConnection` may
 * read along: it gets a piece before the other end does.
 */
export async function startCutProxy(
  targetPort: number,
  onConnection: (incoming: Socket, outgoing: Socket) => void = () => undefined,
) {
  const open = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    onConnection(incoming, outgoing);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one.setNoDelay(true));
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  /** Resets every connection, both ways, in the middle of whatever it carries. */
  const cutAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    port: Number(new URL(origin).port),
    cutAll,
    /** Forwards nothing more of the present connections, which stay open. */
    holdAll: (): void => {
      for (const socket of open) socket.unpipe().pause();
    },
    close: () => {
      server.close();
      cutAll();
    },
  };
}
