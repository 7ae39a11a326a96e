import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { ensureDemoCredentials } from '../../embedded/state/demo-credentials.ts';
import { demoTest, operator } from './demo-fixture.ts';
import { blocksIn, guide, runs } from './guide-blocks.ts';

/** The commands of docs/first-day.md, run in one shell against a gateway, print what it says. */

const test = demoTest.extend('folder', async ({}, { onCleanup }) => {
  const folder = await mkdtemp(join(tmpdir(), 'first-day-'));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
});

const run = promisify(execFile);

const isMissing = ['bash', 'curl', 'jq'].some((program) => !runs(program, '--version'));

/** The JSON values that stand one after another in a text. */
async function valuesIn(text: string, folder: string): Promise<unknown> {
  const file = join(folder, 'values.json');
  await writeFile(file, text);
  return JSON.parse((await run('jq', ['--slurp', '.', file])).stdout);
}

test.skipIf(isMissing)(
  'the commands of the first day print what the page says',
  async ({ gateway, apiUrl, receiverOrigin, folder }) => {
    const { operatorId: OPERATOR_ID, operatorSecret: OPERATOR_SECRET } = operator;
    const { vendor } = await ensureDemoCredentials(
      { GATEWAY_HOME: folder, OPERATOR_ID, OPERATOR_SECRET },
      gateway.ownerUrl,
    );
    const text = await guide('first-day');
    const given = {
      'http://127.0.0.1:3000': apiUrl,
      'http://127.0.0.1:8790': receiverOrigin,
      'vc_…': vendor.clientId,
      'vs_…': vendor.clientSecret,
      'os_…': OPERATOR_SECRET,
      '8790': new URL(receiverOrigin).port,
    };
    const filled = Object.entries(given).reduce(
      (before, [placeholder, value]) => before.replaceAll(placeholder, value),
      text,
    );
    const [receiver = ''] = blocksIn(filled, 'js');
    await writeFile(join(folder, 'receiver.mjs'), receiver);
    const script = ['set -euo pipefail', ...blocksIn(filled, 'sh')].join('\n');
    // The machine may send curl through a proxy, which does not lead to loopback.
    const env = { ...process.env, no_proxy: '*' };
    const { stdout } = await run('bash', ['-c', script], { cwd: folder, env, timeout: 60_000 });
    expect(await valuesIn(stdout, folder)).toEqual(
      await valuesIn(blocksIn(text, 'json').join('\n'), folder),
    );
  },
);
