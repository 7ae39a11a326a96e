import { request } from 'undici';
import * as v from 'valibot';
import { answerParent } from '../fork-program.ts';
import { until } from '../until.ts';

// A vendor with bulk jobs, in a process of its own: to send 10,000 items blocks the event loop that
// measures the calls of another vendor.

/** A job of a vendor: the `body` is the list of its items as JSON. */
type JobTask = {
  readonly origin: string;
  readonly token: string;
  readonly kind: string;
  readonly body: string;
};

/** `prepare` hands a job over; `run` starts it, and asks for the number of items that are done. */
export type JobQuestion =
  { readonly ask: 'prepare'; readonly task: JobTask } | { readonly ask: 'run' };

const pollMs = 500;
const envelope = v.object({
  payload: v.object({
    id: v.string(),
    endedAt: v.nullable(v.string()),
    counts: v.object({ done: v.number() }),
  }),
});

let prepared: JobTask | null = null;
answerParent(async (question: JobQuestion): Promise<number> => {
  if (question.ask === 'prepare') {
    prepared = question.task;
    return 0;
  }
  if (prepared === null) throw new Error('no job is prepared');
  return runJob(prepared);
});

/**
 * Starts the job, waits for its end, and returns the number of its items that are done. A job may
 * take as long as the token lasts, five minutes.
 */
async function runJob({ origin, token, kind, body }: JobTask): Promise<number> {
  const call = async (method: 'GET' | 'POST', path: string, sent: string | null = null) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = `${origin}/api/v1/scent/jobs${path}`;
    const { statusCode, body: received } = await request(url, { method, headers, body: sent });
    const text = await received.text();
    if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`);
    return v.parse(envelope, JSON.parse(text)).payload;
  };
  const { id } = await call('POST', '', `{"kind":"${kind}","items":${body}}`);
  let done = 0;
  await until(async () => {
    const { endedAt, counts } = await call('GET', `/${id}`);
    done = counts.done;
    return endedAt !== null;
  }, pollMs);
  return done;
}
