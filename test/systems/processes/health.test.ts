import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, inject, vi } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { recordChanged } from '../../../workflows/record-changed.ts';
import { newFolder } from '../../support/folder.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { processTest as test } from '../../support/gateway/gateway-processes.ts';
import { startFaultGateway } from '../faults/gateway/fault-gateway.ts';

/**
 * Postgres, Temporal and the worker freeze and vanish, and the health of both processes says so.
 */

const waiting = { timeout: 60_000, interval: 100 };

type Health = { readonly status: number; readonly parts: Readonly<Record<string, string>> };

/** The response of `/ready` or `/health`, over a connection of its own. */
async function ask(url: string): Promise<Health & { readonly ms: number }> {
  const startedAt = performance.now();
  const asked = request(url, { agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = (await json(response)) as { parts?: Health['parts']; details?: Health };
  return {
    status: response.statusCode ?? 0,
    parts: body.parts ?? body.details?.parts ?? {},
    ms: performance.now() - startedAt,
  };
}

/** A second, and what a busy machine takes to answer. */
const withinMs = 1500;

test('names a frozen or lost server within a second, and keeps the API ready without Temporal', async ({
  onTestFinished,
}) => {
  const { apiUrl, workerUrl, postgres, temporal, stop } = await startFaultGateway();
  onTestFinished(async () => {
    // A frozen process ends at no other signal than SIGKILL.
    postgres.thaw();
    temporal.thaw();
    await stop();
  });
  const urls = [`${apiUrl}/ready`, workerUrl];
  const untilReady = () =>
    vi.waitFor(async () => {
      for (const url of urls) expect(await ask(url)).toMatchObject({ status: 200 });
    }, waiting);
  await untilReady();
  postgres.freeze();
  await vi.waitFor(async () => expect((await ask(workerUrl)).status).toBe(503), waiting);
  for (const url of [...urls, ...urls]) {
    await vi.waitFor(async () => {
      const { status, parts, ms } = await ask(url);
      expect([status, parts]).toMatchObject([503, { postgres: 'timeout', temporal: 'ok' }]);
      expect(ms).toBeLessThan(withinMs);
    }, waiting);
  }
  postgres.thaw();
  await untilReady();

  temporal.freeze();
  // A signal stops the threads of a process one after the other.
  await vi.waitFor(async () => {
    const frozen = await ask(workerUrl);
    expect(frozen).toMatchObject({ status: 503, parts: { temporal: 'timeout', postgres: 'ok' } });
    expect(frozen.ms).toBeLessThan(withinMs);
  }, waiting);
  await vi.waitFor(async () => {
    const ready = await ask(`${apiUrl}/ready`);
    expect(ready).toMatchObject({ status: 200, parts: { temporal: 'timeout', postgres: 'ok' } });
    expect(ready.ms).toBeLessThan(withinMs);
  }, waiting);
  temporal.thaw();
  await untilReady();

  await temporal.takeAway();
  await vi.waitFor(async () => {
    const gone = await ask(workerUrl);
    expect(gone).toMatchObject({ status: 503, parts: { postgres: 'ok' } });
    expect(gone.parts['temporal']).toMatch(/unavailable|timeout/);
    expect(gone.ms).toBeLessThan(withinMs);
  }, waiting);
});

test('returns 503 from a worker for the time in which it was frozen', async ({ processes }) => {
  const worker = await processes.startWorker();
  await vi.waitFor(async () => expect((await ask(worker.url)).status).toBe(200), waiting);
  process.kill(worker.pid, 'SIGSTOP');
  const asked = ask(worker.url);
  const answered = vi.fn();
  void asked.then(answered);
  // What counts as frozen is a pause of a second.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(answered).not.toHaveBeenCalled();
  process.kill(worker.pid, 'SIGCONT');
  expect(await asked).toMatchObject({ status: 503, parts: { eventLoop: 'blocked' } });
  await vi.waitFor(async () => expect((await ask(worker.url)).status).toBe(200), waiting);
});

test('reports a worker whose code does not fit the open runs, and logs each run', async ({
  gateway,
  processes,
  onTestFinished,
}) => {
  const broken = join(await newFolder(onTestFinished), 'workflows.js');
  const bundle = await readFile(inject('workflowBundlePath'), 'utf8');
  await writeFile(broken, bundle.replaceAll('readReviewState', 'applyReviewDecision'));

  const vendorId = await seedVendor(gateway.sql);
  const fitting = await processes.startWorker();
  const offers: Awaited<ReturnType<typeof seedOffer>>[] = [];
  for (let each = 0; each < 3; each += 1) offers.push(await seedOffer(gateway.sql, vendorId));
  const runs = offers.map(({ id }) => gateway.client.workflow.getHandle(offerReviewId(id)));
  await vi.waitFor(async () => {
    for (const run of runs) {
      const { events } = await run.fetchHistory();
      // The result of a local activity.
      expect(events?.some((event) => event.markerRecordedEventAttributes)).toBe(true);
    }
  }, waiting);
  await fitting.end('SIGKILL');

  const worker = await processes.startWorker({ WORKFLOW_BUNDLE: broken });
  for (const run of runs) await run.signal(recordChanged);
  await vi.waitFor(async () => {
    expect(await ask(worker.url)).toMatchObject({
      status: 503,
      parts: { workflowTasks: 'failing', temporal: 'ok' },
    });
  }, waiting);
  const { runId } = await (runs[0] ?? expect.unreachable()).describe();
  await vi.waitFor(() => {
    expect(worker.lines).toContainEqual(
      expect.objectContaining({
        level: 50,
        msg: 'a workflow task failed',
        runId,
        workflowId: offerReviewId(offers[0]?.id ?? ''),
        workflowType: 'offerReview',
        err: expect.objectContaining({ type: 'NondeterminismError' }),
      }),
    );
  }, waiting);
  for (const run of runs) await run.terminate();
});
