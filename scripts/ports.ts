import { createServer } from 'node:net';
import { claimPort } from './port-claims.ts';

const isAddressInUse = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EADDRINUSE' || error.code === 'EACCES');

/** Listens for a moment: the only test of a port that is right about every kind of listener. */
function tryPort(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => (isAddressInUse(error) ? resolve(undefined) : reject(error)));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** Hands out ports, none of them twice, and says when the wanted one is taken. */
export function createPortChooser(say: (line: string) => void) {
  const given = new Set<number>();

  /** `wanted` if it is free, else one of the 20 after it, else any; 0 asks for any. */
  return async function choosePort(
    what: string,
    wanted: number,
    host = '127.0.0.1',
  ): Promise<number> {
    const candidates = wanted === 0 ? [] : Array.from({ length: 21 }, (_, index) => wanted + index);
    for (const candidate of [...candidates.filter((port) => port <= 65_535), 0, 0, 0]) {
      if (given.has(candidate)) continue;
      const port = await tryPort(candidate, host);
      if (port === undefined || given.has(port) || !claimPort(port)) continue;
      given.add(port);
      if (wanted !== 0 && port !== wanted) say(`Port ${wanted} is in use: ${what} takes ${port}.`);
      return port;
    }
    throw new Error(`No free port for ${what} on ${host}.`);
  };
}

/** See {@link createPortChooser}. */
export type ChoosePort = ReturnType<typeof createPortChooser>;
