import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, inject, onTestFinished } from 'vitest';
import { ensureAdmin } from '../../../embedded/state/demo-credentials.ts';
import { nodeArgumentsOf, root } from '../../support/programs.ts';
import { processTest as test } from '../../support/gateway/gateway-processes.ts';

const operator = { operatorId: 'stops', operatorSecret: 'os_0123456789abcdefghijklmnopqrstuv' };
/** Nothing listens there. */
const away = { TEMPORAL_ADDRESS: '127.0.0.1:1' };

test('exits with 0 after a stop while Temporal is away and a page waits for it', async ({
  gateway,
  processes,
}) => {
  await ensureAdmin(gateway.sql, operator);
  const api = await processes.startApi(away);
  const signIn = await fetch(`${api.url}/console/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(operator),
    redirect: 'manual',
  });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const home = await fetch(`${api.url}/console`, { headers: { cookie } });
  expect([signIn.status, home.status]).toEqual([303, 200]);
  expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('does not wait at a stop for a silent connection to the health of the worker', async ({
  processes,
}) => {
  const worker = await processes.startWorker();
  const socket = connect(Number(new URL(worker.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (piece) => (received += String(piece))).on('error', () => {});
  expect(await worker.end('SIGTERM')).toEqual({ code: 0, signal: null });
  // After a minute the server would answer 408, and the process would end then.
  expect(received).toBe('');
});

test.for([
  ['node', process.execPath, nodeArgumentsOf('worker/main.ts')],
  ['npm', 'npm', ['run', '--silent', 'worker']],
] as const)(
  'exits with 0 at a signal to %s while the worker waits for Temporal',
  async ([, program, options], { gateway }) => {
    const child = spawn(program, options, {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: gateway.config.DATABASE_URL,
        SECRETS_KEY: gateway.config.SECRETS_KEY,
        WORKER_HEALTH_PORT: '0',
        WORKFLOW_BUNDLE: inject('workflowBundlePath'),
        ...away,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    onTestFinished(() => killGroup(child.pid));
    const ended = once(child, 'exit');
    for await (const line of createInterface({ input: child.stdout }))
      if (line.includes('Temporal is unavailable; retrying')) break;
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);

/** Ends what a failed test has left of a process and its children. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
