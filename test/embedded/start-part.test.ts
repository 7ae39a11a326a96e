import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { loadConfigOrExit } from '../../process/config.ts';
import type { Child } from '../../embedded/processes/child-process.ts';
import { startPart, type EmbeddedContext } from '../../embedded/start-part.ts';

function createContext() {
  const lines: string[] = [];
  const errors: unknown[] = [];
  const stopping = new AbortController();
  const context: EmbeddedContext = {
    config: loadConfigOrExit(),
    stateDir: { path: '', postgres: '', temporal: '', cache: '', pids: '', log: () => '' },
    guard: { watch: () => {}, removeAtEnd: () => {}, release: () => Promise.resolve() },
    log: (line) => lines.push(line),
    signal: stopping.signal,
    isWatched: false,
    fail: (error) => errors.push(error),
  };
  return { context, lines, errors, stopping };
}

/** A process that exits on request. */
function createChild() {
  const events = new EventEmitter();
  const exited = new Promise<string>((resolve) => events.once('exit', () => resolve('SIGKILL')));
  const child = { name: 'API', logFile: '/nonexistent', exited } as Child;
  return { child, exit: () => events.emit('exit') };
}

const run = (context: EmbeddedContext, start: () => Promise<Child>) => {
  const prepare = vi.fn(() => Promise.resolve(start));
  return { prepare, started: startPart(context, () => 'ready', prepare) };
};

test('starts a process on another port when its port was taken meanwhile', async () => {
  const { child } = createChild();
  const taken = new Error('listen EADDRINUSE: address already in use 127.0.0.1:3000');
  const start = vi.fn().mockRejectedValueOnce(taken).mockResolvedValue(child);
  const { prepare, started } = run(createContext().context, start);
  expect(await started).toBe(child);
  expect(prepare).toHaveBeenCalledTimes(2);
});

test('starts a process only once when it fails for another reason', async () => {
  const { prepare, started } = run(createContext().context, () =>
    Promise.reject(new Error('no such file')),
  );
  await expect(started).rejects.toThrow('no such file');
  expect(prepare).toHaveBeenCalledTimes(1);
});

test('restarts a process that exits until it fails four times within a minute', async () => {
  const { context, lines, errors } = createContext();
  const first = createChild();
  const start = vi.fn().mockRejectedValue(new Error('it does not start'));
  start.mockResolvedValueOnce(first.child);
  await run(context, start).started;
  first.exit();
  await vi.waitFor(() => expect(errors).toHaveLength(1), 10_000);
  expect(start).toHaveBeenCalledTimes(4);
  expect(String(errors[0])).toContain('API failed 4 times within a minute');
  expect(lines.filter((line) => line.includes('Starting API again'))).toHaveLength(3);
});

test('restarts no process that exits during the stop', async () => {
  const { context, lines, errors, stopping } = createContext();
  const { child, exit } = createChild();
  const start = vi.fn(() => Promise.resolve(child));
  await run(context, start).started;
  stopping.abort();
  exit();
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(start).toHaveBeenCalledTimes(1);
  expect(errors).toEqual([]);
  expect(lines).toHaveLength(1);
});
