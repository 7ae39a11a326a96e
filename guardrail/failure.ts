import { AssertionError } from 'node:assert';
import { errors } from 'undici';

/** The TLS handshake failed. `code` is OpenSSL's or Node's, such as `CERT_HAS_EXPIRED`. */
export class TlsFailure extends Error {
  override readonly name = 'TlsFailure';
  readonly code: string;
  constructor(cause: unknown) {
    super('TLS handshake failed', { cause });
    this.code = codeOf(cause) ?? 'UNKNOWN';
  }
}

/** The socket's peer is not a vetted address. The sender has sent no byte. */
export class PeerNotVetted extends Error {
  override readonly name = 'PeerNotVetted';
  readonly code = 'PEER_NOT_VETTED';
}

/** The receiver sent more bytes than one request may cost. */
export class ResponseTooLong extends Error {
  override readonly name = 'ResponseTooLong';
  readonly code = 'ANSWER_TOO_LONG';
  constructor() {
    super('the receiver sent more than one request may cost');
  }
}

const prefixes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ANSWER_TOO_LONG: 'connection_reset',
  ENETUNREACH: 'network_unreachable',
  EHOSTUNREACH: 'network_unreachable',
  ENETDOWN: 'network_unreachable',
  EHOSTDOWN: 'network_unreachable',
  EADDRNOTAVAIL: 'network_unreachable',
  EAFNOSUPPORT: 'network_unreachable',
  // A firewall of this machine refuses the connection.
  EPERM: 'network_unreachable',
  EACCES: 'network_unreachable',
  ETIMEDOUT: 'timeout',
  // A server that requires a client certificate says so after the handshake.
  EPROTO: 'tls_error',
};

/** Faults of this machine or of the use of undici, not of the receiver. */
const ownFaults: ReadonlySet<string> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
]);

function prefixOf(error: unknown, code: string): string | null {
  if (ownFaults.has(code)) return null;
  if (error instanceof TlsFailure || /^ERR_(?:SSL|TLS)_/.test(code)) return 'tls_error';
  const isFromOutside =
    code.startsWith('UND_ERR_') || (error instanceof Error && 'syscall' in error);
  // Other faults, such as endless headers, break the connection.
  return prefixes[code] ?? (isFromOutside ? 'connection_reset' : null);
}

function codeOf(error: unknown): string | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : null;
}

/**
 * Names the network fault of an error as `<prefix>: <code>`; null for other errors: a bug, a header
 * that cannot be sent, or a fault of this machine such as EMFILE. It repeats the code only, because
 * the message may contain an address or the receiver's words.
 */
export function networkFault(error: unknown): string | null {
  if (error instanceof PeerNotVetted)
    return 'destination_blocked: the connection led to another address';
  // The response is not HTTP. undici 7.30 sets no code for it, and only asserts that a status is at
  // least 100 and that 101 comes with Upgrade. Without a result, the gateway would send forever.
  if (error instanceof errors.HTTPParserError || error instanceof AssertionError)
    return 'connection_reset: INVALID_HTTP';
  const code = codeOf(error);
  const prefix = code === null ? null : prefixOf(error, code);
  return prefix === null ? null : `${prefix}: ${code}`;
}
