import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createRingFile } from '../../../security/key-ring-file.ts';
import { createRing, generatePrivateKey } from '../../../security/key-ring.ts';
import { ensureSchedules } from '../../../temporal/schedules.ts';
import { newFolder } from '../../support/folder.ts';
import { processTest as test } from '../../support/gateway/gateway-processes.ts';
import { runScript } from '../../support/command.ts';

/** No process and no command works with the database, namespace or keys of another environment. */

const sandbox = { GATEWAY_ENVIRONMENT: 'Sandbox' };
const refusal =
  'The database belongs to a Production installation, and GATEWAY_ENVIRONMENT is Sandbox';

test('refuses the database of another environment in every process', async ({ processes }) => {
  await expect(processes.startApi(sandbox)).rejects.toThrow(refusal);
  await expect(processes.startWorker(sandbox)).rejects.toThrow(refusal);
});

test.for([
  ['scripts/migrate.ts', []],
  ['scripts/operator.ts', ['list']],
  ['scripts/doctor.ts', []],
  ['scripts/case.ts', ['offer', '01990000-0000-7000-8000-000000000000']],
] as const)(
  'refuses the database of another environment in %s',
  async ([file, args], { gateway }) => {
    const { code, stderr } = await runScript(file, args, {
      ...sandbox,
      DATABASE_URL: gateway.ownerUrl,
      TEMPORAL_ADDRESS: gateway.config.TEMPORAL_ADDRESS ?? '',
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining(refusal)]);
    // The message alone, without a stack trace.
    expect(stderr.trim().split('\n')).toHaveLength(1);
  },
);

test('refuses the key ring of another environment', async ({ processes, onTestFinished }) => {
  const file = join(await newFolder(onTestFinished), 'jwt-keys.json');
  createRingFile(file, createRing(generatePrivateKey(), new Date(), 'Sandbox'));
  await expect(processes.startApi({ JWT_KEYS_FILE: file, JWT_SIGNING_KEY: '' })).rejects.toThrow();
  for (const command of ['list', 'rotate']) {
    const { code, stderr } = await runScript('scripts/keys.ts', [command], { JWT_KEYS_FILE: file });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'is the key ring of a Sandbox installation, and GATEWAY_ENVIRONMENT is Production',
      ),
    ]);
  }
});

test('refuses a namespace of another environment', async ({ gateway, processes }) => {
  const settings = { taskQueue: gateway.config.TEMPORAL_TASK_QUEUE };
  await ensureSchedules(gateway.client, { ...settings, environment: 'Sandbox' });
  const refusal = 'The Temporal namespace default belongs to a Sandbox installation';
  for (const start of [processes.startApi, processes.startWorker])
    // A process that gets no response of Temporal in time refuses calls, and ends once it knows.
    await start().then(
      ({ lines }) =>
        vi.waitFor(() => expect(JSON.stringify(lines)).toContain(refusal), { timeout: 60_000 }),
      (error: unknown) => expect(String(error)).toContain(refusal),
    );
});
