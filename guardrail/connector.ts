import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { dial } from './dial.ts';
import { networkFault, TlsFailure } from './failure.ts';

export type ConnectorsOptions = {
  /** For the TCP connections to all addresses together. The TLS handshake has until the signal. */
  readonly timeoutMs: number;
  /** A PEM certificate to trust besides the usual ones, for tests. */
  readonly ca?: string | undefined;
};

/** Makes a connector that goes to `addresses` (the first eight, in their order), until `signal` tells it to give up. */
export type CreateConnector = (
  addresses: readonly string[],
  signal: AbortSignal,
) => buildConnector.connector;

const addressesMax = 8;

type Target = buildConnector.Options;

/** Shakes hands over `tcp`, or rejects and closes it. */
async function secure(
  tcp: Socket,
  target: Target,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname } = target;
  const socket = connectTls({
    socket: tcp,
    // The certificate must be for the URL's name, whatever the Host header says.
    host: hostname,
    // RFC 6066: no IP address. Only an exempt origin has one.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext,
    // Said aloud: it also outranks NODE_TLS_REJECT_UNAUTHORIZED=0.
    rejectUnauthorized: true,
  });
  // As in dial: it may fail while nobody else listens.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    // A handshake may also fail below TLS, and that keeps its own name.
    throw signal.aborted || networkFault(error) !== null ? error : new TlsFailure(error);
  }
}

/**
 * Connectors for undici that go to vetted addresses and nowhere else, while SNI, certificate check and Host keep the
 * URL's host name. They stand in for undici's whole connector, since an overridden `lookup` would not do: Node calls
 * none for an IP literal, and the name could be given another address between the check and the connection.
 * They fail with errors that `networkFault` knows.
 */
export function createConnectors({ timeoutMs, ca }: ConnectorsOptions): CreateConnector {
  // Made once, since to read the certificates takes milliseconds.
  const secureContext = createSecureContext(
    ca === undefined ? {} : { ca: [...rootCertificates, ca] },
  );

  return (addresses, signal) => {
    const open = async (target: Target): Promise<Socket> => {
      const isSecure = target.protocol === 'https:';
      const port = Number(target.port === '' ? (isSecure ? 443 : 80) : target.port);
      const socket = await dial(addresses.slice(0, addressesMax), { port, timeoutMs, signal });
      return isSecure ? secure(socket, target, secureContext, signal) : socket;
    };
    const openThen = callbackify(open);
    return (target, callback) =>
      openThen(target, (error: Error | null, socket) =>
        error === null ? callback(null, socket) : callback(error, null),
      );
  };
}
