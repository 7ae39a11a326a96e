import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { approvedOffer, newParties, succeeded, type Parties } from '../offers/offer-record.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call, itemsOf, textOf, unknownId, type Gateway } from '../../support/api/api.ts';
import {
  readReviewJob,
  reviewJobsPath,
  reviewResultsOf,
  reviewToEnd,
  runReviewJob,
  sendReviewJob,
  startReviewJob,
} from './review-job-fixture.ts';

// Review jobs by HTTP (D102). The body and the items have their cases in `review-job-body.test.ts`,
// and what each decision stores in `review-job-equals-single.test.ts`.

const test = gatewayTest.extend('reviewer', ({ gateway }) => newOperator(gateway, ['Reviewer']));

/** An approved offer of a new vendor with a staged price, and its `reviewVersion`. */
async function staged(gateway: Gateway) {
  const parties: Parties = await newParties(gateway);
  const id = await approvedOffer(parties);
  const cost = { cost: 1000, costIsVatInclusive: true };
  succeeded(await parties.byVendor('PATCH', `/${id}/cost`, cost));
  const read = await parties.by('Reviewer', 'GET', `/offers/${id}`);
  return { id, expectedVersion: succeeded(read).payload?.['reviewVersion'] as number, parties };
}

test('starts a job with 202, and reads it', async ({ gateway, reviewer }) => {
  const items = [{ offerId: unknownId() }, {}];
  const answer = await sendReviewJob(gateway, reviewer, { action: 'reject', reason: 'No.' }, items);
  expect(answer.status).toBe(202);
  const id = textOf(answer, 'id');
  expect(answer.payload).toMatchObject({
    action: 'reject',
    reason: 'No.',
    operatorId: reviewer.operatorId,
    state: 'Queued',
    counts: { accepted: 2, done: 0, failed: 0, remaining: 2 },
    workflow: { workflowId: `review-job/${id}` },
  });
  expect((await readReviewJob(gateway, reviewer, id)).payload).toEqual(answer.payload);
  const [message] = await gateway.sql`select kind, payload from outbox where subject_id = ${id}`;
  expect(message).toEqual({ kind: 'reviewJob', payload: { operatorId: reviewer.id } });
});

test('gives each item its own result', async ({ gateway, reviewer }) => {
  const [one, other] = [await staged(gateway), await staged(gateway)];
  const draft = await staged(gateway);
  await gateway.sql`
    update offers set pending_cost_net = null, pending_cost_vat = null,
      pending_cost_entered_vat_inclusive = null where id = ${draft.id}`;
  const unknown = unknownId();
  const { id, results } = await reviewToEnd(gateway, reviewer, { action: 'apply' }, [
    { offerId: one.id, expectedVersion: one.expectedVersion },
    { offerId: other.id, expectedVersion: other.expectedVersion + 1 },
    { offerId: draft.id, expectedVersion: draft.expectedVersion },
    { offerId: unknown, expectedVersion: 1 },
    { offerId: one.id, expectedVersion: one.expectedVersion },
  ]);
  expect(results.map(({ index, httpStatus, state }) => [index, httpStatus, state])).toEqual([
    [0, 200, 'SUCCESS'],
    [1, 409, 'CONFLICT_VERSION'],
    [2, 422, 'BUSINESS_OFFER_NO_PENDING_PRICE'],
    [3, 404, 'NOT_FOUND_VENDOR_OFFER'],
    [4, 400, 'VALIDATION_ERRORS'],
  ]);
  const [applied, conflict, , , repeated] = results;
  expect(applied).toMatchObject({
    offerId: one.id,
    offerStatus: 'Approved',
    reviewVersion: one.expectedVersion + 1,
  });
  expect(conflict?.details).toEqual({
    expectedVersion: other.expectedVersion + 1,
    reviewVersion: other.expectedVersion,
  });
  expect(repeated?.details).toMatchObject({ errors: [{ field: 'OfferId', code: 'duplicate' }] });

  const headers = { authorization: `Bearer ${reviewer.token}`, accept: 'text/csv' };
  const url = `${reviewJobsPath}/${id}/results`;
  const csv = await gateway.app.inject({ url, headers });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.body.split('\r\n').slice(0, 2)).toEqual([
    'index,httpStatus,state,offerId,offerStatus,reviewVersion,details',
    `0,200,SUCCESS,${one.id},Approved,${one.expectedVersion + 1},{}`,
  ]);
  const failed = await reviewResultsOf(gateway, reviewer, id, '&failed=true');
  expect(failed.map(({ index }) => index)).toEqual([1, 2, 3, 4]);
  expect((await readReviewJob(gateway, reviewer, id)).payload).toMatchObject({
    state: 'Finished',
    counts: { accepted: 5, done: 1, failed: 4, remaining: 0 },
  });
});

