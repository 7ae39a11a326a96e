import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guard } from './guard.ts';

/** The newest version that `go install` can build: later ones need replace directives, which it refuses. */
const GO_PACKAGE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const SILENCE_LIMIT_MS = 120_000;
const REPORT_EVERY_MS = 12_000;

/** What an installation needs to know. */
export type InstallOptions = {
  /** Where the binary is kept. */
  readonly binary: string;
  readonly say: (line: string) => void;
  readonly guard: Guard;
};

type Run = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly guard: Guard;
  readonly onLine: (line: string) => void;
  /** Called every second; true ends the process. */
  readonly shouldEnd?: () => Promise<boolean>;
};

/** Runs a process to its end and answers whether it succeeded. */
function run({ command, args, env, guard, onLine, shouldEnd }: Run): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (child.pid !== undefined) guard.watch({ pid: child.pid, signal: 'SIGINT', stage: 'server' });
    createInterface({ input: child.stderr }).on('line', onLine);
    const timer = setInterval(() => {
      void shouldEnd?.().then((isTime) => isTime && child.kill('SIGKILL'));
    }, 1_000);
    const finish = (isDone: boolean) => {
      clearInterval(timer);
      resolve(isDone);
    };
    child.once('error', () => finish(false));
    child.once('close', (code) => finish(code === 0));
  });
}

/** Removes what a killed installation left; a living one is never an hour old. */
async function sweep(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    const path = join(cacheDir, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    const isOld = Date.now() - mtimeMs > 3_600_000;
    if (name.startsWith('installing-') && isOld) await rm(path, { recursive: true, force: true });
  }
}

/** Lets `fill` put a binary into a folder aside and moves it into place whole: killed or twice at once, it does no harm. */
async function installAside(binary: string, fill: (folder: string) => Promise<string | undefined>) {
  const cacheDir = join(binary, '..');
  await mkdir(cacheDir, { recursive: true });
  await sweep(cacheDir);
  const draft = await mkdtemp(join(cacheDir, 'installing-'));
  try {
    const made = await fill(draft);
    if (made === undefined) return false;
    await rename(made, binary);
    return true;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** The SDK's own download. It has no time limit itself: it is given up when nothing has arrived for two minutes. */
export function downloadBySdk({ binary, say, guard }: InstallOptions): Promise<boolean> {
  return installAside(binary, async (folder) => {
    say('Temporal: downloading its development server ...');
    let size = 0;
    let grewAt = Date.now();
    const isStuck = async () => {
      const names = await readdir(folder);
      const files = await Promise.all(
        names.map((name) => stat(join(folder, name)).catch(() => undefined)),
      );
      const sizeNow = files.reduce((sum, file) => sum + (file?.size ?? 0), 0);
      if (sizeNow !== size) [size, grewAt] = [sizeNow, Date.now()];
      return Date.now() - grewAt > SILENCE_LIMIT_MS;
    };
    await run({
      command: process.execPath,
      args: [
        '--import',
        'tsx',
        fileURLToPath(new URL('./temporal-sdk-download.ts', import.meta.url)),
        folder,
      ],
      env: process.env,
      guard,
      onLine: () => {},
      shouldEnd: isStuck,
    });
    // The SDK names the file after itself and drops the suffix once it is whole.
    const name = (await readdir(folder)).find((entry) => !entry.endsWith('.downloading'));
    if (name === undefined) say('Temporal: the download cannot be reached from here.');
    return name === undefined ? undefined : join(folder, name);
  });
}

/** Builds the server with Go. Says every few seconds how far it is. */
export function installByGo({ binary, say, guard }: InstallOptions): Promise<boolean> {
  return installAside(binary, async (folder) => {
    say('Temporal: building its development server with Go, once (two to four minutes) ...');
    const startedAt = Date.now();
    const errors: string[] = [];
    const done = { downloads: 0, packages: 0 };
    const report = setInterval(() => {
      const what =
        done.packages > 0
          ? `${done.packages} packages compiled`
          : `${done.downloads} modules downloaded`;
      say(`Temporal: ${what} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    }, REPORT_EVERY_MS);
    const isBuilt = await run({
      command: 'go',
      args: ['install', '-v', GO_PACKAGE],
      env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOOS: '', GOARCH: '', GOFLAGS: '' },
      guard,
      onLine: (line) => {
        if (line.startsWith('go: downloading ')) done.downloads += 1;
        else if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) done.packages += 1;
        else errors.push(line);
      },
    });
    clearInterval(report);
    if (isBuilt) return join(folder, process.platform === 'win32' ? 'temporal.exe' : 'temporal');
    for (const line of errors.slice(-5)) say(`Temporal: ${line}`);
    return undefined;
  });
}
