import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { cliTest as test } from './cli-fixture.ts';

const none = {
  VENDOR_GATEWAY_URL: '',
  VENDOR_GATEWAY_CLIENT_ID: '',
  VENDOR_GATEWAY_CLIENT_SECRET: '',
};

test('login stores what the gateway accepts for its owner only, and logout deletes it', async ({
  cli,
  clients,
}) => {
  const { exitCode, stdout } = await cli.run('login');
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain(cli.vendor.clientSecret);
  const file = join(cli.folder, 'vendor-gateway/credentials.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { clientId, clientSecret } = cli.vendor;
  const stored: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(stored).toEqual({ baseUrl: clients.baseUrl, clientId, clientSecret });

  cli.setEnvironment(none);
  expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 0 });
  // A stored secret goes to no other address.
  cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
  expect(await cli.run('events', 'tail')).toMatchObject({ exitCode: 3 });
  cli.setEnvironment(none);
  expect(await cli.run('logout')).toMatchObject({ exitCode: 0 });
  expect(await cli.run('events', 'tail')).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('NOT_LOGGED_IN'),
  });
});

test('a wrong secret exits with 3, is stored nowhere and printed nowhere', async ({ cli }) => {
  cli.setEnvironment({ VENDOR_GATEWAY_CLIENT_SECRET: 'vs_wrong' });
  const { exitCode, stdout, stderr } = await cli.runSources('login');
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toMatch(/^UNAUTHORIZED_INVALID_CREDENTIALS: [^\n]+\n$/);
  expect(stderr).not.toContain('vs_wrong');
  await expect(stat(join(cli.folder, 'vendor-gateway'))).rejects.toThrow('ENOENT');
});

test('each command has help with an example, and wrong usage exits with 2', async ({ cli }) => {
  const commands = [
    [],
    ['login'],
    ['logout'],
    ['offers', 'import'],
    ['stock', 'push'],
    ['prices', 'push'],
    ['orders', 'watch'],
    ['returns', 'upcoming'],
    ['events', 'tail'],
    ['webhooks', 'listen'],
  ];
  for (const command of commands) {
    const { exitCode, stdout } = await cli.run(...command, '--help');
    expect(exitCode, command.join(' ')).toBe(0);
    expect(stdout, command.join(' ')).toContain('Examples:');
  }
  for (const wrong of [
    [],
    ['offers', 'imprt'],
    ['events', 'tail', '--after', 'x'],
    ['login', '-s', 'x'],
  ])
    expect(await cli.run(...wrong), wrong.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
  expect((await cli.run('completion')).stdout).toContain('vendor-gateway');
});

test('a gateway that does not answer exits with 4', async ({ cli }) => {
  cli.setEnvironment({ VENDOR_GATEWAY_URL: 'http://127.0.0.1:1' });
  const { exitCode, stderr } = await cli.run('login');
  expect(exitCode).toBe(4);
  expect(stderr).toMatch(/^CONNECTION_FAILED: [^\n]+\n$/);
});

// D150.
test('a wrong address is refused at once with the one that is meant', async ({ cli }) => {
  const address = new URL('http://127.0.0.1:8080');
  for (const [wrong, meant] of [
    [address.host, `has no scheme: use ${address.origin}.`],
    [`${address.origin}/api/v1`, `use ${address.origin}.`],
  ] as const) {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: wrong });
    for (const command of [['login'], ['jobs', 'list']]) {
      const { exitCode, stderr } = await cli.run(...command);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(meant) });
    }
  }
});

test('a redirect is not followed, and names the new address', async ({ cli }) => {
  let requests = 0;
  const server = createServer(({ url }, response) => {
    requests += 1;
    response.writeHead(301, { location: `https://new.example.org${url}` }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  cli.setEnvironment({ VENDOR_GATEWAY_URL: `http://127.0.0.1:${port}` });
  const { exitCode, stderr } = await cli.run('jobs', 'list');
  server.close();
  expect(requests).toBe(1);
  expect(exitCode).toBe(4);
  expect(stderr).toContain(
    'REDIRECTED: the address leads to https://new.example.org/api/v1/auth/token; ' +
      'use the address https://new.example.org. Set VENDOR_GATEWAY_URL',
  );
});
