import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { newVendor } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, textOf } from '../../support/api/api.ts';
import {
  jobsPath,
  perfume,
  readJob,
  resultsOf,
  runJob,
  runToEnd,
  sendJob,
  settings,
  startJob,
} from './job-fixture.ts';

// Bulk jobs from their acceptance to their end (D88). What an item stores has its cases in
// `job-equals-single.test.ts`.

test('runs creates in batches with a result for each', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const items = [perfume('a'), perfume('b'), { cost: -1 }, perfume('a'), perfume(null)];

  const accepted = await sendJob(gateway, vendor, 'createOffers', items);

  expect(accepted).toMatchObject({
    status: 202,
    payload: {
      kind: 'createOffers',
      state: 'Queued',
      validateOnly: false,
      revertsJobId: null,
      counts: { accepted: 5, done: 0, failed: 0, remaining: 5 },
      startedAt: null,
      endedAt: null,
      estimatedEndAt: null,
    },
  });
  const id = textOf(accepted, 'id');
  await runBatch(gateway.sql, { jobId: id, limit: 3 }, settings);
  expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
    state: 'Running',
    counts: { accepted: 5, done: 2, failed: 1, remaining: 2 },
    estimatedEndAt: expect.any(String) as unknown,
  });
  await runJob(gateway, id);
  expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
    state: 'Finished',
    counts: { accepted: 5, done: 4, failed: 1, remaining: 0 },
    endedAt: expect.any(String) as unknown,
  });

  const results = await resultsOf(gateway, vendor, id);
  expect(results.map(({ httpStatus, state }) => [httpStatus, state])).toEqual([
    [201, 'SUCCESS'],
    [201, 'SUCCESS'],
    [400, 'VALIDATION_ERRORS'],
    [200, 'SUCCESS'],
    [201, 'SUCCESS'],
  ]);
  expect(results[3]).toMatchObject({
    offerId: results[0]?.offerId,
    vendorExternalId: 'a',
    details: { existing: true },
  });
  const failed = await resultsOf(gateway, vendor, id, '&failed=true');
  expect(failed.map(({ index }) => index)).toEqual([2]);
  const { token } = vendor;
  const offers = await call(gateway, 'GET', '/api/v1/scent/offers', { token });
  expect(offers.payload).toMatchObject({ pagination: { totalCount: 3 } });
});

test('edits name their offer by id, or by the vendorExternalId that stays', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const first = await create({ declared: { vendorExternalId: 'one' } });
  const second = await create({ declared: { vendorExternalId: 'two' } });

  const { results } = await runToEnd(gateway, vendor, 'updateOffers', [
    { offerId: first, vendorSku: 'S-1', vendorExternalId: 'uno' },
    { vendorExternalId: 'two', vendorSku: 'S-2' },
    { vendorSku: 'S-3' },
    { vendorExternalId: 'two', vendorSku: 'S-4' },
    { vendorExternalId: 'unknown', vendorSku: 'S-5' },
  ]);

  expect(results).toMatchObject([
    { state: 'SUCCESS', offerId: first },
    { state: 'SUCCESS', offerId: second },
    { offerId: null, details: { errors: [{ field: 'OfferId', code: 'required' }] } },
    { offerId: second, details: { errors: [{ field: 'OfferId', code: 'duplicate' }] } },
    { state: 'NOT_FOUND_VENDOR_OFFER', offerId: null },
  ]);
  for (const [id, vendorSku, vendorExternalId] of [
    [first, 'S-1', 'uno'],
    [second, 'S-2', 'two'],
  ] as const)
    expect((await read(id)).payload).toMatchObject({ product: { vendorSku }, vendorExternalId });
});

test('counts the first well-formed item for an offer', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const offerId = await create();
  const push = (cost: unknown) => ({ offerId, cost, costIsVatInclusive: false });
  for (const limit of [1, 10]) {
    const id = await startJob(gateway, vendor, 'pushCosts', [push('5'), push(6), push(7)]);
    await runJob(gateway, id, limit);
    expect(await resultsOf(gateway, vendor, id)).toMatchObject([
      { state: 'VALIDATION_ERRORS', offerId },
      { state: 'SUCCESS', offerId },
      { state: 'VALIDATION_ERRORS', offerId, details: { errors: [{ code: 'duplicate' }] } },
    ]);
  }
});

