import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

test('creates a ring that only its owner may read', async ({ folder, file }) => {
  expect(createRingFile(file, ring)).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('keeps an existing ring', async ({ folder, file }) => {
  createRingFile(file, ring);
  expect(createRingFile(file, createRing(generatePrivateKey(), new Date()))).toBe(false);
  expect(formatRing(readRingFile(file))).toBe(formatRing(ring));
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('replaces a changed file in one step, and keeps its mode', async ({ folder, file }) => {
  createRingFile(file, ring);
  await chmod(file, 0o640);
  const before = await stat(file);
  const after = updateRingFile(file, rotate);
  expect(formatRing(readRingFile(file))).toBe(formatRing(after));
  expect((await stat(file)).ino).not.toBe(before.ino);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('keeps the ring of the later of two changes at once, whole', ({ file }) => {
  createRingFile(file, ring);
  let other: KeyRing = [];
  const later = updateRingFile(file, (before) => {
    other = updateRingFile(file, rotate);
    return rotate(before);
  });
  expect(other.length).toBe(2);
  expect(formatRing(readRingFile(file))).toBe(formatRing(later));
  // The next change reads what the last one has written.
  expect(() => updateRingFile(file, rotate)).toThrow('A rotation is under way');
});

test('keeps the ring unchanged after a failed change', ({ file }) => {
  createRingFile(file, ring);
  expect(() => updateRingFile(file, refuse)).toThrow('no');
  // An invalid ring is not written.
  expect(() => updateRingFile(file, () => [])).toThrow('must contain one key or two');
  expect(() => updateRingFile(file, () => [...ring, ...ring])).toThrow('the two keys must differ');
  expect(formatRing(readRingFile(file))).toBe(formatRing(ring));
  expect(updateRingFile(file, rotate).length).toBe(2);
});

test('keeps a symbolic link to a ring in a change', async ({ folder, file }) => {
  createRingFile(file, ring);
  const link = join(folder, 'link.json');
  await symlink(file, link);
  updateRingFile(link, rotate);
  expect(readRingFile(file).length).toBe(2);
  expect(formatRing(readRingFile(link))).toBe(formatRing(readRingFile(file)));
});

test('names the file of an invalid ring, and quotes nothing', async ({ folder, file }) => {
  expect(() => readRingFile(file)).toThrow(/^ENOENT.*jwt-keys\.json/);
  expect(() => updateRingFile(file, rotate)).toThrow(/^ENOENT.*jwt-keys\.json/);
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
    expect(() => updateRingFile(file, (ring) => ring)).toThrow(repair);
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
