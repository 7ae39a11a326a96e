import { errors } from 'undici';

/** The certificate or the handshake was no good. `code` is OpenSSL's or Node's, such as `CERT_HAS_EXPIRED`. */
export class TlsFailure extends Error {
  override readonly name = 'TlsFailure';
  readonly code: string;
  constructor(cause: unknown) {
    super('TLS handshake failed', { cause });
    this.code = codeOf(cause) ?? 'UNKNOWN';
  }
}

/** The socket's peer is not one of the vetted addresses. No byte was sent. */
export class PeerNotVetted extends Error {
  override readonly name = 'PeerNotVetted';
  readonly code = 'PEER_NOT_VETTED';
}

const prefixes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ENETUNREACH: 'network_unreachable',
  EHOSTUNREACH: 'network_unreachable',
  ENETDOWN: 'network_unreachable',
  EHOSTDOWN: 'network_unreachable',
  EADDRNOTAVAIL: 'network_unreachable',
  EAFNOSUPPORT: 'network_unreachable',
  // A firewall of this machine that refuses the connection.
  EPERM: 'network_unreachable',
  EACCES: 'network_unreachable',
  ETIMEDOUT: 'timeout',
  // A server that wants a client's certificate says so after the handshake, to whoever reads.
  EPROTO: 'tls_error',
};

/** Not the receiver's doing: this machine has no more of something, or undici was used wrongly. */
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
  // For the rest, such as headers without end, the fixed list has no better word: the connection is torn down.
  return prefixes[code] ?? (isFromOutside ? 'connection_reset' : null);
}

function codeOf(error: unknown): string | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : null;
}

/**
 * Says which network fault an error is, as `<prefix>: <code>`, or null if it is none: a bug, a header that cannot be
 * sent, or a fault of this machine such as EMFILE, which must not count as the receiver's. Only the code is repeated,
 * never the message, which may hold an address or the receiver's words.
 */
export function networkFault(error: unknown): string | null {
  if (error instanceof PeerNotVetted)
    return 'destination_blocked: the connection led to another address';
  // An answer that is no HTTP. undici means to give it a code, but 7.30 gives none.
  if (error instanceof errors.HTTPParserError) return 'connection_reset: INVALID_HTTP';
  const code = codeOf(error);
  const prefix = code === null ? null : prefixOf(error, code);
  return prefix === null ? null : `${prefix}: ${code}`;
}
