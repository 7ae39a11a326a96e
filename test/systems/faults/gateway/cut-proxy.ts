import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy whose connections can be cut. */
export type CutProxy = {
  readonly port: number;
  /** Resets every connection, both ways, in the middle of whatever it carries. */
  readonly cutAll: () => number;
  readonly close: () => void;
};

/** Forwards every connection to a port of this machine. */
export async function startCutProxy(targetPort: number): Promise<CutProxy> {
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
  const cutAll = (): number => {
    const cut = [...open];
    for (const socket of cut) socket.resetAndDestroy();
    return cut.length / 2;
  };
  return {
    // A TCP server's address is an AddressInfo; only a pipe's is a string.
    port: (server.address() as AddressInfo).port,
    cutAll,
    close: () => {
      server.close();
      cutAll();
    },
  };
}
