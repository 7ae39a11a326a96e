import { once } from 'node:events';
import { request } from 'undici';
import * as v from 'valibot';
import { jobTask, type JobTask } from './job-vendor.ts';
import { until } from './keep-worker.ts';

const pollMs = 500;
const answer = v.object({
  payload: v.object({
    id: v.string(),
    endedAt: v.nullable(v.string()),
    counts: v.object({ done: v.number() }),
  }),
});

process.on('disconnect', () => process.exit());
process.send?.('ready');
for (;;) {
  const [task]: unknown[] = await once(process, 'message');
  const given = v.parse(jobTask, task);
  process.send?.('ready');
  await once(process, 'message');
  process.send?.(await runJob(given));
}

/**
 * Starts the job, waits for its end, and returns the number of its items that are done. A job may
 * take as long as the token lasts, five minutes.
 */
async function runJob({ origin, token, kind, body }: JobTask): Promise<number> {
  const call = async (method: 'GET' | 'POST', path: string, sent: string | null = null) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
    const url = `${origin}/api/v1/scent/jobs${path}`;
    const { statusCode, body: received } = await request(url, { method, headers, body: sent });
    const text = await received.text();
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
    return v.parse(answer, JSON.parse(text)).payload;
  };
  const { id } = await call('POST', `?kind=${kind}`, body);
  let done = 0;
  await until(async () => {
    const { endedAt, counts } = await call('GET', `/${id}`);
    done = counts.done;
    return endedAt !== null;
  }, pollMs);
  return done;
}
