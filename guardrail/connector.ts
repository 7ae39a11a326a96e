import { constants } from 'node:crypto';
import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  connect as connectTls,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type SecureContext,
} from 'node:tls';
import { callbackify } from 'node:util';
import type { buildConnector } from 'undici';
import { dial } from './dial.ts';
import { networkFault, TlsFailure } from './failure.ts';
import { mendHeads } from './send/response-heads.ts';
import { MeteredStream, type Allowance } from './send/metered-stream.ts';

export type ConnectorsOptions = {
  /** For the TCP connections to all addresses together. The signal limits the TLS handshake. */
  readonly timeoutMs: number;
  /** A PEM certificate to trust besides the usual ones, for tests. */
  readonly ca?: string | undefined;
};

const addressesMax = 8;

/**
 * Leaves out what lets a receiver choose an expensive key exchange: Diffie-Hellman over a group of
 * its own (TLS 1.2) or over ffdhe8192 (TLS 1.3), and renegotiation.
 */
const cheapHandshake = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384:P-521',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

type Target = buildConnector.Options;

/** Does the TLS handshake over `tcp`, or rejects and closes it. */
async function secure(
  tcp: Duplex,
  target: Target,
  secureContext: SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const { hostname } = target;
  const socket = connectTls({
    socket: tcp,
    // The certificate must be for the URL's name, not for a Host header.
    host: hostname,
    // RFC 6066 allows no IP address here. Only an exempt origin has one.
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext,
    // Explicit, because it outranks NODE_TLS_REJECT_UNAUTHORIZED=0.
    rejectUnauthorized: true,
  });
  // As in dial: it may fail before it has another listener.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    // A network fault during the handshake keeps its own code.
    throw signal.aborted || networkFault(error) !== null ? error : new TlsFailure(error);
  }
}

/**
 * Creates connectors for undici that go to vetted addresses only, while SNI, certificate check and
 * Host keep the URL's host name. They replace undici's whole connector, because overriding `lookup`
 * is not enough: Node calls it for no IP literal, and the name could get another address between
 * the check and the connection. They fail with errors that `networkFault` knows.
 */
export function createConnectors({ timeoutMs, ca }: ConnectorsOptions) {
  // Created once, because reading the certificates takes milliseconds.
  const secureContext = createSecureContext({
    ...cheapHandshake,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  });

  /**
   * Creates a connector to the first eight of `addresses`, in their order, until `signal` aborts.
   * Its connections read no more than `allowance` grants.
   */
  return (
    addresses: readonly string[],
    signal: AbortSignal,
    allowance: Allowance,
  ): buildConnector.connector => {
    const open = async (target: Target): Promise<Socket> => {
      const isSecure = target.protocol === 'https:';
      const port = Number(target.port === '' ? (isSecure ? 443 : 80) : target.port);
      const socket = await dial(addresses.slice(0, addressesMax), { port, timeoutMs, signal });
      const metered = new MeteredStream(socket, allowance);
      if (isSecure)
        return mendHeads(await secure(metered, target, secureContext, signal), allowance);
      // undici needs a duplex stream with ref and unref, but asks for a Socket.
      return mendHeads(metered, allowance) as Duplex as Socket;
    };
    const openThen = callbackify(open);
    return (target, callback) =>
      openThen(target, (error: Error | null, socket) =>
        error === null ? callback(null, socket) : callback(error, null),
      );
  };
}
