import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { loggedError } from '../../process/logging.ts';
import { root } from '../support/programs.ts';

const textOf = async (stream: Readable | null): Promise<string> =>
  stream === null ? '' : text(stream);

/** Runs a program that logs, with stdout on a file; resolves to what else it printed and its end. */
async function runWithLog(program: string, stdout: number | 'pipe') {
  const begin = `
    import fs from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { createLogger } from './process/logging.ts';
    const log = createLogger('api', 'info');`;
  const options = ['--import', 'tsx', '--input-type=module', '--eval', begin + program];
  const child = spawn(process.execPath, options, { cwd: root, stdio: ['ignore', stdout, 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit') as Promise<[code: number | null]>;
  const [printed, errors] = await Promise.all([child.stdout, child.stderr].map(textOf));
  const [code] = await ended;
  return { printed, errors, code };
}

class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code = '23505';
  readonly detail = 'Key (email)=(someone@example.org) already exists.';
  readonly constraint_name = 'vendors_email';
}

test('logs a Postgres error by code and constraint, without the row that it quotes', () => {
  const logged = loggedError(new PostgresError('duplicate key value "someone@example.org"'));
  expect(logged).toMatchObject({
    type: 'PostgresError',
    code: '23505',
    constraint_name: 'vendors_email',
  });
  expect(JSON.stringify(logged)).not.toContain('someone@example.org');
});

test('logs any other error with its message, its frames and its cause', () => {
  const logged = loggedError(new Error('outer', { cause: new TypeError('inner') }));
  expect(logged).toMatchObject({
    type: 'Error',
    message: 'outer',
    cause: { type: 'TypeError', message: 'inner' },
  });
  expect(logged['stack']).toMatch(/^\s+at /);
});

test('logs only the type of a thrown value that is no error', () => {
  expect(loggedError('a secret')).toEqual({ type: 'string' });
});

test('goes on and ends while the disk of the log is full', async () => {
  const full = await open('/dev/full', 'w');
  const program = `
    for (let line = 1; line <= 3; line += 1) {
      log.info('lost');
      await sleep(10);
    }
    log.fatal('lost too');
    process.stderr.write('goes on');`;
  const { errors, code } = await runWithLog(program, full.fd);
  await full.close();
  expect({ errors, code }).toEqual({ errors: 'goes on', code: 0 });
});

test('logs again once the disk of the log has room', async () => {
  const program = `
    const { write } = fs;
    fs.write = (...given) =>
      given.at(-1)(Object.assign(new Error('the disk is full'), { code: 'ENOSPC' }));
    log.info('first');
    await sleep(10);
    fs.write = write;
    log.info('second');
    log.info('third');`;
  const { printed, errors, code } = await runWithLog(program, 'pipe');
  expect({ errors, code }).toEqual({ errors: '', code: 0 });
  const messages = (printed ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(messages).toEqual(['second', 'third']);
});
