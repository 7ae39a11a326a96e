import * as v from 'valibot';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import type { JobKind } from '../../../domain/jobs/job.ts';
import { bulkResult, type BulkResult } from '../offers/bulk/bulk-fixture.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, type Answer, type Gateway } from '../../support/api/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

type Caller = { readonly token: string };
type App = Pick<Gateway, 'app'>;
type Items = readonly unknown[];

export const jobsPath = '/api/v1/scent/jobs';

/** The id of a job that must have been accepted. */
function acceptedId(answer: Answer): string {
  if (answer.status !== 202) throw new Error(answer.text);
  return textOf(answer, 'id');
}

/** One call that starts a job with a JSON body. */
const sendJob = (
  gateway: App,
  { token }: Caller,
  kind: JobKind,
  items: Items,
  search = '',
): Promise<Answer> =>
  call(gateway, 'POST', `${jobsPath}${search}`, { token, body: { kind, items } });

/** Starts a job, which must be accepted; answers its id. */
export const startJob = async (...given: Parameters<typeof sendJob>): Promise<string> =>
  acceptedId(await sendJob(...given));

/** Starts the restoration of a job; answers its id. */
export const revertJob = async (
  gateway: App,
  { token }: Caller,
  id: string,
  search = '',
): Promise<string> =>
  acceptedId(await call(gateway, 'POST', `${jobsPath}/${id}/revert${search}`, { token }));

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
  gateway: App,
  { token }: Caller,
  id: string,
  search = '',
): Promise<readonly BulkResult[]> {
  const url = `${jobsPath}/${id}/results?pageSize=100${search}`;
  return v.parse(v.array(bulkResult), itemsOf(await call(gateway, 'GET', url, { token })));
}

/** Starts a job, runs it to its end, and answers its results. */
export async function runToEnd(
  gateway: Gateway,
  vendor: Caller,
  kind: JobKind,
  items: Items,
): Promise<{ readonly id: string; readonly results: readonly BulkResult[] }> {
  const id = await startJob(gateway, vendor, kind, items);
  await runJob(gateway, id);
  return { id, results: await resultsOf(gateway, vendor, id) };
}

export const readJob = (gateway: App, { token }: Caller, id: string): Promise<Answer> =>
  call(gateway, 'GET', `${jobsPath}/${id}`, { token });

/** The calls on the jobs of one vendor. */
export const jobsOf = (gateway: Gateway, vendor: Caller) => ({
  send: (kind: JobKind, items: Items, search?: string) =>
    sendJob(gateway, vendor, kind, items, search),
  start: (kind: JobKind, items: Items, search?: string) =>
    startJob(gateway, vendor, kind, items, search),
  toEnd: (kind: JobKind, items: Items) => runToEnd(gateway, vendor, kind, items),
  revert: (id: string, search?: string) => revertJob(gateway, vendor, id, search),
  run: (id: string, limit?: number) => runJob(gateway, id, limit),
  /** One transaction of up to so many items. */
  runSome: (jobId: string, limit: number) => runBatch(gateway.sql, { jobId, limit }, settings),
  read: async (id: string) => (await readJob(gateway, vendor, id)).payload,
  results: (id: string, search?: string) => resultsOf(gateway, vendor, id, search),
  /** A call of the vendor below the jobs. */
  post: (path: string) => call(gateway, 'POST', `${jobsPath}/${path}`, { token: vendor.token }),
});

/** Gives each test a vendor and its jobs. */
export const jobTest = gatewayTest
  .extend('vendor', { scope: 'test' }, ({ gateway }) => newVendor(gateway))
  .extend('jobs', ({ gateway, vendor }) => jobsOf(gateway, vendor));

/** The body of a create without a match. */
export const perfume = (vendorExternalId: string | null, declared: object = {}) => ({
  cost: 100,
  costIsVatInclusive: false,
  rawBrandName: 'Maison Sahra',
  rawProductName: 'Oud Nocturne',
  ...(vendorExternalId === null ? {} : { vendorExternalId }),
  ...declared,
});
