import { execFile } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Mounts a tmpfs of a given number of MiB below a folder, which needs root. */
export async function mountSmallDisk(folder: string, sizeMiB: number) {
  const path = join(folder, 'disk');
  // Root's Postgres runs under another account, and would move its data to where it may enter.
  await chmod(folder, 0o711);
  await mkdir(path, { mode: 0o711 });
  await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=711`, 'faults', path]);
  const filler = join(path, 'filler');
  return {
    path,
    /** Appends zeros until ENOSPC, with which `dd` fails. */
    fill: () =>
      run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k', 'oflag=append', 'conv=notrunc']).catch(
        () => undefined,
      ),
    free: () => rm(filler, { force: true }),
    unmount: () => run('umount', [path]),
  };
}
