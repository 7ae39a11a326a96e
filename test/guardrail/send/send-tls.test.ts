import { describe, expect, test, vi } from 'vitest';
import { message, startReceiver, startTlsReceiver, testSender } from '../receiver.ts';
import { selfSigned } from '../self-signed.ts';
import { failure, answering, urlOf, policyFor } from './send-network-fixture.ts';

describe('TLS', () => {
  const loopback = { resolve: answering('127.0.0.1'), isForbidden: () => false };

  test('a trusted certificate of the right name is a success, with SNI and Host', async () => {
    const tls = selfSigned(['vendor.example.org']);
    const names: string[] = [];
    const receiver = await startTlsReceiver({
      ...tls,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    });
    const sender = testSender([], { ...loopback, ...policyFor(receiver.port), ca: tls.cert });
    expect(await sender.send({ ...message, url: urlOf(receiver.port) })).toMatchObject({
      succeeded: true,
    });
    expect(names).toEqual(['vendor.example.org']);
    expect(receiver.hits[0]?.headers.host).toBe(`vendor.example.org:${receiver.port}`);
  });

  test.each([
    [
      'no authority signed',
      selfSigned(['vendor.example.org']),
      false,
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    ],
    ['is of another name', selfSigned(['other.example.org']), true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['is of the address', selfSigned(['127.0.0.1']), true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['has expired', selfSigned(['vendor.example.org'], -1000), true, 'CERT_HAS_EXPIRED'],
  ])(
    'a certificate that %s is refused, and nothing is sent',
    async (_what, tls, isTrusted, code) => {
      const receiver = await startTlsReceiver(tls);
      const sender = testSender([], {
        ...loopback,
        ...policyFor(receiver.port),
        ...(isTrusted ? { ca: tls.cert } : {}),
      });
      expect(await sender.send({ ...message, url: urlOf(receiver.port) })).toEqual(
        failure(`tls_error: ${code}`),
      );
      expect(receiver.hits).toHaveLength(0);
      await vi.waitFor(() => expect(receiver.sockets.open.size).toBe(0));
    },
  );

  test('a server that wants a client certificate and closes after the handshake', async () => {
    const tls = selfSigned(['vendor.example.org']);
    const receiver = await startTlsReceiver({ ...tls, requestCert: true });
    const sender = testSender([], { ...loopback, ...policyFor(receiver.port), ca: tls.cert });
    const { errorSummary } = await sender.send({ ...message, url: urlOf(receiver.port) });
    expect(errorSummary).toMatch(/^(tls_error|connection_reset): \w+$/);
    expect(receiver.hits).toHaveLength(0);
  });

  test('SNI and certificate are of the URL’s name, whatever the Host header', async () => {
    const tls = selfSigned(['other.example.org']);
    const receiver = await startTlsReceiver(tls);
    const sender = testSender([], { ...loopback, ...policyFor(receiver.port), ca: tls.cert });
    const headers = { host: 'other.example.org' };
    const { errorSummary } = await sender.send({ url: urlOf(receiver.port), headers, body: '' });
    expect(errorSummary).toBe('tls_error: ERR_TLS_CERT_ALTNAME_INVALID');
  });

  test('a server that speaks no TLS', async () => {
    const receiver = await startReceiver();
    const sender = testSender([], { ...loopback, ...policyFor(receiver.port) });
    const { errorSummary } = await sender.send({ ...message, url: urlOf(receiver.port) });
    expect(errorSummary).toMatch(/^tls_error: (ERR_SSL_\w+|EPROTO)$/);
  });

  test('a server too old to be talked to', async () => {
    const tls = selfSigned(['vendor.example.org']);
    const ancient = {
      ...tls,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    const receiver = await startTlsReceiver(ancient);
    const sender = testSender([], { ...loopback, ...policyFor(receiver.port), ca: tls.cert });
    const { errorSummary } = await sender.send({ ...message, url: urlOf(receiver.port) });
    expect(errorSummary).toMatch(/^tls_error: ERR_SSL_\w+$/);
  });
});
