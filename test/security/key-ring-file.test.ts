import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { formatRing } from '../../security/key-ring-form.ts';
import { changeRing, createRing, readRing } from '../../security/key-ring-file.ts';
import {
  firstRing,
  KeyRingError,
  newPrivateKey,
  rotated,
  type KeptRing,
} from '../../security/key-ring.ts';

let folder: string;
let file: string;
const ring = firstRing(newPrivateKey(), Date.now());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-keys-'));
  file = join(folder, 'jwt-keys.json');
});
afterEach(() => rm(folder, { recursive: true }));

const rotate = (before: KeptRing): KeptRing =>
  rotated(before, newPrivateKey(), { nowMs: Date.now(), leadMs: 5000, tokenLifeMs: 930_000 });

const refuse = (): never => {
  throw new KeyRingError('no');
};

test('a ring is made for its owner only, nothing is left beside it, and one that is there is left alone', async () => {
  expect(createRing(file, ring)).toBe(true);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(createRing(file, firstRing(newPrivateKey(), Date.now()))).toBe(false);
  expect(formatRing(readRing(file))).toBe(formatRing(ring));
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('a change takes the place of the ring in one step, under the same mode, and leaves nothing beside it', async () => {
  createRing(file, ring);
  await chmod(file, 0o640);
  const before = await stat(file);
  const after = await changeRing(file, rotate);
  expect(formatRing(readRing(file))).toBe(formatRing(after));
  expect((await stat(file)).ino).not.toBe(before.ino);
  expect((await stat(file)).mode & 0o777).toBe(0o640);
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('of changes at the same time each sees the one before it: one rotation wins, the others are refused', async () => {
  createRing(file, ring);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => changeRing(file, rotate)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(KeyRingError);
  }
  expect(readRing(file).length).toBe(2);
});

test('while a ring is changed its lock is there for others to see, and then no longer', async () => {
  createRing(file, ring);
  let seen: readonly string[] = [];
  await changeRing(file, (before) => {
    seen = readdirSync(folder);
    return rotate(before);
  });
  expect(seen.toSorted()).toEqual(['jwt-keys.json', 'jwt-keys.json.lock']);
  expect(await readdir(folder)).toEqual(['jwt-keys.json']);
});

test('a change that fails leaves the ring as it was, and the next one goes on', async () => {
  createRing(file, ring);
  await expect(changeRing(file, refuse)).rejects.toThrow('no');
  // Nobody could read these.
  await expect(changeRing(file, () => [])).rejects.toThrow('must have a key');
  await expect(changeRing(file, () => [...ring, ...ring])).rejects.toThrow(
    'is that of the first key',
  );
  expect(formatRing(readRing(file))).toBe(formatRing(ring));
  expect((await changeRing(file, rotate)).length).toBe(2);
});

test('a draft that a killed change left is no hindrance, its lock is named and never taken over', async () => {
  createRing(file, ring);
  await writeFile(`${file}.new`, 'half of', { mode: 0o644 });
  await changeRing(file, rotate);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(`${file}.lock`, '');
  await expect(changeRing(file, () => ring)).rejects.toThrow(`${file}.lock is there`);
  expect(readRing(file).length).toBe(2);
});

test('a name that is a link to the ring stays one', async () => {
  createRing(file, ring);
  const link = join(folder, 'link.json');
  await symlink(file, link);
  await changeRing(link, rotate);
  expect(readRing(file).length).toBe(2);
  expect(formatRing(readRing(link))).toBe(formatRing(readRing(file)));
});

test('a ring that is not there or is none is told by its name, without its contents', async () => {
  expect(() => readRing(file)).toThrow(`${file} cannot be read: ENOENT`);
  await expect(changeRing(file, rotate)).rejects.toThrow(`${file} cannot be read: ENOENT`);
  const pem = newPrivateKey();
  await writeFile(file, pem);
  expect(() => readRing(file)).toThrow(new KeyRingError(`${file} is no key ring: not JSON`));
  expect(() => createRing(join(folder, 'none', 'x.json'), ring)).toThrow(
    /cannot be written: ENOENT/,
  );
  expect(await readFile(file, 'utf8')).toBe(pem);
});
