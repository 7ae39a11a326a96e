import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test as base, vi } from 'vitest';
import { watchKeyRing, type KeySource } from '../../../api/auth/key-source.ts';
import { createRingFile, updateRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey, rotateRing } from '../../../security/key-ring.ts';
import { memoryLog } from '../../support/gateway/leaks.ts';

const test = base
  .extend('folder', async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-keys-'));
    onCleanup(() => rm(folder, { recursive: true }));
    return folder;
  })
  .extend('file', ({ folder }) => join(folder, 'jwt-keys.json'));

let source: KeySource | undefined;
const ring = createRing(generatePrivateKey(), new Date(Date.now() - 60_000));
const intervalMs = 20;
afterEach(() => {
  source?.close();
});

const rotate = (file: string) =>
  updateRingFile(file, (before) =>
    rotateRing(before, generatePrivateKey(), {
      now: new Date(),
      leadMs: 5000,
      tokenLifeMs: 930_000,
    }),
  );
const kids = (keys: readonly { readonly kid: string }[]) => keys.map(({ kid }) => kid);
type Line = { readonly level: number; readonly msg: string; readonly [fact: string]: unknown };
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line);

/** Checks that the log contains no part of a private key. */
async function expectNoKey(file: string, lines: readonly string[]): Promise<void> {
  const text = lines.join('');
  expect(text).not.toContain('PRIVATE');
  const bodies = Array.from((await readFile(file, 'utf8')).matchAll(/\\n([\w+/=]{20,})\\n/g));
  expect(bodies.length).toBeGreaterThan(0);
  for (const [, body = ''] of bodies) expect(text).not.toContain(body.slice(20));
}

test('a changed ring is used after the next read, and one log line names its keys', async ({
  file,
}) => {
  createRingFile(file, ring);
  const { log, lines } = memoryLog();
  const watcher = (source = await watchKeyRing(file, log, intervalMs));
  expect(kids(watcher.ring())).toEqual(kids(ring));
  const after = await rotate(file);
  await vi.waitFor(() => expect(kids(watcher.ring())).toEqual(kids(after)));
  // An unchanged ring stays the same object, so that its signers are not created again.
  const same = watcher.ring();
  await rename(file, `${file}.away`);
  await rename(`${file}.away`, file);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0));
  expect(watcher.ring()).toBe(same);
  const [line] = parsed(lines);
  expect(line).toMatchObject({ level: 30, msg: 'signing keys have changed', file });
  expect(line).toMatchObject({ signing: after[0]?.kid, accepted: kids(after) });
  await expectNoKey(file, lines);
});

test('if the ring cannot be read, the last keys stay, with one warning for each reason', async ({
  file,
}) => {
  createRingFile(file, ring);
  const text = await readFile(file, 'utf8');
  const { log, lines } = memoryLog();
  const watcher = (source = await watchKeyRing(file, log, intervalMs));
  const warnings = () => parsed(lines).filter(({ level }) => level === 40);
  await writeFile(file, text.slice(0, -30));
  await vi.waitFor(() => expect(warnings().length).toBe(1));
  await rm(file);
  await vi.waitFor(() => expect(warnings().length).toBe(2));
  expect(warnings()[1]).toMatchObject({ err: { code: 'ENOENT' } });
  expect(kids(watcher.ring())).toEqual(kids(ring));
  createRingFile(file, ring);
  const after = await rotate(file);
  await vi.waitFor(() => expect(kids(watcher.ring())).toEqual(kids(after)));
  expect(warnings().length).toBe(2);
  await expectNoKey(file, lines);
});

test('an error of the first read is thrown', async ({ file }) => {
  const { log } = memoryLog();
  await expect(watchKeyRing(file, log, intervalMs)).rejects.toThrow(/ENOENT/);
  await writeFile(file, '{"keys":[]}');
  await expect(watchKeyRing(file, log, intervalMs)).rejects.toThrow(
    `${file} is not a key ring: keys: must contain one key or two`,
  );
});

test('a closed source does not read the ring again', async ({ file }) => {
  createRingFile(file, ring);
  const { log, lines } = memoryLog();
  const closed = await watchKeyRing(file, log, intervalMs);
  const open = (source = await watchKeyRing(file, log, intervalMs));
  closed.close();
  const after = await rotate(file);
  await vi.waitFor(() => expect(kids(open.ring())).toEqual(kids(after)));
  // The open source has read the file several times by then.
  const again = createRing(generatePrivateKey(), new Date());
  await updateRingFile(file, () => again);
  await vi.waitFor(() => expect(kids(open.ring())).toEqual(kids(again)));
  expect(kids(closed.ring())).toEqual(kids(ring));
  expect(lines.length).toBe(2);
});
