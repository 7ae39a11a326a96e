import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test as base, vi } from 'vitest';
import { compileTypescript } from '../../embedded/processes/compile-typescript.mjs';

const dayMs = 24 * 3_600_000;

/** Compiles a program of this text, and of its thread, into a folder of its own. */
const test = base.extend<{ folder: string }>({
  // oxlint-disable-next-line no-empty-pattern
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-compile-'));
    await writeFile(join(folder, 'a-thread.ts'), 'console.log("thread");');
    const program = "export const thread = new URL('a-thread.ts', import.meta.url);";
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'other.ts'), 'console.log("other");');
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

const compile = async (folder: string, name: string): Promise<string> =>
  fileURLToPath(await compileTypescript(join(folder, name), { packages: folder }));

const filesOf = (folder: string) => readdir(join(folder, '.cache', 'vendor-gateway', 'programs'));

test('keeps the files of a program for weeks', async ({ folder }) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  try {
    await compile(folder, 'program.ts');
    const files = await filesOf(folder);
    expect(files.filter((name) => /^a-thread-.*\.mjs$/.test(name))).toHaveLength(1);
    vi.advanceTimersByTime(20 * dayMs);
    await compile(folder, 'other.ts');
    expect(await filesOf(folder)).toEqual(expect.arrayContaining(files));
  } finally {
    vi.useRealTimers();
  }
});

test('files that no process has used for a week are deleted', async ({ folder }) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  try {
    await compile(folder, 'program.ts');
    const files = await filesOf(folder);
    vi.setSystemTime(Date.now() + 8 * dayMs);
    await compile(folder, 'other.ts');
    expect(await filesOf(folder)).not.toEqual(expect.arrayContaining([files[0]]));
  } finally {
    vi.useRealTimers();
  }
});

test('a file that a crash has left empty is written again', async ({ folder }) => {
  const program = await compile(folder, 'program.ts');
  const text = await readFile(program, 'utf8');
  await truncate(program, 0);
  expect(await compile(folder, 'program.ts')).toBe(program);
  expect(await readFile(program, 'utf8')).toBe(text);
});

test('keeps the draft of another container', async ({ folder }) => {
  const program = await compile(folder, 'program.ts');
  await rm(program);
  const draft = `${program}.${process.pid}`;
  await writeFile(draft, 'half of the');
  await compile(folder, 'program.ts');
  expect(await readFile(draft, 'utf8')).toBe('half of the');
});