test('writes audit entries of the start and of each decision', async ({ gateway, reviewer }) => {
  const { id: offerId, expectedVersion } = await staged(gateway);
  const items = [{ offerId, expectedVersion }];
  const { id } = await reviewToEnd(
    gateway,
    reviewer,
    { action: 'discard', reason: 'Expensive.' },
    items,
  );
  const entries = await gateway.sql`
    select operator_id, action, subject_type, request_id, after from audit_log
    where subject_id in (${id}, ${offerId}) and operator_id = ${reviewer.id} order by id`;
  const [start, decision] = entries;
  expect(entries).toHaveLength(2);
  expect(start).toMatchObject({
    action: 'reviewJob.start',
    subjectType: 'reviewJob',
    after: { action: 'discard', reason: 'Expensive.', items: 1 },
  });
  expect(decision).toMatchObject({
    action: 'offer.discardPrice',
    subjectType: 'offer',
    requestId: start?.['requestId'],
    after: { reason: 'Expensive.', reviewJobId: id },
  });
});

test('cancels an open job only, which runs no further item', async ({ gateway, reviewer }) => {
  const colleague = await newOperator(gateway, ['Reviewer']);
  const cancel = (id: string) =>
    call(gateway, 'POST', `${reviewJobsPath}/${id}/cancel`, { token: colleague.token });
  const id = await startReviewJob(gateway, reviewer, { action: 'discard' }, [{}, {}]);
  const next = await startReviewJob(gateway, reviewer, { action: 'discard' }, [{}]);
  expect((await cancel(id)).payload).toMatchObject({ state: 'Cancelled' });
  expect((await cancel(id)).payload).toMatchObject({ state: 'Cancelled' });
  await runReviewJob(gateway, id);
  expect(await reviewResultsOf(gateway, reviewer, id)).toEqual([]);
  expect(await gateway.sql`select from outbox where subject_id = ${next}`).toHaveLength(1);
  await runReviewJob(gateway, next);
  const refused = { status: 422, state: 'BUSINESS_BULK_JOB_INVALID_TRANSITION' };
  expect(await cancel(next)).toMatchObject(refused);
  const entries =
    await gateway.sql`select action from audit_log where subject_id = ${id} order by id`;
  expect(entries.map(({ action }) => action as string)).toEqual([
    'reviewJob.start',
    'reviewJob.cancel',
  ]);
});

test('limits an operator to 20 open jobs', async ({ gateway, reviewer }) => {
  const start = () => sendReviewJob(gateway, reviewer, { action: 'discard' }, [{}]);
  for (let count = 0; count < 20; count += 1) expect((await start()).status).toBe(202);
  expect(await start()).toMatchObject({
    status: 429,
    state: 'TOO_MANY_REQUESTS',
    details: { reason: 'OPEN_JOBS' },
  });
  const colleague = await newOperator(gateway, ['Admin']);
  await startReviewJob(gateway, colleague, { action: 'discard' }, [{}]);
  const { token } = colleague;
  const url = `${reviewJobsPath}?operatorId=${reviewer.operatorId}&state=Queued&action=discard`;
  expect(itemsOf(await call(gateway, 'GET', url, { token }))).toHaveLength(20);
});

test('cancels the job of a deactivated operator', async ({ gateway, reviewer }) => {
  const { id: offerId, expectedVersion } = await staged(gateway);
  const items = [{ offerId, expectedVersion }];
  const id = await startReviewJob(gateway, reviewer, { action: 'apply' }, items);
  await gateway.sql`update operators set is_active = false where id = ${reviewer.id}`;
  await runReviewJob(gateway, id);
  const admin = await newOperator(gateway);
  expect((await readReviewJob(gateway, admin, id)).payload).toMatchObject({
    state: 'Cancelled',
    counts: { remaining: 1 },
  });
});

test('finds the jobs of an operator by a log-in name of 255 characters', async ({ gateway }) => {
  const { token } = await newOperator(gateway);
  const url = `${reviewJobsPath}?operatorId=${'r'.repeat(255)}`;
  expect(itemsOf(await call(gateway, 'GET', url, { token }))).toEqual([]);
});
