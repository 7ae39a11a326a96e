import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { status } from '../../support/webhooks/receiver.ts';
import { cliTest as test, none, stubTest } from './cli-fixture.ts';

const wordsIn = (text: string): readonly string[] => text.split(' ').filter(Boolean);

test('stores an accepted secret at login, for its owner only, and deletes it at logout', async ({
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
  cli.setEnvironment({ VENDOR_GATEWAY_URL: `${clients.baseUrl}/` });
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

test('exits with 3 for a wrong secret, and stores and prints it nowhere', async ({ cli }) => {
  cli.setEnvironment({ VENDOR_GATEWAY_CLIENT_SECRET: 'vs_wrong' });
  const { exitCode, stdout, stderr } = await cli.startSources('login').ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr).toMatch(/^UNAUTHORIZED_INVALID_CREDENTIALS: [^\n]+\n$/);
  expect(stderr).not.toContain('vs_wrong');
  await expect(stat(join(cli.folder, 'vendor-gateway'))).rejects.toThrow('ENOENT');
});

test('prints help with an example for each command', async ({ cli, onTestFinished }) => {
  // The help is written to the stdout of the process.
  const help = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => help.mockRestore());
  for (const command of [
    '',
    'login',
    'logout',
    'offers import',
    'stock push',
    'prices push',
    'orders watch',
    'returns upcoming',
    'events tail',
    'webhooks listen',
  ]) {
    expect(await cli.run(...wordsIn(command), '--help'), command).toMatchObject({ exitCode: 0 });
    expect(help.mock.lastCall, command).toEqual([expect.stringContaining('Examples:')]);
    help.mockClear();
  }
});

test('leads without a command to the list of all, in words that npx passes on', async ({ cli }) => {
  const { exitCode, stderr } = await cli.run();
  expect(exitCode).toBe(2);
  expect(stderr).toBe('USAGE: Name a command. vendor-gateway help lists all.\n');
  expect(await cli.run('help')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('exits with 2 for wrong usage', async ({ cli }) => {
  for (const wrong of ['', 'offers imprt', 'events tail --after x', 'login -s x'])
    expect(await cli.run(...wordsIn(wrong)), wrong).toMatchObject({ exitCode: 2, stdout: '' });
});

test.for([
  'orders watch --once --interval 5 --interval 6',
  'prices push prices.csv --field cost --field cost',
  'jobs list --profile a --profile b',
])('refuses an option that is given twice: %s', async (line, { cli }) => {
  expect(await cli.run(...wordsIn(line))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^USAGE: --\w+ is given twice\.\n$/),
  });
});

test('prints a completion script for the shell', async ({ cli }) => {
  expect((await cli.startProcess('completion').ended).stdout).toContain('vendor-gateway');
});

// D150. `addresses.test.ts` of the client has the other addresses.
test.for([
  ['127.0.0.1:8080', 2, /has no scheme: use http:\/\/127\.0\.0\.1:8080\./],
  ['http://127.0.0.1:8080/api/v1', 2, /use http:\/\/127\.0\.0\.1:8080\./],
  ['http://127.0.0.1:1', 4, /^CONNECTION_FAILED: [^\n]+\n$/],
] as const)('fails at the address %s with exit code %i', async ([address, code, text], { cli }) => {
  cli.setEnvironment({ VENDOR_GATEWAY_URL: address });
  for (const command of [['login'], ['jobs', 'list'], ['sandbox', 'register', 'Amber']]) {
    const { exitCode, stderr } = await cli.run(...command);
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: expect.stringMatching(text) });
  }
});

stubTest('follows no redirect, and names the new address', async ({ cli, stub }) => {
  stub.answerWith(status(301, { location: 'https://new.example.org/api/v1/auth/token' }));
  const { exitCode, stderr } = await cli.run('jobs', 'list');
  expect({ requests: stub.requests.length, exitCode }).toEqual({ requests: 1, exitCode: 4 });
  expect(stderr).toContain(
    'REDIRECTED: the address leads to https://new.example.org/api/v1/auth/token; ' +
      'use the address https://new.example.org. Set VENDOR_GATEWAY_URL',
  );
});
