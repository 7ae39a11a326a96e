import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { downloadEnvironment } from '../../embedded/processes/child-environment.ts';

const outpostVersion = '1.1.0';
const modulePath = 'github.com/hookdeck/outpost';
/** The oldest that this version of Outpost builds with. */
const goVersion = '1.26.4';

const cacheDir = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'vendor-gateway',
  `outpost-${outpostVersion}`,
);

/**
 * Returns the programs from the cache, or builds them with Go, once, in some minutes. A module of
 * its own requires Outpost, because `go install` asks for a list of versions. Rejects when Go
 * fails.
 */
export async function findOutpost(
  say: (text: string) => void,
): Promise<{ readonly server: string; readonly migrate: string }> {
  if (!existsSync(cacheDir)) await build(say);
  return { server: join(cacheDir, 'outpost-server'), migrate: join(cacheDir, 'outpost') };
}

async function build(say: (text: string) => void): Promise<void> {
  say(`building Outpost ${outpostVersion} with Go, once (some minutes)`);
  const folder = await mkdtemp(join(tmpdir(), 'outpost-build-'));
  const built = `${cacheDir}.${process.pid}`;
  try {
    const required = `require ${modulePath} v${outpostVersion}`;
    const module = `module outpost-peer\n\ngo ${goVersion}\n\n${required}\n`;
    await writeFile(join(folder, 'go.mod'), module);
    await mkdir(built, { recursive: true });
    const programs = ['outpost-server', 'outpost'].map((name) => `${modulePath}/cmd/${name}`);
    await promisify(execFile)('go', ['build', '-mod=mod', '-o', `${built}/`, ...programs], {
      cwd: folder,
      env: downloadEnvironment(),
      maxBuffer: 16 * 1024 * 1024,
    });
    await rename(built, cacheDir);
  } finally {
    await Promise.all([folder, built].map((path) => rm(path, { recursive: true, force: true })));
  }
}
