import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../../../process/config.ts';
import { listen } from '../../../process/health/listen.ts';
import { lazyClient } from '../../../temporal/connection/connection.ts';
import { nativeConnection } from '../../../temporal/connection/native-connection.ts';
import { runScript } from '../../support/command.ts';

const proxyVariables = ['grpc_proxy', 'http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/**
 * An HTTP CONNECT proxy; it records what it is asked for, and connects to `upstream` or refuses.
 */
async function startProxy(upstream: string | null) {
  const asked: { readonly target: string; readonly login: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ target: request.url ?? '', login: undefined });
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket, head) => {
    asked.push({ target: request.url ?? '', login: request.headers['proxy-authorization'] });
    if (upstream === null) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${upstream}`);
    const server = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      server.write(head);
      pipeline(socket, server, socket, () => undefined);
    });
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url, asked };
}

const query = ['--query', 'WorkflowId = "of no run"'];

/** What the namespace is called, asked by each of the two libraries. */
async function askBoth(environment: Readonly<Record<string, string>>) {
  const config = loadConfig(environment);
  const client = lazyClient(config);
  onTestFinished(() => client.connection.close());
  const native = await nativeConnection(config);
  onTestFinished(() => native.close());
  const request = { namespace: 'default' };
  const responses = [
    await client.workflowService.describeNamespace(request),
    await native.workflowService.describeNamespace(request),
  ];
  return responses.map(({ namespaceInfo }) => namespaceInfo?.name);
}

test.for([{ names: proxyVariables }, { names: ['TEMPORAL_PROXY'] }])(
  'reaches a server on this machine without the proxy of $names',
  async ({ names }) => {
    const { url, asked } = await startProxy(null);
    for (const name of names) vi.stubEnv(name, url);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const given = Object.fromEntries(names.map((name) => [name, url]));
    const found = await askBoth({ ...given, TEMPORAL_ADDRESS: inject('temporalAddress') });
    expect(found).toEqual(['default', 'default']);
    expect(asked).toEqual([]);
  },
);

test('uses the proxy of TEMPORAL_PROXY, with its login', async () => {
  const { url, asked } = await startProxy(inject('temporalAddress'));
  const names = await askBoth({
    TEMPORAL_ADDRESS: 'temporal.example.test:7233',
    TEMPORAL_PROXY: url.replace('//', '//user:p%20w@'),
  });
  expect(names).toEqual(['default', 'default']);
  const login = `Basic ${Buffer.from('user:p w').toString('base64')}`;
  expect(asked.length).toBeGreaterThanOrEqual(2);
  for (const each of asked) expect(each).toEqual({ target: 'temporal.example.test:7233', login });
});

test('reaches Temporal by a command without the proxy of its environment', async () => {
  const { url, asked } = await startProxy(null);
  const proxies = Object.fromEntries(proxyVariables.map((name) => [name, url]));
  const environment = { TEMPORAL_ADDRESS: inject('temporalAddress'), ...proxies };
  const ended = await runScript('scripts/replay.ts', query, environment);
  expect(ended).toMatchObject({ code: 0, stdout: '0 runs replayed, 0 broken.\n' });
  expect(asked).toEqual([]);
});

test('names the proxy variable in the error of a failed connection', async () => {
  const { url } = await startProxy(null);
  const address = 'temporal.example.test:7233';
  const configured = await runScript('scripts/replay.ts', query, {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_PROXY: url,
  });
  expect(configured.code).toBe(1);
  expect(configured.stderr).toContain(
    `no connection to ${address} through the proxy of TEMPORAL_PROXY: `,
  );
  const ignored = await runScript('scripts/replay.ts', query, {
    TEMPORAL_ADDRESS: address,
    https_proxy: url,
  });
  expect(ignored.code).toBe(1);
  expect(ignored.stderr).toContain(
    `no connection to ${address} without a proxy (TEMPORAL_PROXY sets one; https_proxy does not apply): `,
  );
});

test.each(['proxy.example.com:3128', 'https://proxy.example.com', 'http://proxy/path', 'x'])(
  'refuses TEMPORAL_PROXY=%s',
  (value) => {
    expect(() => loadConfig({ TEMPORAL_PROXY: value })).toThrow(
      'TEMPORAL_PROXY: must be the URL of an HTTP proxy such as http://proxy.example.com:3128',
    );
  },
);
