import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test as base, vi } from 'vitest';
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
import { newFolder } from '../../support/folder.ts';
/** The command `npm run keys`, and the keys of the embedded start. */

type Environment = Readonly<Record<string, string>>;

const test = base
  .extend('stateDir', ({}, { onCleanup }) => newFolder(onCleanup))
  .extend('file', ({ stateDir }) => join(stateDir, 'ring.json'))
  /** Runs the command with the words of a line. */
  .extend(
    'keys',
    ({ stateDir }) =>
      (line: string, environment: Environment = {}) =>
        runScript('scripts/keys.ts', line.split(' '), { GATEWAY_HOME: stateDir, ...environment }),
  )
  /** The same with a ring file whose one key signs. */
  .extend('keysOfRing', ({ keys, file }) => {
    createRingFile(file, createRing(generatePrivateKey(), new Date(Date.now() - 60_000)));
    return (line: string) => keys(line, { JWT_KEYS_FILE: file });
  });

const kidsOf = (path: string) => readRingFile(path).map(({ kid }) => kid);

test('ends a rotation when the new key signs, and prints names and times but no key', async ({
  file,
  keysOfRing,
}) => {
  const [oldKid = ''] = kidsOf(file);
  const { code, stdout, stderr } = await keysOfRing('rotate --lead 4');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [old, next] = readRingFile(file);
  expect(old?.kid).toBe(oldKid);
  const signsFromMs = next?.signsFrom.getTime() ?? NaN;
  expect(next?.createdAt.getTime()).toBe(signsFromMs - 4000);
  expect(old?.acceptedUntil?.getTime()).toBe(signsFromMs + 930_000);
  expect(Date.now()).toBeGreaterThanOrEqual(signsFromMs);
  expect(stdout).toContain(`${next?.kid ?? ''} signs.`);
  const listed = await keysOfRing('list');
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(new RegExp(`^${oldKid} +accepted `, 'm'));
  expect(listed.stdout).toMatch(new RegExp(`^${next?.kid ?? ''} +signs `, 'm'));
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const text of [stdout, listed.stdout]) expect(text).not.toContain('PRIVATE');
});

test('ends a rotation with an error if another one has replaced its key meanwhile', async ({
  file,
  keysOfRing,
}) => {
  const rotation = keysOfRing('rotate --lead 4');
  await vi.waitFor(() => expect(kidsOf(file).length).toBe(2), 20_000);
  const kid = kidsOf(file)[1] ?? '';
  const [other] = updateRingFile(file, () => createRing(generatePrivateKey(), new Date()));
  expect(await rotation).toMatchObject({
    code: 1,
    stderr: `Another rotation has replaced ${kid} meanwhile: ${other?.kid} signs.\n`,
  });
});

test('ends all earlier keys by --revoke, also during a rotation', async ({ file, keysOfRing }) => {
  const times = { now: new Date(), leadMs: 60_000, tokenLifeMs: 930_000 };
  updateRingFile(file, (ring) => rotateRing(ring, generatePrivateKey(), times));
  const between = kidsOf(file);
  expect(between.length).toBe(2);
  expect(await keysOfRing('rotate --lead 4')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A rotation is under way until \d{4}-\d\d-\d\dT/),
  });
  expect(await keysOfRing('rotate --revoke')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('revoked'),
  });
  const after = kidsOf(file);
  expect(after.length).toBe(1);
  expect(between).not.toContain(after[0]);
});

test('creates a ring of the configured key or a new key, and overwrites no file', async ({
  stateDir,
  file,
  keys,
}) => {
  expect(await keys(`create ${file}`)).toMatchObject({ code: 0, stderr: '' });
  const [kid] = kidsOf(file);
  expect(await keys(`create ${file}`)).toMatchObject({
    code: 1,
    stderr: `${file} exists already.\n`,
  });
  expect(kidsOf(file)).toEqual([kid]);
  const JWT_SIGNING_KEY = generatePrivateKey();
  const other = join(stateDir, 'other.json');
  expect(await keys(`create ${other}`, { JWT_SIGNING_KEY })).toMatchObject({ code: 0 });
  expect(kidsOf(other)).toEqual(fixedRing({ signingKey: JWT_SIGNING_KEY }).map(({ kid }) => kid));
});

test('prints the restarts that a rotation of JWT_SIGNING_KEY needs, and changes nothing', async ({
  stateDir,
  keys,
}) => {
  const JWT_SIGNING_KEY = generatePrivateKey();
  expect(await keys('rotate', { JWT_SIGNING_KEY })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /JWT_SIGNING_KEY[\s\S]+1\. [\s\S]+JWT_PREVIOUS_KEY[\s\S]+2\. [\s\S]+3\. 16 minutes/,
    ),
  });
  const JWT_PREVIOUS_KEY = generatePrivateKey();
  const listed = await keys('list', { JWT_SIGNING_KEY, JWT_PREVIOUS_KEY });
  expect(listed.stdout.match(/^\S{16} +(signs|accepted) /gm)?.length).toBe(2);
  expect(await readdir(stateDir)).toEqual([]);
});

test.for([
  'turn',
  'rotate now',
  'rotate --lead 3',
  'rotate --lead 1e3',
  'rotate --lead 86401',
  'rotate --lead 15 --revoke',
  'create',
  'list --lead 15',
])('prints the usage for %j, and changes nothing', async (line, { file, keysOfRing }) => {
  const before = await readFile(file, 'utf8');
  const { code, stdout, stderr } = await keysOfRing(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^npm run keys -- list\n[\s\S]+\(4 to 86400 s/);
  expect(await readFile(file, 'utf8')).toBe(before);
});

test('prints where to set keys when there are none', async ({ stateDir, keys }) => {
  expect(await keys('rotate')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No keys: set JWT_KEYS_FILE'),
  });
  const missing = join(stateDir, 'none.json');
  expect(await keys('list', { JWT_KEYS_FILE: missing })).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      `There is no key ring ${missing}. Create it once: npm run keys -- create ${missing}\n` +
      `With docker compose: docker compose run --rm keys create ${missing}\n`,
  });
});

test('creates keys at the embedded start, readable by its user only, and loads them again', async ({
  stateDir,
  keys,
}) => {
  const ofEmbedded = join(stateDir, 'keys', 'jwt-keys.json');
  const created = loadKeys(stateDir, loadConfig({}));
  expect(created).toMatchObject({
    keysFile: ofEmbedded,
    secretsKey: expect.stringMatching(/^[\w+/]{43}=$/),
    postgresPassword: expect.stringMatching(/^[\w-]{32}$/),
  });
  const files = await readdir(join(stateDir, 'keys'));
  expect(files.toSorted()).toEqual(['jwt-keys.json', 'postgres-password', 'secrets-key']);
  for (const name of files)
    expect((await stat(join(stateDir, 'keys', name))).mode & 0o777, name).toBe(0o600);
  const kids = kidsOf(ofEmbedded);
  expect(loadKeys(stateDir, loadConfig({}))).toEqual(created);
  expect(kidsOf(ofEmbedded)).toEqual(kids);
  // The command finds them while the gateway is stopped.
  expect(await keys('list')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${kids[0]}  signs`),
    stderr: '',
  });
  // The processes read configured keys themselves.
  const config = loadConfig({ JWT_SIGNING_KEY: generatePrivateKey() });
  expect(loadKeys(stateDir, config)).toMatchObject({ keysFile: undefined });
});
