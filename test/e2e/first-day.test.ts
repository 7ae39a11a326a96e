import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ensureDemoCredentials } from '../../embedded/state/demo-credentials.ts';
import { demoTest, operator } from './demo-fixture.ts';
import { blocksIn, guide, runs } from './guide-blocks.ts';

/** The blocks of docs/first-day.md, run against a gateway, print what it says. */

const test = demoTest.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'first-day-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
});

const run = promisify(execFile);

const hasShell = ['bash', 'curl', 'jq'].every((program) => runs(program, '--version'));

const barcodes = ['6291041500213', '4006381333931', '9780201379624'];

/** The JSON values that stand one after another in a text, as their lines without blanks. */
const valuesIn = (text: string): string => text.replaceAll(/\s+/g, '');

/** The text of a guide for this gateway, with the credential of its demo vendor. */
const filledTest = test.extend(
  'filled',
  async ({
    gateway,
    apiUrl,
    receiverOrigin,
    folder,
  }): Promise<(name: string) => Promise<string>> => {
    const { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET } = operator;
    const { vendor } = await ensureDemoCredentials(
      { GATEWAY_HOME: folder, OPERATOR_ID, OPERATOR_SECRET },
      gateway.ownerUrl,
    );
    const given = {
      'http://127.0.0.1:3000': apiUrl,
      'http://127.0.0.1:8790': receiverOrigin,
      'vc_…': vendor.clientId,
      'vs_…': vendor.clientSecret,
      'os_…': OPERATOR_SECRET,
      '8790': new URL(receiverOrigin).port,
    };
    return async (name) =>
      Object.entries(given).reduce(
        (before, [placeholder, value]) => before.replaceAll(placeholder, value),
        await guide(name),
      );
  },
);

const root = fileURLToPath(new URL('../..', import.meta.url));
const python = join(root, '.cache/guides/python/bin/python');

type Language = {
  readonly name: string;
  readonly isMissing: boolean;
  /** Writes the blocks into the folder, and answers the program that runs them. */
  readonly write: (page: string, folder: string) => Promise<readonly [string, ...string[]]>;
};

const languages: readonly Language[] = [
  {
    name: 'curl',
    isMissing: !hasShell,
    write: async (page, folder) => {
      const [receiver = ''] = blocksIn(page, 'js');
      await writeFile(join(folder, 'receiver.mjs'), receiver);
      return ['bash', '-c', ['set -euo pipefail', ...blocksIn(page, 'sh')].join('\n')];
    },
  },
  {
    name: 'TypeScript',
    isMissing: false,
    write: async (page, folder) => {
      // Node finds the client, as it does in the repository.
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
      await writeFile(join(folder, 'first-day.mts'), blocksIn(page, 'ts').join('\n'));
      return [process.execPath, '--conditions=source', '--import=tsx', 'first-day.mts'];
    },
  },
  {
    name: 'Python',
    isMissing: !runs(python, '-c', 'import httpx, standardwebhooks'),
    write: async (page, folder) => {
      await writeFile(join(folder, 'first_day.py'), blocksIn(page, 'py').join('\n'));
      return [python, 'first_day.py'];
    },
  },
];

for (const [index, { name, isMissing, write }] of languages.entries())
  filledTest.skipIf(isMissing)(
    `the first day in ${name} prints what the page says`,
    async ({ filled, folder }) => {
      // The languages share a gateway: each has an offer and a variant of its own.
      const own = (await filled('first-day'))
        .replaceAll('my-oud-50', `my-oud-${index}`)
        .replaceAll('FIRST-OUD-50', `FIRST-OUD-${index}`)
        .replaceAll('6291041500213', barcodes[index] ?? '');
      const [program, ...options] = await write(own, folder);
      // The machine may send programs through a proxy, which does not lead to loopback.
      const env = { ...process.env, no_proxy: '*', NO_PROXY: '*' };
      const { stdout } = await run(program, options, { cwd: folder, env, timeout: 60_000 });
      expect(valuesIn(stdout)).toBe(valuesIn(blocksIn(own, 'json').join('')));
    },
  );

filledTest.skipIf(!hasShell)(
  'each command of the guides on authentication and on large catalogues succeeds',
  async ({ filled, folder }) => {
    const text = `${await filled('authentication')}\n${await filled('large-catalogues')}`;
    const [rows = ''] = blocksIn(text, 'csv');
    await writeFile(join(folder, 'costs.csv'), rows);
    const script = ['set -euo pipefail', ...blocksIn(text, 'sh')].join('\necho\n');
    const env = { ...process.env, no_proxy: '*' };
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env, timeout: 60_000 });
    const answers = stdout.split('\n').filter((line) => line !== '');
    expect(answers.map((line) => (JSON.parse(line) as { state: string }).state)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
    ]);
  },
);

test('each step of the page is there in every language', async () => {
  const page = await guide('first-day');
  const counts = ['sh', 'ts', 'py'].map((language) => blocksIn(page, language).length);
  // In a shell, the credential has a block of its own.
  expect(counts).toEqual([7, 6, 6]);
});
