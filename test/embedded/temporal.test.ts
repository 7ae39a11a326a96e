import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test as base } from 'vitest';
import {
  createWorkspace,
  startTestTemporal,
  testTemporalCli,
  type Workspace,
} from '../support/servers.ts';

const test = base.extend('workspace', async ({}, { onCleanup }) => {
  const workspace = await createWorkspace();
  onCleanup(() => workspace.guard.release());
  return workspace;
});

/** Starts the server by a program that first exits as often as `exits` says. */
async function startAfter(workspace: Workspace, exits: number) {
  const { folder } = workspace;
  const real = await testTemporalCli(workspace, () => undefined);
  const cli = join(folder, 'temporal');
  const starts = join(folder, 'starts');
  const script = `#!/bin/sh
echo start >> '${starts}'
[ "$(wc -l < '${starts}')" -gt ${exits} ] || exit 2
exec '${real}' "$@"
`;
  await writeFile(cli, script, { mode: 0o700 });
  const databaseFile = join(folder, 'temporal.db');
  const started = startTestTemporal(workspace, { cli, databaseFile });
  const countStarts = async () => (await readFile(starts, 'utf8')).trim().split('\n').length;
  return { started, countStarts };
}

test('restarts a server that exits during its start', async ({ workspace }) => {
  const { started, countStarts } = await startAfter(workspace, 1);
  await expect(started).resolves.toMatchObject({ name: 'Temporal' });
  expect(await countStarts()).toBe(2);
});

test('reports a server that exits during three starts', async ({ workspace }) => {
  const { started, countStarts } = await startAfter(workspace, 3);
  await expect(started).rejects.toThrow('Temporal exited during its start (exit code 2)');
  expect(await countStarts()).toBe(3);
});
