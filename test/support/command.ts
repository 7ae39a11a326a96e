import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeArgumentsOf, root } from './programs.ts';

/** How a command ended. */
export type Ended = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs a script of ours with nothing in its environment but what is given. */
export async function runScript(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeArgumentsOf(script), ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}
