import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { loadConfig } from '../../process/config.ts';
import { loadKeys } from '../../embedded/keys/load-keys.ts';
import { createRingFile, readRingFile, updateRingFile } from '../../security/key-ring-file.ts';
import { createRing, generatePrivateKey } from '../../security/key-ring.ts';
import { isExposed } from '../../security/private-file.ts';

const test = base.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-private-'));
  onCleanup(() => rm(folder, { recursive: true }));
  return folder;
});

test.for(['604', '644', '602', '666'])(
  'a key ring that every user can read or change (mode %s) is refused, with the repair',
  async (mode, { folder }) => {
    const file = join(folder, 'ring.json');
    createRingFile(file, createRing(generatePrivateKey(), new Date()));
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
  'npm start refuses its keys/%s if every user can read it',
  async (name, { folder }) => {
    const config = loadConfig({ GATEWAY_HOME: folder });
    loadKeys(folder, config);
    await chmod(join(folder, 'keys', name), 0o644);
    expect(() => loadKeys(folder, config)).toThrow(`${name} is open to other users (mode 644)`);
  },
);

test('an empty secret is not replaced', async ({ folder }) => {
  const config = loadConfig({ GATEWAY_HOME: folder });
  loadKeys(folder, config);
  await writeFile(join(folder, 'keys', 'secrets-key'), '');
  expect(() => loadKeys(folder, config)).toThrow('is empty');
});

test('the group may read a mounted file of root or another user, but not one’s own', () => {
  const reader = 1000;
  expect(isExposed({ uid: reader, mode: 0o100600 }, reader)).toBe(false);
  expect(isExposed({ uid: reader, mode: 0o100640 }, reader)).toBe(true);
  expect(isExposed({ uid: reader, mode: 0o100620 }, reader)).toBe(true);
  expect(isExposed({ uid: 0, mode: 0o100440 }, reader)).toBe(false);
  expect(isExposed({ uid: 1001, mode: 0o100440 }, reader)).toBe(false);
  expect(isExposed({ uid: 0, mode: 0o100444 }, reader)).toBe(true);
  expect(isExposed({ uid: 0, mode: 0o100640 }, 0)).toBe(false);
});
