import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../config.ts';
import { loadKeys } from '../../scripts/home-keys.ts';
import { changeRing, createRing, readRing } from '../../security/key-ring-file.ts';
import {
  firstRing,
  fixedRing,
  newPrivateKey,
  rotated,
  signingKid,
} from '../../security/key-ring.ts';
import { runScript } from '../support/command.ts';

/** `npm run keys` as a person meets it, and the keys of the embedded start. */

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'vendor-gateway-keys-'));
  file = join(home, 'ring.json');
});
afterEach(() => rm(home, { recursive: true }));

const keys = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = { JWT_KEYS_FILE: file },
) => runScript('scripts/keys.ts', args, { GATEWAY_HOME: home, ...environment });
const kidsOf = (path: string) => readRing(path).map(({ kid }) => kid);
const newRing = () => {
  createRing(file, firstRing(newPrivateKey(), Date.now() - 60_000));
};

test('a rotation is written at once, ends when the new key signs, and shows names and instants but no key', async () => {
  newRing();
  const [oldKid = ''] = kidsOf(file);
  const { code, stdout, stderr } = await keys(['rotate', '--lead', '4']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const ring = readRing(file);
  const [old, next] = ring;
  expect(old?.kid).toBe(oldKid);
  expect((next?.signsFromMs ?? 0) - (next?.createdAtMs ?? 0)).toBe(4000);
  expect((old?.acceptedUntilMs ?? 0) - (next?.signsFromMs ?? 0)).toBe(930_000);
  expect(Date.now()).toBeGreaterThanOrEqual(next?.signsFromMs ?? Infinity);
  expect(stdout).toContain(`${next?.kid ?? ''} signs.`);
  const listed = await keys(['list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(new RegExp(`^${oldKid} +accepted `, 'm'));
  expect(listed.stdout).toMatch(new RegExp(`^${next?.kid ?? ''} +signs `, 'm'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const text of [stdout, listed.stdout]) expect(text).not.toContain('PRIVATE');
});

test('of rotations at the same time exactly one wins; the others say so and exit 1', async () => {
  newRing();
  const [oldKid] = kidsOf(file);
  const ended = await Promise.all(Array.from({ length: 3 }, () => keys(['rotate', '--lead', '4'])));
  expect(ended.filter(({ code }) => code === 0).length).toBe(1);
  for (const { code, stderr } of ended) {
    if (code === 0) continue;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^A rotation is under way until \d{4}-\d\d-\d\dT/);
  }
  expect(kidsOf(file)).toEqual([oldKid, expect.any(String)]);
  expect((await readdir(home)).toSorted()).toEqual(['ring.json']);
});

test('--revoke ends every key of before, also while a rotation is under way', async () => {
  newRing();
  const [oldKid] = kidsOf(file);
  await changeRing(file, (ring) =>
    rotated(ring, newPrivateKey(), { nowMs: Date.now(), leadMs: 60_000, tokenLifeMs: 930_000 }),
  );
  const between = kidsOf(file);
  expect(between.length).toBe(2);
  const { code, stdout } = await keys(['rotate', '--revoke']);
  expect(code).toBe(0);
  expect(stdout).toContain('revoked');
  const after = kidsOf(file);
  expect(after.length).toBe(1);
  expect([oldKid, ...between]).not.toContain(after[0]);
});

test('create makes a first ring, of the key that is configured if there is one, and overwrites nothing', async () => {
  expect(await keys(['create', file], {})).toMatchObject({ code: 0, stderr: '' });
  const [kid] = kidsOf(file);
  expect(await keys(['create', file], {})).toMatchObject({
    code: 1,
    stderr: `${file} is there already.\n`,
  });
  expect(kidsOf(file)).toEqual([kid]);
  const JWT_SIGNING_KEY = newPrivateKey();
  const other = join(home, 'other.json');
  expect(await keys(['create', other], { JWT_SIGNING_KEY })).toMatchObject({ code: 0 });
  expect(kidsOf(other)).toEqual([
    signingKid(fixedRing({ signingKey: JWT_SIGNING_KEY }), Date.now()),
  ]);
});

test('where the key is in the environment, rotate tells the restarts to make and changes nothing', async () => {
  const JWT_SIGNING_KEY = newPrivateKey();
  const { code, stderr } = await keys(['rotate'], { JWT_SIGNING_KEY });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /JWT_SIGNING_KEY[\s\S]+1\. [\s\S]+JWT_PREVIOUS_KEY[\s\S]+2\. [\s\S]+3\. 16 minutes/,
  );
  const listed = await keys(['list'], { JWT_SIGNING_KEY, JWT_PREVIOUS_KEY: newPrivateKey() });
  expect(listed.stdout.match(/^\S{16} +(signs|accepted) /gm)?.length).toBe(2);
  expect(await readdir(home)).toEqual([]);
});

test.each([
  [[]],
  [['turn']],
  [['rotate', 'now']],
  [['rotate', '--force']],
  [['rotate', '--lead', '-1']],
  [['rotate', '--lead', '3']],
  [['rotate', '--lead', '1e3']],
  [['rotate', '--lead', '15', '--revoke']],
  [['create']],
  [['list', '--lead', '15']],
])('%j is not understood, and changes nothing', async (args) => {
  newRing();
  const before = await readFile(file, 'utf8');
  const { code, stdout, stderr } = await keys(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/npm run keys -- rotate|--lead must be from 4 to 86400 seconds/);
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('without any keys it says where they may come from', async () => {
  const { code, stderr } = await keys(['rotate'], {});
  expect(code).toBe(1);
  expect(stderr).toContain('No keys: set JWT_KEYS_FILE');
  const broken = await keys(['list'], { JWT_KEYS_FILE: join(home, 'none.json') });
  expect(broken.stderr).toBe(`${join(home, 'none.json')} cannot be read: ENOENT\n`);
});

const ringOfHome = () => join(home, 'keys', 'jwt-keys.json');
const oldKeyFile = () => join(home, 'keys', 'jwt-signing-key.pem');
async function keepOldKey(): Promise<string> {
  const pem = newPrivateKey();
  await mkdir(join(home, 'keys'), { recursive: true });
  await writeFile(oldKeyFile(), pem);
  return signingKid(fixedRing({ signingKey: pem }), Date.now());
}

test('the embedded start makes a ring for itself alone, and finds it again', async () => {
  const { keysFile } = await loadKeys(home, loadConfig({}));
  expect(keysFile).toBe(ringOfHome());
  expect((await stat(ringOfHome())).mode & 0o777).toBe(0o600);
  const made = kidsOf(ringOfHome());
  await loadKeys(home, loadConfig({}));
  expect(kidsOf(ringOfHome())).toEqual(made);
  // Configured keys are left to the processes.
  expect(await loadKeys(home, loadConfig({ JWT_SIGNING_KEY: newPrivateKey() }))).toMatchObject({
    keysFile: undefined,
  });
});

test('the key of an earlier version becomes the first of the ring, also when the start was killed in between', async () => {
  const kid = await keepOldKey();
  await loadKeys(home, loadConfig({}));
  expect(kidsOf(ringOfHome())).toEqual([kid]);
  expect(await readdir(join(home, 'keys'))).not.toContain('jwt-signing-key.pem');
  // Killed after the ring was made: the old file is still there, the ring has been rotated since.
  await keys(['rotate', '--revoke'], {});
  const revoked = kidsOf(ringOfHome());
  expect(revoked).not.toContain(kid);
  await keepOldKey();
  await loadKeys(home, loadConfig({}));
  expect(kidsOf(ringOfHome())).toEqual(revoked);
  expect(await readdir(join(home, 'keys'))).not.toContain('jwt-signing-key.pem');
});

test('a key of an earlier version that cannot be used is named, and neither replaced nor removed', async () => {
  await mkdir(join(home, 'keys'), { recursive: true });
  await writeFile(oldKeyFile(), 'no key');
  await expect(loadKeys(home, loadConfig({}))).rejects.toThrow(
    `${oldKeyFile()}: not an Ed25519 key`,
  );
  expect((await readdir(join(home, 'keys'))).filter((name) => name.startsWith('jwt'))).toEqual([
    'jwt-signing-key.pem',
  ]);
});

test('the embedded gateway’s ring is found while it is stopped, whichever version made it', async () => {
  const kid = await keepOldKey();
  const { code, stdout, stderr } = await keys(['list'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`${kid}  signs`);
  expect(kidsOf(ringOfHome())).toEqual([kid]);
});
