import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test as base, vi } from 'vitest';
import { watchKeyRing } from '../../../api/auth/key-source.ts';
import { createRingFile, updateRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey, rotateRing } from '../../../security/key-ring.ts';
import { newFolder } from '../../support/folder.ts';
import { memoryLog } from '../../support/memory-log.ts';

const ring = createRing(generatePrivateKey(), new Date(Date.now() - 60_000));
const times = { leadMs: 5000, tokenLifeMs: 930_000 };

const kids = (keys: readonly { readonly kid: string }[]) => keys.map(({ kid }) => kid);

/** Gives each test the path of a file for a ring. */
const test = base.extend('file', async ({}, { onCleanup }) =>
  join(await newFolder(onCleanup), 'jwt-keys.json'),
);

const rotate = (file: string) =>
  updateRingFile(file, (before) =>
    rotateRing(before, generatePrivateKey(), { now: new Date(), ...times }),
  );

/** Watches a file until the test ends, and keeps what it logs. */
async function watch(file: string) {
  const { log, lines } = memoryLog();
  const source = await watchKeyRing(file, log, 20);
  onTestFinished(() => source.close());
  const hasRing = (expected: Parameters<typeof kids>[0]) =>
    vi.waitFor(() => expect(kids(source.ring())).toEqual(kids(expected)), 20_000);
  const logged = () => lines.map((line) => JSON.parse(line) as { readonly level: number });
  return { source, lines, logged, hasRing };
}

/** Checks that the log contains no part of a private key. */
async function expectNoKey(file: string, lines: readonly string[]): Promise<void> {
  const text = lines.join('');
  expect(text).not.toContain('PRIVATE');
  const bodies = Array.from((await readFile(file, 'utf8')).matchAll(/\\n([\w+/=]{20,})\\n/g));
  expect(bodies.length).toBeGreaterThan(0);
  for (const [, body = ''] of bodies) expect(text).not.toContain(body.slice(20));
}

test('uses a changed ring after the next read, and logs the ids of its keys', async ({ file }) => {
  createRingFile(file, ring);
  const { source, lines, logged, hasRing } = await watch(file);
  expect(kids(source.ring())).toEqual(kids(ring));
  const after = rotate(file);
  await hasRing(after);
  // An unchanged ring stays the same object, so that its signers are not created again.
  const same = source.ring();
  await rename(file, `${file}.away`);
  await rename(`${file}.away`, file);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), 20_000);
  expect(source.ring()).toBe(same);
  expect(logged()[0]).toMatchObject({
    level: 30,
    msg: 'signing keys have changed',
    file,
    signing: after[0]?.kid,
    accepted: kids(after),
  });
  await expectNoKey(file, lines);
});

test('keeps the last keys while the ring is unreadable, with one warning for each reason', async ({
  file,
}) => {
  createRingFile(file, ring);
  const text = await readFile(file, 'utf8');
  const { source, lines, logged, hasRing } = await watch(file);
  const warnings = () => logged().filter(({ level }) => level === 40);
  await writeFile(file, text.slice(0, -30));
  await vi.waitFor(() => expect(warnings()).toHaveLength(1), 20_000);
  await rm(file);
  await vi.waitFor(() => expect(warnings()).toHaveLength(2), 20_000);
  expect(warnings()[1]).toMatchObject({ err: { code: 'ENOENT' } });
  expect(kids(source.ring())).toEqual(kids(ring));
  createRingFile(file, ring);
  await hasRing(rotate(file));
  expect(warnings()).toHaveLength(2);
  await expectNoKey(file, lines);
});

test('throws the error of the first read', async ({ file }) => {
  await expect(watch(file)).rejects.toThrow(/ENOENT/);
  await writeFile(file, '{"keys":[]}');
  await expect(watch(file)).rejects.toThrow(
    `${file} is not a key ring: keys: must contain one key or two`,
  );
});

test('stops reading the ring once it is closed', async ({ file }) => {
  createRingFile(file, ring);
  const [closed, open] = [await watch(file), await watch(file)];
  closed.source.close();
  await open.hasRing(rotate(file));
  // The open source has read the file several times by then.
  const again = createRing(generatePrivateKey(), new Date());
  updateRingFile(file, () => again);
  await open.hasRing(again);
  expect(kids(closed.source.ring())).toEqual(kids(ring));
  expect(closed.lines).toEqual([]);
});
