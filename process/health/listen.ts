import type { AddressInfo, Server } from 'node:net';

/** Starts a server at a host and port (0: a free one). Returns its origin; rejects if it cannot. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  // The address of a TCP server is an AddressInfo. Only a pipe has a string as its address.
  const { port: chosen } = server.address() as AddressInfo;
  return `http://${host}:${chosen}`;
}
