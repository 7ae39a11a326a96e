import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'vitest';
import { listen } from '../../../process/health/listen.ts';
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
  const { exitCode, stdout, stderr } = await cli.startSources('login').ended;
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
  // The help is written to the stdout of the process.
  for (const command of commands) {
    const { exitCode, stdout } = await cli.start(...command, '--help').ended;
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
  expect((await cli.start('completion').ended).stdout).toContain('vendor-gateway');
});

// D150.
test.for([
  ['127.0.0.1:8080', 2, /has no scheme: use http:\/\/127\.0\.0\.1:8080\./],
  ['http://127.0.0.1:8080/api/v1', 2, /use http:\/\/127\.0\.0\.1:8080\./],
  ['http://127.0.0.1:1', 4, /^CONNECTION_FAILED: [^\n]+\n$/],
] as const)(
  'the address %s is refused with exit code %i',
  async ([address, code, text], { cli }) => {
    cli.setEnvironment({ VENDOR_GATEWAY_URL: address });
    for (const command of [['login'], ['jobs', 'list']]) {
      const { exitCode, stderr } = await cli.run(...command);
      expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(text) });
    }
  },
);

test('a redirect is not followed, and names the new address', async ({ cli, onTestFinished }) => {
  let requests = 0;
  const server = createServer(({ url }, response) => {
    requests += 1;
    response.writeHead(301, { location: `https://new.example.org${url}` }).end();
  });
  onTestFinished(() => void server.close());
  cli.setEnvironment({ VENDOR_GATEWAY_URL: await listen(server, { host: '127.0.0.1', port: 0 }) });
  const { exitCode, stderr } = await cli.run('jobs', 'list');
  expect({ requests, exitCode }).toEqual({ requests: 1, exitCode: 4 });
  expect(stderr).toContain(
    'REDIRECTED: the address leads to https://new.example.org/api/v1/auth/token; ' +
      'use the address https://new.example.org. Set VENDOR_GATEWAY_URL',
  );
});
