import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { ownServersTest as test } from '../support/own-servers.ts';

/** Postgres, Temporal and the worker freeze and vanish, and the health of both processes says so. */

const waiting = { timeout: 60_000, interval: 100 };
const timeout = 180_000;

type Health = { readonly status: number; readonly parts: Readonly<Record<string, string>> };

/** The answer of `/ready` or `/health`, over a connection of its own. */
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

test(
  'both processes answer within a second that Postgres is frozen, and that it is back',
  {
    timeout,
  },
  async ({ processes, servers }) => {
    const [api, worker] = await Promise.all([
      processes.startApi(servers.environment),
      processes.startWorker(servers.environment),
    ]);
    const urls = [`${api.url}/ready`, worker.url];
    await vi.waitFor(async () => {
      for (const url of urls) expect(await ask(url)).toMatchObject({ status: 200 });
    }, waiting);
    await servers.postgres.freeze();
    await vi.waitFor(async () => expect((await ask(worker.url)).status).toBe(503), waiting);
    for (const url of [...urls, ...urls]) {
      const { status, parts, ms } = await ask(url);
      expect([status, parts]).toMatchObject([503, { postgres: 'timeout', temporal: 'ok' }]);
      expect(ms).toBeLessThan(withinMs);
    }
    await servers.postgres.thaw();
    await vi.waitFor(async () => {
      for (const url of urls) expect(await ask(url)).toMatchObject({ status: 200 });
    }, waiting);
  },
);

test(
  'the worker says that Temporal is frozen or gone, and the API stays ready',
  {
    timeout,
  },
  async ({ processes, servers }) => {
    const [api, worker] = await Promise.all([
      processes.startApi(servers.environment),
      processes.startWorker(servers.environment),
    ]);
    await vi.waitFor(async () => expect((await ask(worker.url)).status).toBe(200), waiting);
    await servers.temporal.freeze();
    // A signal stops the threads of a process one after the other.
    await vi.waitFor(async () => {
      const frozen = await ask(worker.url);
      expect(frozen).toMatchObject({ status: 503, parts: { temporal: 'timeout', postgres: 'ok' } });
      expect(frozen.ms).toBeLessThan(withinMs);
    }, waiting);
    const ready = await ask(`${api.url}/ready`);
    expect(ready).toMatchObject({ status: 200, parts: { temporal: 'timeout', postgres: 'ok' } });
    expect(ready.ms).toBeLessThan(withinMs);
    await servers.temporal.thaw();
    await vi.waitFor(async () => expect((await ask(worker.url)).status).toBe(200), waiting);

    await servers.temporal.kill();
    await vi.waitFor(async () => {
      const gone = await ask(worker.url);
      expect(gone).toMatchObject({ status: 503, parts: { postgres: 'ok' } });
      expect(gone.parts['temporal']).toMatch(/unavailable|timeout/);
      expect(gone.ms).toBeLessThan(withinMs);
    }, waiting);
  },
);

test(
  'a worker that was frozen does not answer that it was healthy meanwhile',
  {
    timeout,
  },
  async ({ processes }) => {
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
  },
);
