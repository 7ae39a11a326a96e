import { expect, test, vi } from 'vitest';
import {
  failure,
  loopbackSender,
  message,
  startReceiver,
  startTlsReceiver,
  urlOf,
} from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';

const trusted = selfSigned(['vendor.example.org']);

/** The result of a send to a server with these settings. */
async function sendTo(settings: Parameters<typeof startTlsReceiver>[0], ca?: string) {
  const receiver = await startTlsReceiver(settings);
  const sender = loopbackSender(receiver.port, ca === undefined ? {} : { ca });
  return { receiver, result: await sender.send({ ...message, url: urlOf(receiver.port) }) };
}

test('accepts a trusted certificate of the right name, with SNI and Host', async () => {
  const names: string[] = [];
  const settings = {
    ...trusted,
    SNICallback: (name: string, done: (error: null) => void) => {
      names.push(name);
      done(null);
    },
  };
  const { receiver, result } = await sendTo(settings, trusted.cert);
  expect(result).toMatchObject({ succeeded: true });
  expect(names).toEqual(['vendor.example.org']);
  expect(receiver.hits[0]?.headers.host).toBe(`vendor.example.org:${receiver.port}`);
});

const [other, ofAddress, expired] = [
  selfSigned(['other.example.org']),
  selfSigned(['127.0.0.1']),
  selfSigned(['vendor.example.org'], -1000),
];

test.each([
  ['no authority signed', trusted, undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['is of another name', other, other.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['is of the address', ofAddress, ofAddress.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['has expired', expired, expired.cert, 'CERT_HAS_EXPIRED'],
])('refuses a certificate that %s, and sends nothing', async (_what, tls, ca, code) => {
  const { receiver, result } = await sendTo(tls, ca);
  expect(result).toEqual(failure(`tls_error: ${code}`));
  expect(receiver.hits).toHaveLength(0);
  await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0), 20_000);
});

test('takes SNI and certificate by the URL’s name, whatever the Host header', async () => {
  const receiver = await startTlsReceiver(other);
  const { errorSummary } = await loopbackSender(receiver.port, { ca: other.cert }).send({
    url: urlOf(receiver.port),
    headers: { host: 'other.example.org' },
    body: '',
  });
  expect(errorSummary).toBe('tls_error: ERR_TLS_CERT_ALTNAME_INVALID');
});

test.each([
  ['wants a client certificate', { requestCert: true }, /^(tls_error|connection_reset): \w+$/],
  [
    'is too old',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    /^tls_error: ERR_SSL_\w+$/,
  ],
  // 8,192 bits, whose key exchange is expensive.
  ['has a large group only', { ecdhCurve: 'ffdhe8192' }, /^tls_error: /],
] as const)('sends no request to a server that %s', async (_what, settings, summary) => {
  const { receiver, result } = await sendTo({ ...trusted, ...settings }, trusted.cert);
  expect(result.errorSummary).toMatch(summary);
  expect(receiver.hits).toHaveLength(0);
});

test('reports a server that speaks no TLS as an error of TLS', async () => {
  const { port } = await startReceiver();
  const { errorSummary } = await loopbackSender(port).send({ ...message, url: urlOf(port) });
  expect(errorSummary).toMatch(/^tls_error: (ERR_SSL_\w+|EPROTO)$/);
});
