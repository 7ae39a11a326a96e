import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { lockJobLine } from '../../../db/jobs/job-lines.ts';
import { newOperator, type TestVendor } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, textOf, type Gateway } from '../../support/api/api.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { held, untilLockWaits } from '../../support/database/locks.ts';
import { instant } from '../../support/api/matchers.ts';
import { jobsOf, jobsPath, jobTest, perfume, settings } from './job-fixture.ts';

// Bulk jobs from their acceptance to their end (D88). What an item stores has its cases in
// `job-equals-single.test.ts`, the roles of operators in `roles.test.ts`.

const test = jobTest.extend('staff', { scope: 'file' }, ({ gateway }) =>
  newOperator(gateway, ['Operations']),
);

const perfumes = (...names: readonly string[]) => names.map((name) => perfume(name));
const countOffers = async (gateway: Gateway, { token }: TestVendor) => {
  const { payload } = await call(gateway, 'GET', '/api/v1/scent/offers', { token });
  return (payload as { pagination: { totalCount: number } }).pagination.totalCount;
};

test('runs creates in batches with a result for each', async ({ gateway, vendor, jobs }) => {
  const items = [...perfumes('a', 'b'), { cost: -1 }, perfume('a'), perfume(null)];
  const accepted = await jobs.send('createOffers', items);
  const payload = { kind: 'createOffers', validateOnly: false, revertsJobId: null };
  expect(accepted).toMatchObject({ status: 202, payload });
  const times = { startedAt: null, endedAt: null, estimatedEndAt: null };
  const [queued, running, finished] = [
    { ...times, state: 'Queued', counts: { accepted: 5, done: 0, failed: 0, remaining: 5 } },
    { state: 'Running', counts: { done: 2, failed: 1, remaining: 2 }, estimatedEndAt: instant },
    {
      state: 'Finished',
      counts: { done: 4, failed: 1, remaining: 0 },
      endedAt: instant,
      estimatedEndAt: null,
    },
  ];
  expect(accepted.payload).toMatchObject(queued);
  const id = textOf(accepted, 'id');
  await jobs.runSome(id, 3);
  expect(await jobs.read(id)).toMatchObject(running);
  await jobs.run(id);
  expect(await jobs.read(id)).toMatchObject(finished);

  const results = await jobs.results(id);
  expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 201, 400, 200, 201]);
  const { offerId } = results[0] ?? {};
  const existing = { offerId, vendorExternalId: 'a', details: { existing: true } };
  expect(results[3]).toMatchObject(existing);
  expect(await jobs.results(id, '&failed=true')).toMatchObject([{ index: 2 }]);
  expect(await countOffers(gateway, vendor)).toBe(3);
});

test('finds the offer of an edit by id or by unchanged vendorExternalId', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const first = await create({ declared: { vendorExternalId: 'one' } });
  const second = await create({ declared: { vendorExternalId: 'two' } });
  const { results } = await jobsOf(gateway, vendor).toEnd('updateOffers', [
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

test('runs the first well-formed item for an offer, and refuses others', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const jobs = jobsOf(gateway, vendor);
  const offerId = await create();
  const items = ['5', 6, 7].map((cost) => ({ offerId, cost, costIsVatInclusive: false }));
  for (const limit of [1, 10]) {
    const id = await jobs.start('pushCosts', items);
    await jobs.run(id, limit);
    expect(await jobs.results(id)).toMatchObject([
      { state: 'VALIDATION_ERRORS', offerId },
      { state: 'SUCCESS', offerId },
      { state: 'VALIDATION_ERRORS', offerId, details: { errors: [{ code: 'duplicate' }] } },
    ]);
  }
});

test('refuses a second item for an offer if the batch runs one by one', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const offerId = await create({ declared: { vendorExternalId: 'one' } });
  await create({ declared: { vendorExternalId: 'two' } });
  const { results } = await jobsOf(gateway, vendor).toEnd('updateOffers', [
    { offerId, vendorExternalId: 'two' },
    { vendorExternalId: 'two', vendorSku: 'S-1' },
    { offerId, vendorSku: 'S-2' },
  ]);
  const [taken, duplicate] = ['taken', 'duplicate'].map((code) => ({
    details: { errors: [{ code }] },
  }));
  expect(results).toMatchObject([taken, { state: 'SUCCESS' }, duplicate]);
});

test('starts the next job once if jobs arrive while one ends', async ({
  gateway,
  vendor,
  jobs,
}) => {
  const first = await jobs.start('createOffers', perfumes('a'));
  const release = await held(gateway.sql, (sql) => lockJobLine(sql, vendor.vendorId));
  const calls = ['b', 'c'].map((name) => jobs.start('createOffers', perfumes(name)));
  const ending = jobs.run(first);
  await untilLockWaits(gateway.sql, 3);
  await release();
  await ending;
  const ids = [first, ...(await Promise.all(calls))];
  for (const count of [2, 3]) {
    const started = await gateway.sql<{ subjectId: string }[]>`
      select subject_id from outbox where kind = 'bulkJob' and subject_id = any(${ids}::uuid[])
      order by id`;
    expect(started).toHaveLength(count);
    await jobs.run(started.at(-1)?.subjectId ?? '');
  }
});

const refused = (error: object) => {
  const errors = expect.arrayContaining([expect.objectContaining(error)]);
  return { httpStatus: 400, details: { errors } };
};

test.for([
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', 'a\ud800b'],
] as const)('fails an item with %s in a name alone', async ([, text], { jobs }) => {
  const created = await jobs.toEnd('createOffers', [{ [text]: 1 }, perfume('a')]);
  const named = refused({ field: 'A\ufffdb', path: '/a\ufffdb' });
  expect(created.results).toMatchObject([named, { httpStatus: 201 }]);
  const edited = await jobs.toEnd('updateOffers', [
    { vendorExternalId: text, declaredInStock: true },
    { vendorExternalId: text, rawDescription: 'x' },
    { vendorExternalId: 'x'.repeat(300), declaredInStock: true },
    null,
    'x',
    [],
  ]);
  expect(edited.results).toMatchObject([
    ...Array(3).fill(refused({ field: 'VendorExternalId' })),
    ...Array(3).fill(refused({ code: 'invalid_type' })),
  ]);
});

test('returns the same results when it only validates; changes nothing', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const jobs = jobsOf(gateway, vendor);
  const offerId = await create();
  const before = await read(offerId);
  const only = '?validateOnly=true';
  const creates = await jobs.start('createOffers', [...perfumes('x', 'x'), {}], only);
  const edits = await jobs.start('updateOffers', [{ offerId, vendorSku: 'new' }], only);
  await jobs.run(creates);
  await jobs.run(edits);

  expect(await jobs.results(creates)).toMatchObject([
    { httpStatus: 201, offerId: null, version: 1 },
    { httpStatus: 200, offerId: null, details: { existing: true } },
    { httpStatus: 400 },
  ]);
  expect(await jobs.results(edits)).toMatchObject([{ httpStatus: 200, version: 2 }]);
  expect(await jobs.read(edits)).toMatchObject({ validateOnly: true });
  expect(await countOffers(gateway, vendor)).toBe(1);
  expect((await read(offerId)).payload).toEqual(before.payload);
  const recorded = await gateway.sql`
    select index from bulk_job_results
    where job_id = any(${[creates, edits]}::uuid[]) and change is not null`;
  expect(recorded).toEqual([]);
});

