import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk of its own that can be full. */
export type SmallDisk = {
  readonly path: string;
  /** Writes until nothing fits on it any more. */
  readonly fill: () => Promise<void>;
  readonly free: () => Promise<void>;
  readonly unmount: () => Promise<void>;
};

/** Mounts a tmpfs of so many MiB below a folder, which needs root. */
export async function mountSmallDisk(folder: string, sizeMiB: number): Promise<SmallDisk> {
  const path = join(folder, 'disk');
  // Root's Postgres runs under another account, and would move its data to where it may enter.
  await chmod(folder, 0o711);
  await mkdir(path, { mode: 0o711 });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=711`, 'faults', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill: async () => {
      // Zeros until ENOSPC.
      for (const blockBytes of [1 << 20, 4096])
        for (;;) {
          try {
            await writeFile(filler, Buffer.alloc(blockBytes), { flag: 'a' });
          } catch {
            break;
          }
        }
    },
    free: () => rm(filler, { force: true }),
    unmount: async () => {
      await run('umount', [path]);
    },
  };
}
