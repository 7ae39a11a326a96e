import { expect } from 'vitest';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { approvedOffer, newParties } from '../offers/offer-record.ts';
import { newOperator } from '../../support/api/actors.ts';
import { instant } from '../../support/api/matchers.ts';
import {
  call,
  refusal,
  succeeded,
  textOf,
  unknownId,
  type Gateway,
} from '../../support/api/api.ts';
import {
  reviewJobsPath,
  reviewResultsOf,
  reviewToEnd,
  runReviewJob,
  sendReviewJob,
  startReviewJob,
} from './job-fixture.ts';

// Review jobs by HTTP (D102). The body and the items have their cases in `review-job-body.test.ts`,
// and what each decision stores in `review-job-equals-single.test.ts`.

const test = gatewayTest
  .extend('reviewer', ({ gateway }) => newOperator(gateway, ['Reviewer']))
  .extend('colleague', ({ gateway }) => newOperator(gateway, ['Admin']))
  .extend(
    'read',
    ({ gateway, colleague }) =>
      async (path: string) =>
        (await call(gateway, 'GET', reviewJobsPath + path, colleague)).payload,
  );

/** An approved offer of a new vendor with a staged price, and its `reviewVersion`. */
async function staged(gateway: Gateway) {
  const parties = await newParties(gateway);
  const offerId = await approvedOffer(parties);
  const cost = { cost: 1000, costIsVatInclusive: true };
  succeeded(await parties.byVendor('PATCH', `/${offerId}/cost`, cost));
  const read = succeeded(await parties.by('Reviewer', 'GET', `/offers/${offerId}`));
  return { offerId, expectedVersion: read.payload?.['reviewVersion'] as number };
}

test('starts a job with 202 and a message to its workflow', async ({ gateway, reviewer, read }) => {
  const items = [{ offerId: unknownId() }, {}];
  const response = await sendReviewJob(
    gateway,
    reviewer,
    { action: 'reject', reason: 'No.' },
    items,
  );
  expect(response.status).toBe(202);
  const id = textOf(response, 'id');
  expect(response.payload).toMatchObject({
    action: 'reject',
    reason: 'No.',
    operatorId: reviewer.operatorId,
    state: 'Queued',
    counts: { accepted: 2, done: 0, failed: 0, remaining: 2 },
    workflow: { workflowId: `review-job/${id}` },
  });
  expect(await read(`/${id}`)).toEqual(response.payload);
  const [message] = await gateway.sql`select kind, payload from outbox where subject_id = ${id}`;
  expect(message).toEqual({ kind: 'reviewJob', payload: { operatorId: reviewer.id } });
});

test('lists all results of a job, only the failed ones, and as CSV', async ({
  gateway,
  reviewer,
  read,
}) => {
  const item = await staged(gateway);
  const { offerId } = item;
  const { id, results } = await reviewToEnd(gateway, reviewer, { action: 'apply' }, [item, item]);
  const reviewVersion = item.expectedVersion + 1;
  const errors = [{ field: 'OfferId', code: 'duplicate' }];
  const title = { productName: expect.any(String), vendorName: expect.any(String) };
  expect(results).toMatchObject([
    { index: 0, httpStatus: 200, offerStatus: 'Approved', offerId, reviewVersion, ...title },
    { index: 1, httpStatus: 400, state: 'VALIDATION_ERRORS', details: { errors } },
  ]);
  const headers = { authorization: `Bearer ${reviewer.token}`, accept: 'text/csv' };
  const csv = await gateway.app.inject({ url: `${reviewJobsPath}/${id}/results`, headers });
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(csv.body.split('\r\n').slice(0, 2)).toEqual([
    'index,httpStatus,state,offerId,offerStatus,reviewVersion,details',
    `0,200,SUCCESS,${offerId},Approved,${reviewVersion},{}`,
  ]);
  expect(await reviewResultsOf(gateway, reviewer, id, '&failed=true')).toEqual([results[1]]);
  const counts = { accepted: 2, done: 1, failed: 1, remaining: 0 };
  expect(await read(`/${id}`)).toMatchObject({ state: 'Finished', counts });
});

