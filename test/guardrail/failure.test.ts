import { errors } from 'undici';
import { expect, test } from 'vitest';
import { networkFault, PeerNotVetted, TlsFailure } from '../../guardrail/failure.ts';

/** As Node's sockets fail: the message holds the address. */
const systemError = (code: string, syscall = 'connect') =>
  Object.assign(new Error(`${syscall} ${code} 10.0.0.1:443`), { code, syscall });

test.each([
  [systemError('ECONNREFUSED'), 'connection_refused: ECONNREFUSED'],
  [systemError('ECONNRESET', 'read'), 'connection_reset: ECONNRESET'],
  [systemError('EPIPE', 'write'), 'connection_reset: EPIPE'],
  [systemError('ENETUNREACH'), 'network_unreachable: ENETUNREACH'],
  [systemError('EHOSTUNREACH'), 'network_unreachable: EHOSTUNREACH'],
  [systemError('EPERM'), 'network_unreachable: EPERM'],
  [systemError('ETIMEDOUT'), 'timeout: ETIMEDOUT'],
  [systemError('EPROTO', 'write'), 'tls_error: EPROTO'],
  [systemError('ENOPROTOOPT'), 'connection_reset: ENOPROTOOPT'],
  [new errors.SocketError('10.0.0.1'), 'connection_reset: UND_ERR_SOCKET'],
  [new errors.HeadersOverflowError(), 'connection_reset: UND_ERR_HEADERS_OVERFLOW'],
  [new errors.HTTPParserError('hunter2'), 'connection_reset: INVALID_HTTP'],
  [
    new TlsFailure(Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' })),
    'tls_error: CERT_HAS_EXPIRED',
  ],
  [new TlsFailure(new Error('hunter2')), 'tls_error: UNKNOWN'],
  [new PeerNotVetted('127.0.0.1'), 'destination_blocked: the connection led to another address'],
])('names %s a network fault', (error, summary) => expect(networkFault(error)).toBe(summary));

test.each([
  systemError('EMFILE'),
  systemError('ENFILE'),
  systemError('ENOBUFS'),
  systemError('ENOMEM'),
  new errors.InvalidArgumentError('invalid header'),
  new errors.ClientDestroyedError(),
  new TypeError('a bug'),
  Object.assign(new Error('a bug'), { code: 'ERR_INVALID_ARG_TYPE' }),
  Object.assign(new Error(), { code: 'hunter 2' }),
  Object.assign(new Error(), { code: 7 }),
  'a string',
  null,
])('reports no fault of the network for %s', (error) => expect(networkFault(error)).toBeNull());
