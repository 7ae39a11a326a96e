import { randomInt } from 'node:crypto';
import getPort from 'get-port';
import type { UiEndpoint } from './ui-proxy.ts';

/** An address of 127.0.0.0/8 that no one can guess. */
const randomLoopbackIp = (): string =>
  `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/**
 * Returns a random loopback address and a free port of it. Linux and Windows listen on all of
 * 127.0.0.0/8; a web page that scans for the port would have to guess the address too. Elsewhere
 * (macOS) the address is 127.0.0.1, and only the port is random.
 */
export async function chooseHiddenEndpoint(): Promise<UiEndpoint> {
  const ip = randomLoopbackIp();
  try {
    return { ip, port: await getPort({ host: ip }) };
  } catch {
    return { ip: '127.0.0.1', port: await getPort({ host: '127.0.0.1' }) };
  }
}
