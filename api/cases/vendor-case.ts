import type { CaseRecord, CaseKind } from '../../db/cases/read-case.ts';
import type { Sql } from '../../db/core/client.ts';
import { jobResults, readResults } from '../../db/jobs/job-results.ts';
import { findJob } from '../../db/jobs/jobs.ts';
import { findOwnOfferWithHistory } from '../../db/offers/offers.ts';
import { findOwnReturnWithHistory } from '../../db/returns/return-requests.ts';
import { listAttemptsOf } from '../../db/webhooks/attempts/attempt-list.ts';
import { vendorJob } from '../jobs/responses/job.ts';
import { readOffer } from '../offers/responses/read-offer.ts';
import { returnWithHistory } from '../returns/responses/return-request.ts';
import { realTime } from '../sandbox/vendor-clock.ts';
import { deliveryAttempt } from '../webhooks/responses/webhook.ts';

/**
 * The facts of a case in the forms that the API returns to the subject's vendor: without staff and
 * without another party. Null for a return that does not go to a vendor.
 */
export async function vendorCase(
  sql: Sql,
  { kind, id }: { readonly kind: CaseKind; readonly id: string },
  { vendorId, events, deliveries }: CaseRecord,
) {
  if (vendorId === null) return null;
  const record = await readRecord(sql, kind, { vendorId, id });
  if (record === null && kind !== 'delivery') return null;
  const attempts = await listAttemptsOf(
    sql,
    deliveries.map((delivery) => delivery.id),
  );
  return {
    vendorId,
    record,
    events: events.map(({ body }): unknown => JSON.parse(body)),
    attempts: attempts.map((attempt) => deliveryAttempt(attempt, realTime)),
  };
}

async function readRecord(
  sql: Sql,
  kind: CaseKind,
  { vendorId, id }: { readonly vendorId: string; readonly id: string },
) {
  if (kind === 'offer') {
    const read = await findOwnOfferWithHistory(sql, vendorId, id);
    return read === null ? null : readOffer(read.found, read.history);
  }
  if (kind === 'return') {
    const read = await findOwnReturnWithHistory(sql, vendorId, id);
    return read === null ? null : returnWithHistory(read.found, read.changes);
  }
  if (kind === 'job') {
    const job = await findJob(sql, id, { vendorId });
    if (job === null) return null;
    const results: unknown[] = [];
    for await (const some of readResults(sql, jobResults, { jobId: id, isFailed: null }))
      results.push(...some);
    return { ...vendorJob(job, realTime), results };
  }
  // The API shows only the attempts and the event of a delivery.
  return null;
}
