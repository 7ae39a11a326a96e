import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import { loadConfig } from '../../../process/config.ts';
import { loadKeys } from '../../../embedded/keys/load-keys.ts';
import { createRingFile, readRingFile, updateRingFile } from '../../../security/key-ring-file.ts';
import {
  createRing,
  fixedRing,
  generatePrivateKey,
  rotateRing,
} from '../../../security/key-ring.ts';
import { runScript } from '../../support/command.ts';
/** The command `npm run keys`, and the keys of the embedded start. */

const test = base
  .extend('stateDir', async ({}, { onCleanup }) => {
    const stateDir = await mkdtemp(join(tmpdir(), 'vendor-gateway-keys-'));
    onCleanup(() => rm(stateDir, { recursive: true }));
    return stateDir;
  })
  .extend('file', ({ stateDir }) => join(stateDir, 'ring.json'));

const keys = (
  stateDir: string,
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = { JWT_KEYS_FILE: file },
) => runScript('scripts/keys.ts', args, { GATEWAY_HOME: stateDir, ...environment });
const kidsOf = (path: string) => readRingFile(path).map(({ kid }) => kid);
const newRing = (file: string) => {
  createRingFile(file, createRing(generatePrivateKey(), new Date(Date.now() - 60_000)));
};

test('a rotation ends when the new key signs, and prints names and times but no key', async ({
  stateDir,
  file,
}) => {
  newRing(file);
  const [oldKid = ''] = kidsOf(file);
  const { code, stdout, stderr } = await keys(stateDir, file, ['rotate', '--lead', '4']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const ring = readRingFile(file);
  const [old, next] = ring;
  expect(old?.kid).toBe(oldKid);
  const signsFromMs = next?.signsFrom.getTime() ?? NaN;
  expect(next?.createdAt.getTime()).toBe(signsFromMs - 4000);
  expect(old?.acceptedUntil?.getTime()).toBe(signsFromMs + 930_000);
  expect(Date.now()).toBeGreaterThanOrEqual(signsFromMs);
  expect(stdout).toContain(`${next?.kid ?? ''} signs.`);
  const listed = await keys(stateDir, file, ['list']);
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(new RegExp(`^${oldKid} +accepted `, 'm'));
  expect(listed.stdout).toMatch(new RegExp(`^${next?.kid ?? ''} +signs `, 'm'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const text of [stdout, listed.stdout]) expect(text).not.toContain('PRIVATE');
});

test('--revoke ends all earlier keys, also during a rotation', async ({ stateDir, file }) => {
  newRing(file);
  const [oldKid] = kidsOf(file);
  await updateRingFile(file, (ring) =>
    rotateRing(ring, generatePrivateKey(), {
      now: new Date(),
      leadMs: 60_000,
      tokenLifeMs: 930_000,
    }),
  );
  const between = kidsOf(file);
  expect(between.length).toBe(2);
  expect(await keys(stateDir, file, ['rotate', '--lead', '4'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A rotation is under way until \d{4}-\d\d-\d\dT/),
  });
  const { code, stdout } = await keys(stateDir, file, ['rotate', '--revoke']);
  expect(code).toBe(0);
  expect(stdout).toContain('revoked');
  const after = kidsOf(file);
  expect(after.length).toBe(1);
  expect([oldKid, ...between]).not.toContain(after[0]);
});

test('create writes a ring of the configured key or a new key, and overwrites no file', async ({
  stateDir,
  file,
}) => {
  expect(await keys(stateDir, file, ['create', file], {})).toMatchObject({ code: 0, stderr: '' });
  const [kid] = kidsOf(file);
  expect(await keys(stateDir, file, ['create', file], {})).toMatchObject({
    code: 1,
    stderr: `${file} exists already.\n`,
  });
  expect(kidsOf(file)).toEqual([kid]);
  const JWT_SIGNING_KEY = generatePrivateKey();
  const other = join(stateDir, 'other.json');
  expect(await keys(stateDir, file, ['create', other], { JWT_SIGNING_KEY })).toMatchObject({
    code: 0,
  });
  expect(kidsOf(other)).toEqual(fixedRing({ signingKey: JWT_SIGNING_KEY }).map(({ kid }) => kid));
});

test('with JWT_SIGNING_KEY, rotate prints the necessary restarts and changes nothing', async ({
  stateDir,
  file,
}) => {
  const JWT_SIGNING_KEY = generatePrivateKey();
  const { code, stderr } = await keys(stateDir, file, ['rotate'], { JWT_SIGNING_KEY });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /JWT_SIGNING_KEY[\s\S]+1\. [\s\S]+JWT_PREVIOUS_KEY[\s\S]+2\. [\s\S]+3\. 16 minutes/,
  );
  const listed = await keys(stateDir, file, ['list'], {
    JWT_SIGNING_KEY,
    JWT_PREVIOUS_KEY: generatePrivateKey(),
  });
  expect(listed.stdout.match(/^\S{16} +(signs|accepted) /gm)?.length).toBe(2);
  expect(await readdir(stateDir)).toEqual([]);
});

test.for([
  '',
  'turn',
  'rotate now',
  'rotate --lead -1',
  'rotate --lead 3',
  'rotate --lead 1e3',
  'rotate --lead 15 --revoke',
  'create',
  'list --lead 15',
])('%j prints the usage and changes nothing', async (line, { stateDir, file }) => {
  newRing(file);
  const before = await readFile(file, 'utf8');
  const { code, stdout, stderr } = await keys(stateDir, file, line.split(' ').filter(Boolean));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^npm run keys -- list\n[\s\S]+\(4 to 86400 s/);
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('without keys the command prints where to set them', async ({ stateDir, file }) => {
  const { code, stderr } = await keys(stateDir, file, ['rotate'], {});
  expect(code).toBe(1);
  expect(stderr).toContain('No keys: set JWT_KEYS_FILE');
  const missing = join(stateDir, 'none.json');
  expect(await keys(stateDir, file, ['list'], { JWT_KEYS_FILE: missing })).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      `There is no key ring ${missing}. Create it once: npm run keys -- create ${missing}\n` +
      `With docker compose: docker compose run --rm keys create ${missing}\n`,
  });
});

const embeddedRing = (stateDir: string) => join(stateDir, 'keys', 'jwt-keys.json');

test('the embedded start creates keys that only its user may read, and loads them again', async ({
  stateDir,
}) => {
  const created = loadKeys(stateDir, loadConfig({}));
  expect(created.keysFile).toBe(embeddedRing(stateDir));
  expect(created.secretsKey).toMatch(/^[\w+/]{43}=$/);
  expect(created.postgresPassword).toMatch(/^[\w-]{32}$/);
  const files = await readdir(join(stateDir, 'keys'));
  expect(files.toSorted()).toEqual(['jwt-keys.json', 'postgres-password', 'secrets-key']);
  for (const name of files) {
    expect((await stat(join(stateDir, 'keys', name))).mode & 0o777).toBe(0o600);
  }
  const kids = kidsOf(embeddedRing(stateDir));
  expect(loadKeys(stateDir, loadConfig({}))).toEqual(created);
  expect(kidsOf(embeddedRing(stateDir))).toEqual(kids);
  // The processes read configured keys themselves.
  const config = loadConfig({ JWT_SIGNING_KEY: generatePrivateKey() });
  expect(loadKeys(stateDir, config)).toMatchObject({ keysFile: undefined });
});

test('the ring of the embedded gateway is found while the gateway is stopped', async ({
  stateDir,
  file,
}) => {
  loadKeys(stateDir, loadConfig({}));
  const [kid = ''] = kidsOf(embeddedRing(stateDir));
  const { code, stdout, stderr } = await keys(stateDir, file, ['list'], {});
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`${kid}  signs`);
});
