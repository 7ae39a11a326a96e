import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareStateDir } from '../../embedded/state/state-dir.ts';
import { newFolder } from '../support/folder.ts';

test('creates the state directory with its parents, and accepts one that exists', async ({
  onTestFinished,
}) => {
  const folder = await newFolder(onTestFinished);
  const path = join(folder, 'a', 'b', 'home');
  for (const round of [1, 2]) {
    expect((await prepareStateDir(path)).path, `round ${round}`).toBe(path);
    const { mode } = await stat(join(path, 'logs'));
    expect(mode & 0o777).toBe(0o700);
  }
  await mkdir(join(folder, 'other'));
  await symlink(join(folder, 'other'), join(folder, 'link'));
  expect((await prepareStateDir(join(folder, 'link'))).path).toBe(join(folder, 'link'));
});

test('refuses a state directory that cannot be created, with the reason', async ({
  onTestFinished,
}) => {
  const file = join(await newFolder(onTestFinished), 'file');
  await writeFile(file, '');
  await expect(prepareStateDir(file)).rejects.toThrow('EEXIST');
  await expect(prepareStateDir(join(file, 'home'))).rejects.toThrow('ENOTDIR');
  // A recursive mkdir of Node does not end here.
  if (process.platform === 'linux')
    await expect(prepareStateDir('/proc/none/home')).rejects.toThrow('ENOENT');
});