test.for(['vendor', 'operator'] as const)(
  'cancels an open job once by the %s, and starts the vendor’s next job (D154)',
  async (caller, { gateway, vendor, staff, jobs }) => {
    const { vendorId } = vendor;
    const first = await jobs.start('createOffers', perfumes('a', 'b', 'c', 'd'));
    const second = await jobs.start('createOffers', [perfume('e')]);
    const started = () => gateway.sql`
      select subject_id from outbox
      where kind = 'bulkJob' and payload ->> 'vendorId' = ${vendorId} order by id`;
    expect(await started()).toEqual([{ subjectId: first }]);
    await jobs.runSome(first, 2);

    const isStaffs = caller === 'operator';
    const cancel = (id: string) =>
      isStaffs
        ? call(gateway, 'POST', `/operator/v1/jobs/${id}/cancel`, staff)
        : jobs.post(`${id}/cancel`);
    const cancelled = await cancel(first);
    const counts = { accepted: 4, done: 2, failed: 0, remaining: 2 };
    const payload = { id: first, state: 'Cancelled', details: { reason: null }, counts };
    expect(cancelled).toMatchObject({ status: 200, payload });
    const toStaff = { vendorId, workflow: { workflowId: `bulk-job/${first}` } };
    if (isStaffs) expect(cancelled.payload).toMatchObject(toStaff);
    expect(await started()).toEqual([{ subjectId: first }, { subjectId: second }]);
    await jobs.run(first);
    expect(await jobs.read(first)).toMatchObject({ counts });
    expect((await cancel(first)).payload).toEqual(cancelled.payload);
    const entries = await gateway.sql`
      select action, subject_type, operator_id, before, after from audit_log
      where subject_id = ${first} and operator_id is not null`;
    const entry = { action: 'job.cancel', subjectType: 'job', operatorId: staff.id };
    const before = { vendorId, state: 'Running' };
    const after = { state: 'Cancelled', done: 2, failed: 0 };
    expect(entries).toEqual(isStaffs ? [{ ...entry, before, after }] : []);

    await jobs.run(second);
    const details = { status: 'Finished', action: 'cancel' };
    expect(await cancel(second)).toMatchObject(
      refusal('BUSINESS_BULK_JOB_INVALID_TRANSITION', details),
    );
    const finished = await call(gateway, 'GET', `${jobsPath}?state=Finished`, vendor);
    expect(itemsOf(finished)).toMatchObject([{ id: second }]);
  },
);

test('fails one item alone with INTERNAL_ERROR', async ({ gateway: { sql }, jobs }) => {
  await sql`
    alter table offers add constraint poisoned check (vendor_sku is distinct from 'poison')`;
  const items = [perfume('a'), perfume('b', { vendorSku: 'poison' }), perfume('c')];
  const jobId = await jobs.start('createOffers', items);
  const reported: number[] = [];
  const onUnexpected = (_error: unknown, { index }: { readonly index: number }) =>
    void reported.push(index);
  await runBatch(sql, { jobId, limit: 250 }, { ...settings, onUnexpected });
  await sql`alter table offers drop constraint poisoned`;

  const results = await jobs.results(jobId);
  expect(results.map(({ httpStatus }) => httpStatus)).toEqual([201, 500, 201]);
  expect(results[1]).toMatchObject({ state: 'INTERNAL_ERROR', offerId: null });
  expect(reported).toEqual([1]);
});
