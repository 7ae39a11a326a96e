import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files to copy into the working folder before. */
  readonly copied?: readonly string[];
  /** Folders to create in it before. */
  readonly folders?: readonly string[];
};

/** The end of a command: what it printed, without empty lines, and whether it succeeded. */
export type Outcome = { readonly lines: readonly string[]; readonly isOk: boolean };

const timeoutMs = 300_000;
const outputBytesMax = 64 * 1024 * 1024;

/** Runs a command to its end. */
export async function runCommand(
  { file, args, cwd = '.', env = {}, copied = [], folders = [] }: Command,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Outcome> {
  for (const name of folders) await mkdir(join(cwd, name), { recursive: true });
  for (const path of copied) await copyFile(path, join(cwd, basename(path)));
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      {
        cwd,
        signal,
        timeout: timeoutMs,
        maxBuffer: outputBytesMax,
        env: { ...process.env, ...variables, ...env, NO_COLOR: '1' },
      },
      (error, stdout, stderr) => {
        const failure = error === null || stdout + stderr !== '' ? '' : error.message;
        const lines = `${stdout}\n${stderr}\n${failure}`.split('\n');
        resolve({ lines: lines.filter((line) => line.trim() !== ''), isOk: error === null });
      },
    );
  });
}