test('a job that only validates has the same results, and changes nothing', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const offerId = await create();
  const before = await read(offerId);
  const { token } = vendor;
  const count = async () => (await call(gateway, 'GET', '/api/v1/scent/offers', { token })).payload;
  const offers = await count();

  const creates = await startJob(
    gateway,
    vendor,
    'createOffers',
    [perfume('x'), perfume('x'), {}],
    '?validateOnly=true',
  );
  const edits = await startJob(
    gateway,
    vendor,
    'updateOffers',
    [{ offerId, vendorSku: 'new' }],
    '?validateOnly=true',
  );
  await runJob(gateway, creates);
  await runJob(gateway, edits);

  expect(await resultsOf(gateway, vendor, creates)).toMatchObject([
    { httpStatus: 201, offerId: null, version: 1 },
    { httpStatus: 200, details: { existing: true } },
    { httpStatus: 400 },
  ]);
  expect(await resultsOf(gateway, vendor, edits)).toMatchObject([{ httpStatus: 200, version: 2 }]);
  expect((await readJob(gateway, vendor, edits)).payload).toMatchObject({ validateOnly: true });
  expect(await count()).toEqual(offers);
  expect((await read(offerId)).payload).toEqual(before.payload);
  const recorded = await gateway.sql`
    select index from bulk_job_results
    where job_id = any(${[creates, edits]}::uuid[]) and change is not null`;
  expect(recorded).toEqual([]);
});

test('cancels a job, and starts the vendor’s next', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const { token } = vendor;
  const items = ['a', 'b', 'c', 'd'].map((name) => perfume(name));
  const first = await startJob(gateway, vendor, 'createOffers', items);
  const second = await startJob(gateway, vendor, 'createOffers', [perfume('e')]);
  const messages = async () =>
    (
      await gateway.sql<{ subjectId: string }[]>`
        select subject_id from outbox where kind = 'bulkJob'
          and payload ->> 'vendorId' = ${vendor.vendorId}
        order by id`
    ).map(({ subjectId }) => subjectId);
  expect(await messages()).toEqual([first]);
  await runBatch(gateway.sql, { jobId: first, limit: 2 }, settings);

  const cancel = () => call(gateway, 'POST', `${jobsPath}/${first}/cancel`, { token });
  expect((await cancel()).payload).toMatchObject({
    state: 'Cancelled',
    counts: { done: 2, remaining: 2 },
  });

  expect(await messages()).toEqual([first, second]);
  await runJob(gateway, first);
  expect((await readJob(gateway, vendor, first)).payload).toMatchObject({ counts: { done: 2 } });
  expect((await cancel()).status).toBe(200);
  await runJob(gateway, second);
  const refused = await call(gateway, 'POST', `${jobsPath}/${second}/cancel`, { token });
  const details = { status: 'Finished', action: 'cancel' };
  expect(refused).toMatchObject(refusal('BUSINESS_BULK_JOB_INVALID_TRANSITION', details));
  const finished = await call(gateway, 'GET', `${jobsPath}?state=Finished`, { token });
  expect(itemsOf(finished).map(({ id }) => id)).toEqual([second]);
});

test('fails one item alone with INTERNAL_ERROR', async ({ gateway }) => {
  const { sql } = gateway;
  const vendor = await newVendor(gateway);
  await sql`
    alter table offers add constraint poisoned check (vendor_sku is distinct from 'poison')`;
  const items = [perfume('a'), perfume('b', { vendorSku: 'poison' }), perfume('c')];
  const id = await startJob(gateway, vendor, 'createOffers', items);
  const reported: number[] = [];

  await runBatch(
    sql,
    { jobId: id, limit: 250 },
    { ...settings, onUnexpected: (_error, { index }) => reported.push(index) },
  );
  await sql`alter table offers drop constraint poisoned`;

  const results = await resultsOf(gateway, vendor, id);
  expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 500, 201]);
  expect(results[1]).toMatchObject({ state: 'INTERNAL_ERROR', offerId: null });
  expect(reported).toEqual([1]);
});
