import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runScript } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { nodeArgumentsOf, root } from '../../support/programs.ts';

/** The arguments that each command has in common. */

test.each(['doctor', 'operator', 'keys', 'replay', 'deployment', 'case', 'migrate', 'demo'])(
  'prints the usage of npm run %s and exits with 2 for an unknown option',
  async (name) => {
    expect(await runScript(`scripts/${name}.ts`, ['--nothing'], {})).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^npm run ${name}\\b`)),
    });
  },
);

test.each([
  ['start.ts', ['--port', '4000'], 2, /^npm start .*PORT=3001 npm start/s],
  ['start.ts', ['sandbox'], 2, /^npm start /],
  ['demo.ts', ['--receiver', '127.0.0.1'], 2, /^npm run demo /],
  ['demo.ts', ['--api', 'example'], 2, /^npm run demo /],
  ['doctor.ts', ['--histories=-1'], 2, /^npm run doctor /],
  ['doctor.ts', ['--histories', ''], 2, /^npm run doctor /],
  ['doctor.ts', ['--histories', '9'.repeat(17)], 2, /^npm run doctor /],
  ['keys.ts', ['create', '/no/such/ring.json'], 1, /^There is no folder \/no\/such\.\n$/],
  ['deployment.ts', ['shown'], 2, /^npm run deployment /],
  ['deployment.ts', [], 1, /^TEMPORAL_DEPLOYMENT_NAME is not set: set it as for the workers\.\n$/],
  ['replay.ts', ['none.json'], 1, /^none\.json: not a history: ENOENT/],
] as const)('refuses %s %j', async (script, args, code, stderr) => {
  expect(await runScript(`scripts/${script}`, args, {})).toEqual({
    code,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  });
});

test.each(['api/server.ts', 'worker/main.ts'])('refuses arguments to %s', async (program) => {
  expect(await runScript(program, ['--port', '4000'], {})).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown argument --port: .*docs\/configuration\.md\.\n$/s),
  });
});

test('refuses npm run demo -- --sandbox against a gateway that is no sandbox', async ({
  onTestFinished,
}) => {
  const asked: (string | undefined)[] = [];
  const production = createServer(({ url }, response) => {
    asked.push(url);
    response.end('{}');
  });
  onTestFinished(() => void production.close());
  await once(production.listen(0, '127.0.0.1'), 'listening');
  const api = `http://127.0.0.1:${(production.address() as AddressInfo).port}`;
  const receiver = `http://127.0.0.1:${await freePort()}`;
  const options = ['--sandbox', '--api', api, '--receiver', receiver];
  const operator = { OPERATOR_ID: 'noura', OPERATOR_SECRET: `os_${'x'.repeat(43)}` };
  expect(await runScript('scripts/demo.ts', options, operator)).toEqual({
    code: 1,
    stdout: '',
    stderr: `\nThe demo failed: ${api} is no sandbox: \`npm run sandbox\` starts one.\n`,
  });
  expect(asked).toEqual(['/health']);
});

test('prints the usage of a command to stdout for --help', async () => {
  const help = await runScript('scripts/keys.ts', ['--help'], {});
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toMatch(/^npm run keys\b/);
});

test.for([
  ['> /dev/full', 'The output cannot be written: ENOSPC\n'],
  ['| true', ''],
] as const)(
  'exits with 1 when what it prints is lost: %s',
  async ([target, stderr], { onTestFinished }) => {
    const file = join(await newFolder(onTestFinished), 'ring.json');
    const keys = [process.execPath, ...nodeArgumentsOf('scripts/keys.ts'), 'create', file];
    const shell = `set -o pipefail; "$@" ${target}`;
    const ended = spawnSync('bash', ['--norc', '-c', shell, 'bash', ...keys], {
      cwd: root,
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    expect(ended).toMatchObject({ status: 1, stderr });
  },
);
