import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { newVendor, percentageOfSale } from '../../support/api/actors.ts';
import { call, refusal, textOf, type Answer } from '../../support/api/api.ts';
import {
  jobsPath,
  perfume,
  readJob,
  resultsOf,
  revertJob,
  runJob,
  runToEnd,
  startJob,
} from './job-fixture.ts';

/** What a revert restores, and what it leaves (D90). */

/** An offer's facts, without what counts its changes. */
const factsOf = ({ payload }: Answer) => {
  const { changedAt: _at, version: _version, ...facts } = payload ?? {};
  return facts;
};
const net = (cost: number) => ({ cost, costIsVatInclusive: false });

test('restores prices, and leaves what has changed since', async ({ gateway }) => {
  const { vendor, create, offerIn, read, decide, patch } = await newOfferFixture(gateway);
  const live = await create();
  const fresh = await offerIn('Approved');
  const staged = await offerIn('Approved');
  const applied = await offerIn('Approved');
  const pushed = await offerIn('Approved');
  const equal = await create();
  await patch(`${staged}/cost`, net(70));
  const ids = [live, fresh, staged, applied, pushed];
  const before = new Map<string, unknown>();
  for (const id of ids) before.set(id, factsOf(await read(id)));
  const job = await runToEnd(gateway, vendor, 'pushCosts', [
    ...ids.map((offerId) => ({ offerId, ...net(90) })),
    { offerId: equal, ...net(100) },
    { offerId: 'x' },
  ]);
  expect(job.results.slice(0, 6).map(({ state }) => state)).toEqual(Array(6).fill('SUCCESS'));
  await decide(applied, 'pending-price/apply');
  await patch(`${pushed}/cost`, net(95));
  // Stock is none of what the job changed.
  await patch(`${fresh}/stock`, { declaredInStock: true, declaredStockQuantity: 3 });
  const stock = { declaredInStock: true, declaredStockQuantity: 3 };
  const since = [factsOf(await read(applied)), factsOf(await read(pushed))];

  // Three calls at once start one job.
  const started = await Promise.all([1, 2, 3].map(() => revertJob(gateway, vendor, job.id)));
  expect(new Set(started).size).toBe(1);
  const id = await revertJob(gateway, vendor, job.id);
  expect(started).toContain(id);
  await runJob(gateway, id, 3);

  expect((await readJob(gateway, vendor, id)).payload).toMatchObject({
    kind: 'pushCosts',
    revertsJobId: job.id,
    state: 'Finished',
    counts: { accepted: 7, done: 5, failed: 2 },
  });
  const results = await resultsOf(gateway, vendor, id);
  expect(results.map(({ state, httpStatus }) => `${state} ${httpStatus}`)).toEqual([
    'SUCCESS 200',
    'SUCCESS 200',
    'SUCCESS 200',
    'CONFLICT_VERSION 409',
    'CONFLICT_VERSION 409',
    'SUCCESS 200',
    'SUCCESS 200',
  ]);
  expect(results.slice(5)).toMatchObject([
    { details: { nothingToRestore: true } },
    { details: { nothingToRestore: true } },
  ]);
  expect(factsOf(await read(live))).toEqual(before.get(live));
  expect(factsOf(await read(staged))).toEqual(before.get(staged));
  await patch(`${live}/stock`, stock);
  expect(factsOf(await read(fresh))).toMatchObject({
    cost: { pending: null },
    stock: { declaredQuantity: 3 },
  });
  expect([factsOf(await read(applied)), factsOf(await read(pushed))]).toEqual(since);
});

test('a first sale price is taken back', async ({ gateway }) => {
  const vendor = await newVendor(gateway, { agreement: percentageOfSale });
  const { results } = await runToEnd(gateway, vendor, 'createOffers', [perfume('a')]);
  const { token } = vendor;
  const read = () => call(gateway, 'GET', `/api/v1/scent/offers/${results[0]?.offerId}`, { token });
  const before = factsOf(await read());
  const job = await runToEnd(gateway, vendor, 'pushSalePrices', [
    { vendorExternalId: 'a', salePrice: 5, salePriceIsVatInclusive: true },
  ]);
  expect(factsOf(await read())).not.toEqual(before);

  await runJob(gateway, await revertJob(gateway, vendor, job.id));

  expect(factsOf(await read())).toEqual(before);
});

