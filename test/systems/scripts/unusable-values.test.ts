import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test as base } from 'vitest';
import { generatePrivateKey } from '../../../security/key-ring.ts';
import { runScript } from '../../support/command.ts';
import { newSecretsKey } from '../../support/seeds/sealed-secrets.ts';

/** A program names the variable whose value it cannot use, without a stack trace. */

const test = base.extend('taken', async ({}, { onCleanup }) => {
  const server = createServer();
  onCleanup(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return String((server.address() as AddressInfo).port);
});

const given = {
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  SECRETS_KEY: newSecretsKey(),
  PORT: '0',
  WORKER_HEALTH_PORT: '0',
};

test.for([
  ['api/server.ts', 'PORT', 'HOST, PORT'],
  ['api/server.ts', 'METRICS_PORT', 'METRICS_HOST, METRICS_PORT'],
  ['worker/main.ts', 'WORKER_HEALTH_PORT', 'HOST, WORKER_HEALTH_PORT'],
] as const)('ends %s if another program has its %s', async ([program, name, names], { taken }) => {
  const keys = { JWT_SIGNING_KEY: generatePrivateKey() };
  const environment = { ...given, ...keys, [name]: taken };
  const { code, stdout, stderr } = await runScript(program, [], environment);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      `The configuration cannot be used:\n  ${names}: listen EADDRINUSE: address already in use ` +
      `127.0.0.1:${taken}. Choose another address or port.\n`,
  });
  // That Postgres does not answer is a warning: no caller's request has failed.
  expect(stdout).not.toContain('"level":50');
});

test.for([
  ['/none/bundle.js', 'ENOENT.*'],
  ['/etc', 'EISDIR.*'],
  ['/etc/hostname', 'the file is not a whole workflow bundle'],
] as const)('ends a worker whose WORKFLOW_BUNDLE %s is no bundle', async ([file, reason]) => {
  const environment = { ...given, WORKFLOW_BUNDLE: file };
  const { code, stderr } = await runScript('worker/main.ts', [], environment);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^The configuration cannot be used:\\n {2}WORKFLOW_BUNDLE: ${reason}\\n$`),
  );
});

test('refuses a file as the folder of npm start', async () => {
  const { code, stderr } = await runScript('scripts/start.ts', [], {
    GATEWAY_HOME: '/etc/hostname',
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^The configuration cannot be used:\n {2}GATEWAY_HOME: EEXIST.*\n$/);
});

const offer = ['offer', '01990000-0000-7000-8000-000000000000'];

test.for([
  ['operator', ['list']],
  ['doctor', []],
  ['case', offer],
] as const)('names Postgres if npm run %s does not reach it', async ([name, args]) => {
  expect(await runScript(`scripts/${name}.ts`, args, given)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The database cannot be read: connect ECONNREFUSED 127.0.0.1:1. ' +
      'Check DATABASE_URL and Postgres.\n',
  });
});
