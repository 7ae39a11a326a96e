import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followKeyRing, type KeySource } from '../../../api/auth/key-source.ts';
import { changeRing, createRing } from '../../../security/key-ring-file.ts';
import { firstRing, newPrivateKey, rotated } from '../../../security/key-ring.ts';
import { memoryLog } from '../../support/leaks.ts';

let folder: string;
let file: string;
let source: KeySource | undefined;
const ring = firstRing(newPrivateKey(), Date.now() - 60_000);
const everyMs = 20;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-keys-'));
  file = join(folder, 'jwt-keys.json');
});
afterEach(async () => {
  source?.close();
  await rm(folder, { recursive: true });
});

const rotate = () =>
  changeRing(file, (before) =>
    rotated(before, newPrivateKey(), { nowMs: Date.now(), leadMs: 5000, tokenLifeMs: 930_000 }),
  );
const kids = (keys: readonly { readonly kid: string }[]) => keys.map(({ kid }) => kid);
type Line = { readonly level: number; readonly msg: string; readonly [fact: string]: unknown };
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Line);

/** Nothing of a private key may be in a log. */
async function expectNoKey(lines: readonly string[]): Promise<void> {
  const text = lines.join('');
  expect(text).not.toContain('PRIVATE');
  const bodies = Array.from((await readFile(file, 'utf8')).matchAll(/\\n([\w+/=]{20,})\\n/g));
  expect(bodies.length).toBeGreaterThan(0);
  for (const [, body = ''] of bodies) expect(text).not.toContain(body.slice(20));
}

test('a changed ring is in force within a reading, and told by one line of names', async () => {
  createRing(file, ring);
  const { log, lines } = memoryLog();
  const follower = (source = await followKeyRing(file, log, everyMs));
  expect(kids(follower.ring())).toEqual(kids(ring));
  const after = await rotate();
  await vi.waitFor(() => expect(kids(follower.ring())).toEqual(kids(after)));
  // The ring that is the same stays the same object: nothing is made anew for it.
  const same = follower.ring();
  await rename(file, `${file}.away`);
  await rename(`${file}.away`, file);
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0));
  expect(follower.ring()).toBe(same);
  const [told] = parsed(lines);
  expect(told).toMatchObject({ level: 30, msg: 'signing keys have changed', file });
  expect(told).toMatchObject({ signing: after[0]?.kid, accepted: kids(after) });
  await expectNoKey(lines);
});

test('while the ring cannot be read the keys of before stay, which is told once; then it is followed again', async () => {
  createRing(file, ring);
  const text = await readFile(file, 'utf8');
  const { log, lines } = memoryLog();
  const follower = (source = await followKeyRing(file, log, everyMs));
  const warnings = () => parsed(lines).filter(({ level }) => level === 40);
  await writeFile(file, text.slice(0, -30));
  await vi.waitFor(() => expect(warnings().length).toBe(1));
  await rm(file);
  await vi.waitFor(() => expect(warnings().length).toBe(2));
  expect(warnings()[1]).toMatchObject({ err: { code: 'ENOENT' } });
  expect(kids(follower.ring())).toEqual(kids(ring));
  createRing(file, ring);
  const after = await rotate();
  await vi.waitFor(() => expect(kids(follower.ring())).toEqual(kids(after)));
  expect(warnings().length).toBe(2);
  await expectNoKey(lines);
});

test('a ring that cannot be read at first is not followed', async () => {
  const { log } = memoryLog();
  await expect(followKeyRing(file, log, everyMs)).rejects.toThrow(/ENOENT/);
  await writeFile(file, '{"keys":[]}');
  await expect(followKeyRing(file, log, everyMs)).rejects.toThrow(
    `${file} is no key ring: keys: must have a key`,
  );
});

test('a source that is closed reads no more', async () => {
  createRing(file, ring);
  const { log, lines } = memoryLog();
  const closed = await followKeyRing(file, log, everyMs);
  const open = (source = await followKeyRing(file, log, everyMs));
  closed.close();
  const after = await rotate();
  await vi.waitFor(() => expect(kids(open.ring())).toEqual(kids(after)));
  // The other one has read several times since.
  const again = firstRing(newPrivateKey(), Date.now());
  await changeRing(file, () => again);
  await vi.waitFor(() => expect(kids(open.ring())).toEqual(kids(again)));
  expect(kids(closed.ring())).toEqual(kids(ring));
  expect(lines.length).toBe(2);
});
