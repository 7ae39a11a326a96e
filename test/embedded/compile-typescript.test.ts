import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test as base, vi } from 'vitest';
import { compileTypescript } from '../../embedded/processes/compile-typescript.mjs';

const dayMs = 24 * 3_600_000;

const test = base
  /** With a program, its thread, and another program. */
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-compile-'));
    onCleanup(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'a-thread.ts'), 'console.log("thread");');
    const program = "export const thread = new URL('a-thread.ts', import.meta.url);";
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'other.ts'), 'console.log("other");');
    return folder;
  });

const compile = async (folder: string, name: string): Promise<string> =>
  fileURLToPath(await compileTypescript(join(folder, name), { packages: folder }));

const filesOf = (folder: string) => readdir(join(folder, '.cache', 'vendor-gateway', 'programs'));

test('keeps the files of a program while it runs and for a week', async ({
  folder,
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await compile(folder, 'program.ts');
  const files = await filesOf(folder);
  expect(files.filter((name) => /^a-thread-.*\.mjs$/.test(name))).toHaveLength(1);
  vi.advanceTimersByTime(20 * dayMs);
  await compile(folder, 'other.ts');
  expect(await filesOf(folder)).toEqual(expect.arrayContaining(files));
  // No process touches them from here on.
  vi.setSystemTime(Date.now() + 8 * dayMs);
  await compile(folder, 'other.ts');
  for (const file of files) expect(await filesOf(folder)).not.toContain(file);
});

test('rewrites a file that a crash has left empty', async ({ folder }) => {
  const program = await compile(folder, 'program.ts');
  const text = await readFile(program, 'utf8');
  await truncate(program, 0);
  expect(await compile(folder, 'program.ts')).toBe(program);
  expect(await readFile(program, 'utf8')).toBe(text);
});

test('keeps the unfinished file of another container', async ({ folder }) => {
  const program = await compile(folder, 'program.ts');
  await rm(program);
  const draft = `${program}.${process.pid}`;
  await writeFile(draft, 'half of the');
  await compile(folder, 'program.ts');
  expect(await readFile(draft, 'utf8')).toBe('half of the');
});
