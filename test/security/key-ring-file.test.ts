import { closeSync, openSync } from 'node:fs';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { expect, test as base } from 'vitest';
import { loadConfig } from '../../process/config.ts';
import { loadKeys } from '../../embedded/keys/load-keys.ts';
import { formatRing } from '../../security/key-ring-json.ts';
import { createRingFile, readRingFile, updateRingFile } from '../../security/key-ring-file.ts';
import {
  createRing,
  generatePrivateKey,
  KeyRingError,
  rotateRing,
  type KeyRing,
} from '../../security/key-ring.ts';
import { isExposed } from '../../security/private-file.ts';
import { newFolder } from '../support/folder.ts';

const test = base
  .extend('folder', ({}, { onCleanup }) => newFolder(onCleanup))
  .extend('file', ({ folder }) => join(folder, 'jwt-keys.json'));

const ring = createRing(generatePrivateKey(), new Date());

const rotate = (before: KeyRing): KeyRing =>
  rotateRing(before, generatePrivateKey(), { now: new Date(), leadMs: 5000, tokenLifeMs: 930_000 });

const refuse = (): never => {
  throw new KeyRingError('no');
};

test('creates a ring for its owner only, and keeps an existing one', async ({ folder, file }) => {
  expect(createRingFile(file, ring)).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(createRingFile(file, createRing(generatePrivateKey(), new Date()))).toBe(false);
  expect(formatRing(readRingFile(file))).toBe(formatRing(ring));
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('replaces a changed file in one step, and keeps its mode', async ({ folder, file }) => {
  createRingFile(file, ring);
  await chmod(file, 0o640);
  // The draft of a killed change.
  await writeFile(`${file}.new`, 'half of', { mode: 0o644 });
  const before = await stat(file);
  const after = await updateRingFile(file, rotate);
  expect(formatRing(readRingFile(file))).toBe(formatRing(after));
  expect((await stat(file)).ino).not.toBe(before.ino);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('runs concurrent changes in turn, so that one rotation succeeds', async ({ file }) => {
  createRingFile(file, ring);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => updateRingFile(file, rotate)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(KeyRingError);
  }
  expect(readRingFile(file).length).toBe(2);
});

/** Locks a ring as another process does; returns how to unlock it, or null if it is locked. */
function lockRing(file: string): (() => void) | null {
  const descriptor = openSync(file, 'r+');
  const unlock = () => closeSync(descriptor);
  if (tryLock(descriptor)) return unlock;
  unlock();
  return null;
}

test('keeps the ring unchanged after a failed change, and releases the lock', async ({ file }) => {
  createRingFile(file, ring);
  await expect(updateRingFile(file, refuse)).rejects.toThrow('no');
  // An invalid ring is not written.
  await expect(updateRingFile(file, () => [])).rejects.toThrow('must contain one key or two');
  await expect(updateRingFile(file, () => [...ring, ...ring])).rejects.toThrow(
    'the two keys must differ',
  );
  expect(formatRing(readRingFile(file))).toBe(formatRing(ring));
  expect((await updateRingFile(file, rotate)).length).toBe(2);
});

test('locks the ring during a change, and reports another process’s lock', async ({ file }) => {
  createRingFile(file, ring);
  const unlock = lockRing(file);
  expect(unlock).not.toBeNull();
  await expect(updateRingFile(file, rotate)).rejects.toThrow(`${file} is locked`);
  expect(formatRing(readRingFile(file))).toBe(formatRing(ring));
  unlock?.();
  const whileChanged: unknown[] = [];
  const changed = await updateRingFile(file, (before) => {
    whileChanged.push(lockRing(file));
    return rotate(before);
  });
  expect([changed.length, whileChanged]).toEqual([2, [null]]);
});

test('keeps a symbolic link to a ring in a change', async ({ folder, file }) => {
  createRingFile(file, ring);
  const link = join(folder, 'link.json');
  await symlink(file, link);
  await updateRingFile(link, rotate);
  expect(readRingFile(file).length).toBe(2);
  expect(formatRing(readRingFile(link))).toBe(formatRing(readRingFile(file)));
});

test('names the file of an invalid ring, and quotes nothing', async ({ folder, file }) => {
  expect(() => readRingFile(file)).toThrow(/^ENOENT.*jwt-keys\.json/);
  await expect(updateRingFile(file, rotate)).rejects.toThrow(/^ENOENT.*jwt-keys\.json/);
  const pem = generatePrivateKey();
  await writeFile(file, pem, { mode: 0o600 });
  expect(() => readRingFile(file)).toThrow(
    new KeyRingError(`${file} is not a key ring: the content: not JSON`),
  );
  expect(() => createRingFile(join(folder, 'none', 'x.json'), ring)).toThrow(/^ENOENT.*x\.json/);
  expect(await readFile(file, 'utf8')).toBe(pem);
});

test.for(['604', '644', '602', '666'])(
  'refuses a key ring that every user can read or change (mode %s), with the repair',
  async (mode, { file }) => {
    createRingFile(file, ring);
    expect(() => readRingFile(file)).not.toThrow();
    await chmod(file, Number.parseInt(mode, 8));
    const repair = `${file} is open to other users (mode ${mode}). Run: chmod 600`;
    expect(() => readRingFile(file)).toThrow(repair);
    await expect(updateRingFile(file, (ring) => ring)).rejects.toThrow(repair);
    await chmod(file, 0o600);
    expect(() => readRingFile(file)).not.toThrow();
  },
);

test.for(['secrets-key', 'postgres-password', 'jwt-keys.json'])(
  'refuses at npm start keys/%s that every user can read',
  async (name, { folder }) => {
    const config = loadConfig({ GATEWAY_HOME: folder });
    loadKeys(folder, config);
    await chmod(join(folder, 'keys', name), 0o644);
    expect(() => loadKeys(folder, config)).toThrow(`${name} is open to other users (mode 644)`);
  },
);

test('refuses an empty secret, and does not replace it', async ({ folder }) => {
  const config = loadConfig({ GATEWAY_HOME: folder });
  loadKeys(folder, config);
  await writeFile(join(folder, 'keys', 'secrets-key'), '');
  expect(() => loadKeys(folder, config)).toThrow('is empty');
});

test('lets the group read a mounted file of another user, not a file of its reader', () => {
  const reader = 1000;
  expect(isExposed({ uid: reader, mode: 0o100600 }, reader)).toBe(false);
  expect(isExposed({ uid: reader, mode: 0o100640 }, reader)).toBe(true);
  expect(isExposed({ uid: reader, mode: 0o100620 }, reader)).toBe(true);
  expect(isExposed({ uid: 0, mode: 0o100440 }, reader)).toBe(false);
  expect(isExposed({ uid: 1001, mode: 0o100440 }, reader)).toBe(false);
  expect(isExposed({ uid: 0, mode: 0o100444 }, reader)).toBe(true);
  expect(isExposed({ uid: 0, mode: 0o100640 }, 0)).toBe(false);
});
