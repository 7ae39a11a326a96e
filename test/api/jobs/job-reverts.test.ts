import { expect } from 'vitest';
import { newOfferFixture, type OfferFixture } from '../offers/offer-fixture.ts';
import { newVendor, percentageOfSale } from '../../support/api/actors.ts';
import { call, refusal, textOf, type ApiResponse } from '../../support/api/api.ts';
import { jobsOf, jobTest as test, perfume } from './job-fixture.ts';

// What a revert restores, and what it leaves (D90). Its rules have their cases in
// `test/domain/jobs/recorded-change.test.ts`.

/** An offer's facts, without what counts its changes. */
const factsOf = ({ payload }: ApiResponse) => {
  const { changedAt: _at, version: _version, ...facts } = payload ?? {};
  return facts;
};
const factsOfAll = ({ read }: Pick<OfferFixture, 'read'>, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => factsOf(await read(id))));
const net = (cost: number) => ({ cost, costIsVatInclusive: false });

test('restores prices, and leaves what has changed since', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const { vendor, create, offerIn, read, decide, patch } = fixture;
  const jobs = jobsOf(gateway, vendor);
  const [live, equal] = [await create(), await create()];
  const [fresh, staged] = [await offerIn('Approved'), await offerIn('Approved')];
  const [applied, pushed] = [await offerIn('Approved'), await offerIn('Approved')];
  await patch(`${staged}/cost`, net(70));
  const before = await factsOfAll(fixture, [live, staged]);
  const job = await jobs.toEnd('pushCosts', [
    ...[live, fresh, staged, applied, pushed].map((offerId) => ({ offerId, ...net(90) })),
    { offerId: equal, ...net(100) },
    { offerId: 'x' },
  ]);
  expect(job.results.slice(0, 6).map(({ state }) => state)).toEqual(Array(6).fill('SUCCESS'));
  await decide(applied, 'pending-price/apply');
  await patch(`${pushed}/cost`, net(95));
  // Stock is none of what the job changed.
  await patch(`${fresh}/stock`, { declaredInStock: true, declaredStockQuantity: 3 });
  const since = await factsOfAll(fixture, [applied, pushed]);

  // Three calls at once start one job.
  const started = await Promise.all([1, 2, 3].map(() => jobs.revert(job.id)));
  const id = await jobs.revert(job.id);
  expect(started).toEqual([id, id, id]);
  await jobs.run(id, 3);
  const counts = { accepted: 7, done: 5, failed: 2 };
  const finished = { kind: 'pushCosts', revertsJobId: job.id, state: 'Finished', counts };
  expect(await jobs.read(id)).toMatchObject(finished);
  const success = { state: 'SUCCESS', httpStatus: 200 };
  const conflict = { state: 'CONFLICT_VERSION', httpStatus: 409 };
  const none = { ...success, details: { nothingToRestore: true } };
  const expected = [success, success, success, conflict, conflict, none, none];
  expect(await jobs.results(id)).toMatchObject(expected);
  expect(await factsOfAll(fixture, [live, staged])).toEqual(before);
  const restored = { cost: { pending: null }, stock: { declaredQuantity: 3 } };
  expect(factsOf(await read(fresh))).toMatchObject(restored);
  expect(await factsOfAll(fixture, [applied, pushed])).toEqual(since);
});

test('removes a first sale price', async ({ gateway }) => {
  const vendor = await newVendor(gateway, { agreement: percentageOfSale });
  const jobs = jobsOf(gateway, vendor);
  const { results } = await jobs.toEnd('createOffers', [perfume('a')]);
  const url = `/api/v1/scent/offers/${results[0]?.offerId}`;
  const read = async () => factsOf(await call(gateway, 'GET', url, vendor));
  const before = await read();
  const job = await jobs.toEnd('pushSalePrices', [
    { vendorExternalId: 'a', salePrice: 5, salePriceIsVatInclusive: true },
  ]);
  expect(await read()).not.toEqual(before);
  await jobs.run(await jobs.revert(job.id));
  expect(await read()).toEqual(before);
});

test('restores edits from the last item to the first, and stock', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const { vendor, create } = fixture;
  const jobs = jobsOf(gateway, vendor);
  const first = await create({ declared: { vendorExternalId: 'one', vendorSku: 'S' } });
  const second = await create({ declared: { vendorExternalId: 'two' } });
  const before = await factsOfAll(fixture, [first, second]);
  const edits = await jobs.toEnd('updateOffers', [
    { offerId: first, vendorExternalId: 'three', vendorSku: ' ', ...net(12) },
    { offerId: second, vendorExternalId: 'one' },
  ]);
  const stocks = await jobs.toEnd('pushStocks', [
    { offerId: first, declaredInStock: true, declaredStockQuantity: 9 },
  ]);
  for (const { state } of [...edits.results, ...stocks.results]) expect(state).toBe('SUCCESS');
  for (const job of [stocks, edits]) await jobs.run(await jobs.revert(job.id));
  expect(await factsOfAll(fixture, [first, second])).toEqual(before);
});

test('withdraws created offers without a later change', async ({ gateway, vendor, jobs }) => {
  const { token } = vendor;
  const existing = await jobs.toEnd('createOffers', [perfume('old')]);
  const job = await jobs.toEnd('createOffers', [
    perfume('a'),
    perfume('b', { barcode: '4006381333931' }),
    perfume('old'),
  ]);
  const [fresh, changed] = job.results.map(({ offerId }) => offerId);
  const body = { vendorSku: 'S' };
  await call(gateway, 'PATCH', `/api/v1/scent/offers/${changed}`, { token, body });
  const id = await jobs.revert(job.id);
  await jobs.run(id);
  const states = (await jobs.results(id)).map(({ state }) => state);
  expect(states).toEqual(['SUCCESS', 'CONFLICT_VERSION', 'SUCCESS']);
  for (const [offerId, status] of [
    [fresh, 'Withdrawn'],
    [changed, 'PendingMatch'],
    [existing.results[0]?.offerId, 'PendingMatch'],
  ]) {
    const response = await call(gateway, 'GET', `/api/v1/scent/offers/${offerId}`, { token });
    expect(textOf(response, 'status')).toBe(status);
  }
});

test('changes nothing by the validation of a revert', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const jobs = jobsOf(gateway, vendor);
  const offerId = await create();
  const job = await jobs.toEnd('pushCosts', [{ offerId, ...net(7) }]);
  const after = await read(offerId);
  const only = '?validateOnly=true';
  const trial = await jobs.revert(job.id, only);
  await jobs.run(trial);
  expect(await jobs.results(trial)).toMatchObject([{ state: 'SUCCESS' }]);
  expect((await read(offerId)).payload).toEqual(after.payload);
  expect(await jobs.revert(job.id)).not.toBe(trial);
});

test('reverts no revert and no validation', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const jobs = jobsOf(gateway, vendor);
  const offerId = await create();
  const job = await jobs.toEnd('pushCosts', [{ offerId, ...net(7) }]);
  const restoring = await jobs.revert(job.id);
  const only = '?validateOnly=true';
  const validated = await jobs.start('pushCosts', [{ offerId, ...net(8) }], only);
  for (const id of [restoring, validated]) {
    await jobs.run(id);
    expect(await jobs.post(`${id}/revert`)).toMatchObject(
      refusal('BUSINESS_BULK_JOB_INVALID_TRANSITION'),
    );
  }
});
