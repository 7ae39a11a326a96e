import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { createRingFile, readRingFile, updateRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { runScript } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
/** Changes of a key ring that are killed with SIGKILL at each call that changes the file system. */

const test = base.extend('folder', ({}, { onCleanup }) => newFolder(onCleanup));

const newRing = () => createRing(generatePrivateKey(), new Date());
const fileOf = (folder: string, killAt: number) => join(folder, `ring-${killAt}.json`);

/** Kills one process at each call, four at a time, until one ends; returns how many were killed. */
async function killAtEachCall(folder: string, action: 'create' | 'update'): Promise<number> {
  for (let first = 1; ; first += 4) {
    const codes = await Promise.all(
      [first, first + 1, first + 2, first + 3].map(async (killAt) => {
        if (action === 'update') createRingFile(fileOf(folder, killAt), newRing());
        const args = [action, fileOf(folder, killAt), String(killAt)];
        const { code, stderr } = await runScript('test/security/kill-at.ts', args, {});
        expect(stderr).toBe('');
        return code;
      }),
    );
    const ended = codes.indexOf(0);
    if (ended !== -1) return first + ended - 1;
    expect(codes).toEqual([null, null, null, null]);
  }
}

test('leaves a whole ring or none after a kill at any call of a creation, then makes one', async ({
  folder,
}) => {
  const killed = await killAtEachCall(folder, 'create');
  expect(killed).toBeGreaterThanOrEqual(4);
  const created = [];
  for (let killAt = 1; killAt <= killed; killAt += 1) {
    created.push(existsSync(fileOf(folder, killAt)));
    createRingFile(fileOf(folder, killAt), newRing());
    expect(readRingFile(fileOf(folder, killAt)).length).toBe(1);
  }
  // The first kill comes before the ring exists, the last one after that.
  expect([created[0], created.at(-1)]).toEqual([false, true]);
});

test('leaves a readable ring after a kill at any call of an update, and makes the next', async ({
  folder,
}) => {
  const killed = await killAtEachCall(folder, 'update');
  expect(killed).toBeGreaterThanOrEqual(7);
  for (let killAt = 1; killAt <= killed; killAt += 1) {
    const file = fileOf(folder, killAt);
    expect(readRingFile(file).length).toBe(1);
    const ring = updateRingFile(file, newRing);
    expect(readRingFile(file).map(({ kid }) => kid)).toEqual(ring.map(({ kid }) => kid));
  }
});
