import * as v from 'valibot';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
import { bulkResult, type BulkResult } from '../offers/bulk/bulk-fixture.ts';
import { call, itemsOf, textOf, type Answer, type Gateway } from '../../support/api/api.ts';

export type ItemResult = BulkResult;

type Caller = { readonly token: string };

export const jobsPath = '/api/v1/scent/jobs';

/** One call that starts a job with a JSON body. */
export const sendJob = (
  gateway: Pick<Gateway, 'app'>,
  { token }: Caller,
  kind: JobKind,
  items: readonly unknown[],
  search = '',
): Promise<Answer> =>
  call(gateway, 'POST', `${jobsPath}${search}`, { token, body: { kind, items } });

/** Starts a job, which must be accepted; answers its id. */
export async function startJob(
  gateway: Pick<Gateway, 'app'>,
  vendor: Caller,
  kind: JobKind,
  items: readonly unknown[],
  search = '',
): Promise<string> {
  const answer = await sendJob(gateway, vendor, kind, items, search);
  if (answer.status !== 202) throw new Error(answer.text);
  return textOf(answer, 'id');
}

/** Starts the restoration of a job; answers its id. */
export async function revertJob(
  gateway: Pick<Gateway, 'app'>,
  { token }: Caller,
  id: string,
  search = '',
): Promise<string> {
  const answer = await call(gateway, 'POST', `${jobsPath}/${id}/revert${search}`, { token });
  if (answer.status !== 202) throw new Error(answer.text);
  return textOf(answer, 'id');
}

export const settings = {
  vatRateBasisPoints: 1500,
  onUnexpected: (error: unknown) => {
    throw error;
  },
};

/** Runs the batches of a job as its workflow does. */
export async function runJob({ sql }: Gateway, jobId: string, limit = 250): Promise<void> {
  for (;;) {
    const job = await runBatch(sql, { jobId, limit }, settings);
    if (job === null || job.endedAt !== null) return;
  }
}

/** Up to 100 results of a job. */
export async function resultsOf(
  gateway: Pick<Gateway, 'app'>,
  { token }: Caller,
  id: string,
  search = '',
): Promise<readonly ItemResult[]> {
  const url = `${jobsPath}/${id}/results?pageSize=100${search}`;
  return v.parse(v.array(bulkResult), itemsOf(await call(gateway, 'GET', url, { token })));
}

/** Starts a job, runs it to its end, and answers its results. */
export async function runToEnd(
  gateway: Gateway,
  vendor: Caller,
  kind: JobKind,
  items: readonly unknown[],
): Promise<{ readonly id: string; readonly results: readonly ItemResult[] }> {
  const id = await startJob(gateway, vendor, kind, items);
  await runJob(gateway, id);
  return { id, results: await resultsOf(gateway, vendor, id) };
}

export const readJob = (
  gateway: Pick<Gateway, 'app'>,
  { token }: Caller,
  id: string,
): Promise<Answer> => call(gateway, 'GET', `${jobsPath}/${id}`, { token });

/** The body of a create without a match. */
export const perfume = (vendorExternalId: string | null, declared: object = {}) => ({
  cost: 100,
  costIsVatInclusive: false,
  rawBrandName: 'Maison Sahra',
  rawProductName: 'Oud Nocturne',
  ...(vendorExternalId === null ? {} : { vendorExternalId }),
  ...declared,
});
