import { watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadEnvironment } from '../processes/child-environment.ts';
import { runProgram } from '../processes/child-process.ts';
import type { Guard } from '../processes/guard.ts';

/** The newest version that `go install` can build: later ones need replace directives. */
const GO_PACKAGE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const STALL_TIMEOUT_MS = 120_000;
const REPORT_INTERVAL_MS = 12_000;

/** What an installation of the Temporal CLI needs. */
export type InstallOptions = {
  /** Path of the binary to install. */
  readonly binary: string;
  readonly log: (line: string) => void;
  readonly guard: Guard;
};

/**
 * Lets `fill` put a binary into a new folder and then moves the binary to its path, so that a
 * killed or a concurrent installation leaves no partial binary. Returns false when `fill` rejects.
 */
async function install(
  { binary, log, guard }: InstallOptions,
  fill: (folder: string) => Promise<unknown>,
): Promise<boolean> {
  await mkdir(dirname(binary), { recursive: true });
  const draft = await mkdtemp(join(dirname(binary), 'installing-'));
  guard.removeAtEnd(draft);
  try {
    await fill(draft);
    const [name] = (await readdir(draft)).filter((entry) => !entry.endsWith('.downloading'));
    if (name === undefined) throw new Error('no binary was installed.');
    await rename(join(draft, name), binary);
    return true;
  } catch (error) {
    log(`Temporal: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Downloads the CLI with the Temporal SDK; gives up when nothing arrives for two minutes. */
export function downloadWithSdk(options: InstallOptions): Promise<boolean> {
  return install(options, async (folder) => {
    options.log('Temporal: downloading its development server ...');
    const program = fileURLToPath(new URL('./temporal-download.ts', import.meta.url));
    const stall = new AbortController();
    const timer = setTimeout(() => stall.abort(), STALL_TIMEOUT_MS);
    const watcher = watch(folder, () => timer.refresh());
    try {
      const args = ['--import', 'tsx', program, folder];
      await runProgram(process.execPath, args, {
        env: downloadEnvironment(),
        guard: options.guard,
        signal: stall.signal,
      });
    } catch {
      throw new Error('the download is not available from here.');
    } finally {
      clearTimeout(timer);
      watcher.close();
    }
  });
}

/**
 * Builds the CLI with Go and reports the progress every 12 s. Returns false where there is no Go.
 */
export async function buildWithGo(options: InstallOptions): Promise<boolean> {
  const { log, guard } = options;
  const hasGo = await runProgram('go', ['version'], { env: downloadEnvironment(), guard }).catch(
    () => '',
  );
  if (hasGo === '') return false;
  return install(options, async (folder) => {
    log('Temporal: building its development server with Go, once (two to four minutes) ...');
    const startedAt = Date.now();
    const done = { downloads: 0, packages: 0 };
    const errors: string[] = [];
    const timer = setInterval(() => {
      const progress =
        done.packages > 0
          ? `${done.packages} packages compiled`
          : `${done.downloads} modules downloaded`;
      log(`Temporal: ${progress} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    }, REPORT_INTERVAL_MS);
    try {
      await runProgram('go', ['install', '-v', GO_PACKAGE], {
        env: {
          ...downloadEnvironment(),
          GOBIN: folder,
          CGO_ENABLED: '0',
          GOOS: '',
          GOARCH: '',
          GOFLAGS: '',
        },
        guard,
        onLine: (line) => {
          if (line.startsWith('go: downloading ')) done.downloads += 1;
          else if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) done.packages += 1;
          else errors.push(line);
        },
      });
    } catch {
      throw new Error(`Go could not build it: ${errors.slice(-5).join(' | ')}`);
    } finally {
      clearInterval(timer);
    }
  });
}
