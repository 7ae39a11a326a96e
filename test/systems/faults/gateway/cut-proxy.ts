import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a port of this machine. Its connections can be cut, or held. */
export async function startCutProxy(targetPort: number) {
  const open = new Set<Socket>();
  const server = createServer((incoming) => {
    const outgoing = connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  /** Resets every connection, both ways, in the middle of whatever it carries. */
  const cutAll = (): void => {
    for (const socket of open) socket.resetAndDestroy();
  };
  return {
    // A TCP server's address is an AddressInfo; only a pipe's is a string.
    port: (server.address() as AddressInfo).port,
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
