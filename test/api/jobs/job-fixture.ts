import * as v from 'valibot';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { runReviewBatch } from '../../../commands/jobs/run-review-batch.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
import type { ReviewJobAction } from '../../../domain/jobs/review-job.ts';
import { bulkResult, type BulkResult } from '../offers/bulk/bulk-fixture.ts';
import { freeFormOffer, newVendor } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, type ApiResponse, type Gateway } from '../../support/api/api.ts';
import { repeatAfterLockTimeouts } from '../../support/database/locks.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

type Caller = { readonly token: string };
type App = Pick<Gateway, 'app'>;
type Items = readonly unknown[];

export const jobsPath = '/api/v1/scent/jobs';
export const reviewJobsPath = '/operator/v1/review-jobs';

/** The id of a job that must have been accepted. */
async function acceptedId(sent: Promise<ApiResponse>): Promise<string> {
  const response = await sent;
  if (response.status !== 202) throw new Error(response.text);
  return textOf(response, 'id');
}

/** One call that starts a job with a JSON body. */
const sendJob = (gateway: App, { token }: Caller, kind: JobKind, items: Items, search = '') =>
  call(gateway, 'POST', `${jobsPath}${search}`, { token, body: { kind, items } });

/** Starts a job, which must be accepted; returns its id. */
export const startJob = (...given: Parameters<typeof sendJob>): Promise<string> =>
  acceptedId(sendJob(...given));

export const settings = {
  vatRateBasisPoints: 1500,
  onUnexpected: (error: unknown) => {
    throw error;
  },
};

/** Runs the batches of a job as its workflow does. */
async function untilEnded(
  runNext: () => Promise<{ readonly endedAt: Date | null } | null>,
): Promise<void> {
  for (;;) {
    const job = await repeatAfterLockTimeouts(runNext);
    if (job === null || job.endedAt !== null) return;
  }
}

export const runJob = ({ sql }: Gateway, jobId: string, limit = 250): Promise<void> =>
  untilEnded(() => runBatch(sql, { jobId, limit }, settings));

/** Up to 100 results of a job. */
export async function resultsOf(
  gateway: App,
  { token }: Caller,
  id: string,
  search = '',
): Promise<readonly BulkResult[]> {
  const url = `${jobsPath}/${id}/results?pageSize=100${search}`;
  return v.parse(v.array(bulkResult), itemsOf(await call(gateway, 'GET', url, { token })));
}

/** Starts a job, runs it to its end, and returns its results. */
export async function runToEnd(gateway: Gateway, vendor: Caller, kind: JobKind, items: Items) {
  const id = await startJob(gateway, vendor, kind, items);
  await runJob(gateway, id);
  return { id, results: await resultsOf(gateway, vendor, id) };
}

/** The calls on the jobs of one vendor. */
export function jobsOf(gateway: Gateway, vendor: Caller) {
  const post = (path: string) =>
    call(gateway, 'POST', `${jobsPath}/${path}`, { token: vendor.token });
  return {
    /** A call of the vendor below the jobs. */
    post,
    send: sendJob.bind(null, gateway, vendor),
    start: startJob.bind(null, gateway, vendor),
    toEnd: runToEnd.bind(null, gateway, vendor),
    /** Starts the restoration of a job; returns its id. */
    revert: (id: string, search = '') => acceptedId(post(`${id}/revert${search}`)),
    run: runJob.bind(null, gateway),
    /** One transaction of up to a given number of items. */
    runSome: (jobId: string, limit: number) => runBatch(gateway.sql, { jobId, limit }, settings),
    read: async (id: string) =>
      (await call(gateway, 'GET', `${jobsPath}/${id}`, { token: vendor.token })).payload,
    results: resultsOf.bind(null, gateway, vendor),
  };
}

/** Gives each test a vendor and its jobs. */
export const jobTest = gatewayTest
  .extend('vendor', { scope: 'test' }, ({ gateway }) => newVendor(gateway))
  .extend('jobs', ({ gateway, vendor }) => jobsOf(gateway, vendor));

/** The body of a create without a match. */
export const perfume = (vendorExternalId: string | null, declared: object = {}) => ({
  ...freeFormOffer,
  rawBrandName: 'Maison Sahra',
  rawProductName: 'Oud Nocturne',
  ...(vendorExternalId === null ? {} : { vendorExternalId }),
  ...declared,
});

/** What a review job does, without its items. */
type ReviewKind = { readonly action: ReviewJobAction; readonly reason?: string };

/** One call that starts a review job. */
export const sendReviewJob = (gateway: App, { token }: Caller, kind: ReviewKind, items: Items) =>
  call(gateway, 'POST', reviewJobsPath, { token, body: { ...kind, items } });

/** Starts a review job, which must be accepted; returns its id. */
export const startReviewJob = (...given: Parameters<typeof sendReviewJob>): Promise<string> =>
  acceptedId(sendReviewJob(...given));

export const runReviewJob = ({ sql }: Pick<Gateway, 'sql'>, jobId: string, limit = 50) =>
  untilEnded(async () => (await runReviewBatch(sql, { jobId, limit }, settings))?.job ?? null);

/** Up to 100 results of a review job. */
export const reviewResultsOf = async (gateway: App, { token }: Caller, id: string, search = '') =>
  itemsOf(
    await call(gateway, 'GET', `${reviewJobsPath}/${id}/results?pageSize=100${search}`, { token }),
  );

/** Starts a review job, runs it to its end, and returns its results. */
export async function reviewToEnd(
  gateway: Gateway,
  operator: Caller,
  kind: ReviewKind,
  items: Items,
) {
  const id = await startReviewJob(gateway, operator, kind, items);
  await runReviewJob(gateway, id);
  return { id, results: await reviewResultsOf(gateway, operator, id) };
}
