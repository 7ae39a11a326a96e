import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { nodeArgumentsOf, root } from './programs.ts';

/** How a command ended. */
export type Ended = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** What a process prints so far, and how it ends. */
export function outputOf(child: ChildProcessByStdio<Writable | null, Readable, Readable>) {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  const ended = once(child, 'close').then((): Ended => ({ code: child.exitCode, ...texts }));
  return { texts, ended };
}

/** Runs a script of ours with nothing in its environment but what is given. */
export function runScript(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeArgumentsOf(script), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return outputOf(child).ended;
}