test.for([
  ['CONFLICT_VERSION', { action: 'apply' }, 'pending-price/apply', 0],
  ['BUSINESS_OFFER_NO_PENDING_PRICE', { action: 'apply' }, 'pending-price/apply', 1],
  ['BUSINESS_OFFER_INVALID_TRANSITION', { action: 'reject', reason: 'No.' }, 'reject', 1],
] as const)(
  'says in an item with %s, as in a single decision, who decided what before (D161)',
  async ([state, kind, path, later], { gateway, reviewer, colleague }) => {
    const item = await staged(gateway);
    const { offerId } = item;
    await reviewToEnd(gateway, colleague, { action: 'discard' }, [item]);
    const expectedVersion = item.expectedVersion + later;
    const { results } = await reviewToEnd(gateway, reviewer, kind, [{ offerId, expectedVersion }]);
    const first = { decidedBy: colleague.operatorId, decision: 'offer.discardPrice', at: instant };
    expect(results).toMatchObject([{ state, details: first }]);
    const { action: _action, ...reason } = kind;
    const body = { expectedVersion, ...reason };
    const url = `/operator/v1/offers/${offerId}/${path}`;
    const single = await call(gateway, 'POST', url, { token: reviewer.token, body });
    expect(single).toMatchObject({ state, details: results[0]?.['details'] });
  },
);

test('writes audit entries of the start and of each decision', async ({ gateway, reviewer }) => {
  const item = await staged(gateway);
  const reason = 'Expensive.';
  const { id } = await reviewToEnd(gateway, reviewer, { action: 'discard', reason }, [item]);
  const entries = await gateway.sql`
    select operator_id, action, subject_type, request_id, after from audit_log
    where subject_id in (${id}, ${item.offerId}) and operator_id = ${reviewer.id} order by id`;
  const requestId = entries[0]?.['requestId'] as unknown;
  const start = { action: 'discard', reason, items: 1 };
  const decision = { reason, reviewJobId: id };
  expect(entries).toMatchObject([
    { action: 'reviewJob.start', subjectType: 'reviewJob', after: start },
    { action: 'offer.discardPrice', subjectType: 'offer', requestId, after: decision },
  ]);
});

test('cancels an open job, which then runs no item', async ({ gateway, reviewer, colleague }) => {
  const { token } = colleague;
  const cancel = (id: string) => call(gateway, 'POST', `${reviewJobsPath}/${id}/cancel`, { token });
  const id = await startReviewJob(gateway, reviewer, { action: 'discard' }, [{}, {}]);
  const next = await startReviewJob(gateway, reviewer, { action: 'discard' }, [{}]);
  for (let time = 1; time <= 2; time += 1)
    expect((await cancel(id)).payload).toMatchObject({ state: 'Cancelled' });
  await runReviewJob(gateway, id);
  expect(await reviewResultsOf(gateway, reviewer, id)).toEqual([]);
  expect(await gateway.sql`select from outbox where subject_id = ${next}`).toHaveLength(1);
  await runReviewJob(gateway, next);
  const details = { status: 'Finished', action: 'cancel' };
  expect(await cancel(next)).toMatchObject(
    refusal('BUSINESS_BULK_JOB_INVALID_TRANSITION', details),
  );
  const entries = await gateway.sql`
    select action from audit_log where subject_id = ${id} order by id`;
  expect(entries).toEqual([{ action: 'reviewJob.start' }, { action: 'reviewJob.cancel' }]);
});

test('limits an operator to 20 open jobs', async ({ gateway, reviewer, colleague, read }) => {
  const start = () => sendReviewJob(gateway, reviewer, { action: 'discard' }, [{}]);
  for (let count = 0; count < 20; count += 1) expect((await start()).status).toBe(202);
  expect(await start()).toMatchObject(
    refusal('TOO_MANY_REQUESTS', expect.objectContaining({ reason: 'OPEN_JOBS' })),
  );
  await startReviewJob(gateway, colleague, { action: 'discard' }, [{}]);
  const query = `?operatorId=${reviewer.operatorId}&state=Queued&action=discard`;
  expect(await read(query)).toMatchObject({ pagination: { totalCount: 20 } });
  // The longest log-in name.
  expect(await read(`?operatorId=${'r'.repeat(255)}`)).toMatchObject({ items: [] });
});

test('cancels the job of a deactivated operator', async ({ gateway, reviewer, read }) => {
  const items = [await staged(gateway)];
  const id = await startReviewJob(gateway, reviewer, { action: 'apply' }, items);
  await gateway.sql`update operators set is_active = false where id = ${reviewer.id}`;
  await runReviewJob(gateway, id);
  const counts = { remaining: 1 };
  expect(await read(`/${id}`)).toMatchObject({ state: 'Cancelled', counts });
});
