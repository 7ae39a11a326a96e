import { createServer, request as forward, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { expect, test as plain } from 'vitest';
import { listen } from '../../../process/health/listen.ts';
import { isExcepted } from '../../../clients/cli/src/core/proxy.ts';
import { selfSigned } from '../../guardrail/self-signed.ts';
import { cliTest } from './cli-fixture.ts';

/** Gives each test a `proxy` that notes what goes through it. */
const test = cliTest.extend('proxy', async ({}, { onCleanup }) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const { method, headers, url = '' } = request;
    const onward = forward(url, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', ({ url = '' }, socket) => {
    seen.push(`CONNECT ${url}`);
    const [host = '', port] = url.split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const each of [target, socket]) each.on('error', () => target.destroy());
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onCleanup(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url };
});

test('calls by the proxy of HTTP_PROXY, unless NO_PROXY names the host', async ({
  cli,
  clients,
  proxy,
}) => {
  for (const name of ['HTTP_PROXY', 'http_proxy']) {
    cli.setEnvironment({ HTTP_PROXY: '', [name]: proxy.url });
    expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 0 });
    expect(proxy.seen.splice(0)).toContain(`POST ${clients.baseUrl}/api/v1/auth/token`);
  }
  cli.setEnvironment({ NO_PROXY: 'example.org,127.0.0.1' });
  expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 0 });
  // The proxy of the other scheme.
  cli.setEnvironment({ NO_PROXY: '', http_proxy: '', HTTPS_PROXY: proxy.url });
  expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 0 });
  expect(proxy.seen).toEqual([]);
});

plain.for([
  ['http://[::1]:3000', 'localhost,127.0.0.1,::1'],
  ['http://[::1]:3000', '[::1]:3000'],
  ['http://127.0.0.1:3000', '127.0.0.0/8'],
  ['http://[fd00::5]', 'fd00::/8'],
  ['https://gateway.example.org', 'example.org'],
  ['https://gateway.example.org', '.Example.org'],
  ['https://gateway.example.org', '*.example.org'],
  ['https://gateway.example.org.', 'gateway.example.org:443'],
  ['https://gateway.example.org', 'localhost, *'],
] as const)('takes %s for an exception of NO_PROXY=%s', ([address, noProxy]) => {
  expect(isExcepted(new URL(address), noProxy)).toBe(true);
});

plain.for([
  ['http://[::1]:3000', '[::1]:3001'],
  ['http://[::1]:3000', '::2'],
  ['http://10.0.0.1', '10.0.0.0/33'],
  ['http://10.0.0.1', '11.0.0.0/8,fd00::/8'],
  ['https://gateway.example.org', 'ample.org'],
  ['https://gateway.example.org', 'gateway.example.org:8443'],
  ['https://gateway.example.org', ' , .'],
  ['https://gateway.example.org', ''],
] as const)('takes %s for no exception of NO_PROXY=%s', ([address, noProxy]) => {
  expect(isExcepted(new URL(address), noProxy)).toBe(false);
});

test('names the proxy that does not answer, without its password', async ({ cli }) => {
  cli.setEnvironment({ HTTP_PROXY: 'http://user:secret@127.0.0.1:9' });
  const { exitCode, stderr } = await cli.run('events', 'tail');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('by the proxy http://127.0.0.1:9');
  expect(stderr).not.toContain('secret');
  cli.setEnvironment({ HTTP_PROXY: 'ftp://127.0.0.1' });
  expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 2 });
});

test('reports a failed call where the other variable names no HTTP proxy', async ({ cli }) => {
  const other = { HTTP_PROXY: '', HTTPS_PROXY: 'socks5://127.0.0.1:1080' };
  cli.setEnvironment({ ...other, VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
  const { exitCode, stderr } = await cli.run('login');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr: expect.stringMatching(/^CONNECTION_FAILED: [^\n]+\n$/),
  });
});

const answerAny: RequestListener = (_, response) => {
  const payload = {
    accessToken: 'token',
    expiresIn: 300,
    items: [],
    latestSequence: 0,
    nextAfter: 0,
  };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ state: 'SUCCESS', payload, details: {} }));
};

test('trusts the certificates of NODE_EXTRA_CA_CERTS, also through HTTPS_PROXY', async ({
  cli,
  onTestFinished,
  proxy,
}) => {
  const tls = selfSigned(['localhost']);
  const server = createTlsServer(tls, answerAny);
  const { port } = new URL(await listen(server, { host: '127.0.0.1', port: 0 }));
  onTestFinished(() => void server.close());
  cli.setEnvironment({ VENDOR_GATEWAY_URL: `https://localhost:${port}` });
  const refused = await cli.startProcess('events', 'tail').ended;
  expect(refused).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
  cli.setEnvironment({ NODE_EXTRA_CA_CERTS: await cli.write('cert.pem', tls.cert) });
  expect(await cli.startProcess('events', 'tail').ended).toMatchObject({ exitCode: 0 });
  expect(proxy.seen).toEqual([]);
  cli.setEnvironment({ HTTPS_PROXY: proxy.url });
  expect(await cli.startProcess('events', 'tail').ended).toMatchObject({ exitCode: 0 });
  expect(proxy.seen).toContain(`CONNECT localhost:${port}`);
});
