import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { processTree } from '../../../bench/harness/measures/process-tree.ts';
import { connect } from '../../../db/core/client.ts';
import { readFile } from 'node:fs/promises';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { startTest as test, stop, type Started } from './start-fixture.ts';

/** How `npm start` ends beside calls that need the worker. */

const count = 12;

/** A token of the demo's operator. */
async function operatorToken({ info }: Started): Promise<string> {
  const { operatorId, operatorSecret } = info.operator ?? expect.unreachable();
  const response = await fetch(`${info.apiUrl}/operator/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ operatorId, operatorSecret }),
  });
  const { payload } = (await response.json()) as { payload: { accessToken: string } };
  return payload.accessToken;
}

async function workerOf({ child }: Started): Promise<number> {
  for (const pid of processTree(child.pid ?? 0).keys())
    if ((await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('worker/main.ts')) return pid;
  throw new Error('no worker');
}

test('completes the decisions in progress at Ctrl-C', { timeout: 120_000 }, async ({ starts }) => {
  const started = await starts.start();
  const { apiUrl, databaseUrl } = started.info;
  const sql = connect(databaseUrl, { max: 4, name: 'test' });
  const vendorId = await seedVendor(sql);
  const offerIds: string[] = [];
  for (let each = 0; each < count; each += 1) offerIds.push((await seedOffer(sql, vendorId)).id);
  await vi.waitFor(async () => expect(await sql`select from outbox`).toEqual([]), 60_000);
  const headers = {
    authorization: `Bearer ${await operatorToken(started)}`,
    'content-type': 'application/json',
  };
  const workerPid = await workerOf(started);
  process.kill(workerPid, 'SIGSTOP');
  const deciding = offerIds.map(async (id) => {
    const response = await fetch(`${apiUrl}/operator/v1/offers/${id}/reject`, {
      method: 'POST',
      headers: { ...headers, 'x-request-id': randomUUID() },
      body: JSON.stringify({ reason: 'No.', expectedVersion: 1 }),
    });
    return response.status;
  });
  await vi.waitFor(async () => {
    const [noted] = await sql<[{ count: number }]>`
      select count(*)::int as count from operator_commands`;
    expect(noted.count).toBe(count);
  }, 20_000);
  await sql.end();
  const ended = stop(started.child, 'SIGINT');
  await vi.waitFor(() => expect(started.output()).toContain('Stopping'), 5000);
  process.kill(workerPid, 'SIGCONT');
  expect(await Promise.all(deciding)).toEqual(offerIds.map(() => 200));
  await ended;
});
