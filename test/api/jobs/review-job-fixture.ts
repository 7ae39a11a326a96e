import * as v from 'valibot';
import { runReviewBatch } from '../../../commands/jobs/run-review-batch.ts';
import type { ReviewJobAction } from '../../../domain/jobs/review-job.ts';
import { call, itemsOf, textOf, type Answer, type Gateway } from '../../support/api/api.ts';
import { settings } from './job-fixture.ts';

const result = v.object({
  index: v.number(),
  httpStatus: v.number(),
  state: v.string(),
  offerId: v.nullable(v.string()),
  offerStatus: v.nullable(v.string()),
  reviewVersion: v.nullable(v.number()),
  details: v.record(v.string(), v.unknown()),
});
type ReviewItemResult = v.InferOutput<typeof result>;

type Caller = { readonly token: string };
type App = Pick<Gateway, 'app'>;

export const reviewJobsPath = '/operator/v1/review-jobs';

/** What a job does, without its items. */
type Kind = { readonly action: ReviewJobAction; readonly reason?: string };

/** One call that starts a job. */
export const sendReviewJob = (
  gateway: App,
  { token }: Caller,
  kind: Kind,
  items: readonly unknown[],
): Promise<Answer> => call(gateway, 'POST', reviewJobsPath, { token, body: { ...kind, items } });

/** Starts a job, which must be accepted; answers its id. */
export async function startReviewJob(...given: Parameters<typeof sendReviewJob>): Promise<string> {
  const answer = await sendReviewJob(...given);
  if (answer.status !== 202) throw new Error(answer.text);
  return textOf(answer, 'id');
}

/** Runs the batches of a job as its workflow does. */
export async function runReviewJob({ sql }: Pick<Gateway, 'sql'>, jobId: string): Promise<void> {
  for (;;) {
    const batch = await runReviewBatch(sql, { jobId, limit: 50 }, settings);
    if (batch === null || batch.job.endedAt !== null) return;
  }
}

/** Up to 100 results of a job. */
export async function reviewResultsOf(
  gateway: App,
  { token }: Caller,
  id: string,
  search = '',
): Promise<readonly ReviewItemResult[]> {
  const url = `${reviewJobsPath}/${id}/results?pageSize=100${search}`;
  return v.parse(v.array(result), itemsOf(await call(gateway, 'GET', url, { token })));
}

/** Starts a job, runs it to its end, and answers its results. */
export async function reviewToEnd(
  gateway: Gateway,
  operator: Caller,
  kind: Kind,
  items: readonly unknown[],
): Promise<{ readonly id: string; readonly results: readonly ReviewItemResult[] }> {
  const id = await startReviewJob(gateway, operator, kind, items);
  await runReviewJob(gateway, id);
  return { id, results: await reviewResultsOf(gateway, operator, id) };
}
