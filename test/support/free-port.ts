import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

/**
 * A port below the ports of outgoing connections, so that no connection takes it before it is
 * opened.
 */
export const freePort = (): Promise<number> => {
  const first = randomInt(12_000, 30_000);
  return getPort({ host: '127.0.0.1', port: portNumbers(first, first + 1000), reserve: true });
};