test('restores edits in the opposite order, and stock', async ({ gateway }) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const first = await create({ declared: { vendorExternalId: 'one', vendorSku: 'S' } });
  const second = await create({ declared: { vendorExternalId: 'two' } });
  const before = [factsOf(await read(first)), factsOf(await read(second))];
  const edits = await runToEnd(gateway, vendor, 'updateOffers', [
    { offerId: first, vendorExternalId: 'three', vendorSku: ' ', ...net(12) },
    { offerId: second, vendorExternalId: 'one' },
  ]);
  const stocks = await runToEnd(gateway, vendor, 'pushStocks', [
    { offerId: first, declaredInStock: true, declaredStockQuantity: 9 },
  ]);
  expect([...edits.results, ...stocks.results].map(({ state }) => state)).toEqual(
    Array(3).fill('SUCCESS'),
  );

  await runJob(gateway, await revertJob(gateway, vendor, stocks.id));
  await runJob(gateway, await revertJob(gateway, vendor, edits.id));

  expect([factsOf(await read(first)), factsOf(await read(second))]).toEqual(before);
});

test('a revert of creates withdraws the offers that nobody changed', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const { token } = vendor;
  const existing = await runToEnd(gateway, vendor, 'createOffers', [perfume('old')]);
  const job = await runToEnd(gateway, vendor, 'createOffers', [
    perfume('a'),
    perfume('b', { barcode: '4006381333931' }),
    perfume('old'),
  ]);
  const changed = job.results[1]?.offerId ?? '';
  await call(gateway, 'PATCH', `/api/v1/scent/offers/${changed}`, {
    token,
    body: { vendorSku: 'S' },
  });

  const id = await revertJob(gateway, vendor, job.id);
  await runJob(gateway, id);

  const results = await resultsOf(gateway, vendor, id);
  expect(results.map(({ state }) => state)).toEqual(['SUCCESS', 'CONFLICT_VERSION', 'SUCCESS']);
  const statusOf = async (offerId: string | null | undefined) =>
    textOf(await call(gateway, 'GET', `/api/v1/scent/offers/${offerId}`, { token }), 'status');
  expect(await statusOf(job.results[0]?.offerId)).toBe('Withdrawn');
  expect(await statusOf(changed)).toBe('PendingMatch');
  expect(await statusOf(existing.results[0]?.offerId)).toBe('PendingMatch');
});

test('changes nothing by a revert that only validates, and reverts no revert and no validation', async ({
  gateway,
}) => {
  const { vendor, create, read } = await newOfferFixture(gateway);
  const offerId = await create();
  const job = await runToEnd(gateway, vendor, 'pushCosts', [{ offerId, ...net(7) }]);
  const after = await read(offerId);

  const trial = await revertJob(gateway, vendor, job.id, '?validateOnly=true');
  await runJob(gateway, trial);

  expect(await resultsOf(gateway, vendor, trial)).toMatchObject([{ state: 'SUCCESS' }]);
  expect((await read(offerId)).payload).toEqual(after.payload);

  // A validation and a restoration cannot be reverted.
  const restoring = await revertJob(gateway, vendor, job.id);
  expect(restoring).not.toBe(trial);
  const items = [{ offerId, ...net(8) }];
  const validated = await startJob(gateway, vendor, 'pushCosts', items, '?validateOnly=true');
  for (const id of [restoring, validated]) {
    await runJob(gateway, id);
    const url = `${jobsPath}/${id}/revert`;
    expect(await call(gateway, 'POST', url, { token: vendor.token })).toMatchObject(
      refusal('BUSINESS_BULK_JOB_INVALID_TRANSITION'),
    );
  }
});
