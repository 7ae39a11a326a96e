import { isObject } from './json.ts';

const untrusted = 'the certificate of the server is not trusted';
/** What the codes of runtimes mean. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at the address',
  ConnectionRefused: 'nothing listens at the address',
  BAD_PORT: 'the runtime calls no server on this port',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'the host did not answer in time',
  TimeoutError: 'the gateway did not answer in time',
  ECONNRESET: 'the connection was closed before the answer',
  EPIPE: 'the connection was closed before the answer',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the server is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS: is the address http://?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'the server does not speak TLS: is the address http://?',
  EPROTO: 'the server does not speak TLS: is the address http://?',
  HPE_INVALID_CONSTANT: 'the server does not speak HTTP: is the address https://?',
};

/** Names of errors that say nothing about the cause. */
const emptyNames: readonly unknown[] = ['Error', 'TypeError', 'AggregateError'];

/** The code or the name of the innermost cause. Its message may hold headers. */
export function reasonOf(failure: unknown): string | null {
  let reason: string | null = null;
  let cause = failure;
  // Errors may form a circle.
  for (let depth = 0; depth < 5 && isObject(cause); depth += 1) {
    const { code, name, message } = cause;
    // The runtime gives no code to a port that it never calls.
    const text = typeof code === 'string' ? code : message === 'bad port' ? 'BAD_PORT' : name;
    if (typeof text === 'string' && /^\w{1,40}$/.test(text) && !emptyNames.includes(text))
      reason = text;
    cause = cause['cause'];
  }
  return reason;
}

/** The reason in words; an empty text without one. */
export function describeReason(reason: string | null): string {
  if (reason === null) return '';
  const meaning = meanings[reason];
  return meaning === undefined ? reason : `${meaning} (${reason})`;
}

/** Whether another attempt meets the same obstacle: a certificate, a protocol, a port. */
export const isLasting = (reason: string | null): boolean =>
  reason !== null &&
  (meanings[reason] === untrusted ||
    /^(BAD_PORT$|CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|HPE_)/.test(reason));
