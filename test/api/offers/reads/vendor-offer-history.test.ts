import { expect } from 'vitest';
import { percentageOfSale } from '../../support/actors.ts';
import { newBench, rowOf } from '../offer-fixture.ts';
import { itemsOf } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway-test.ts';
import { list, listedIds } from './vendor-offer-reads-fixture.ts';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('include=history adds every status change, the oldest first, and without it there is none', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const id = await bench.offerIn('Rejected', { isMatched: false });
  await bench.patch(id, { vendorSku: 'S' });
  await bench.patch(id, { rawSizeMl: 5 });
  await bench.send('PATCH', `/${id}/stock`, { declaredInStock: true });
  await bench.send('POST', `/${id}/withdraw`);
  const plain = await bench.read(id);
  const answer = await bench.send('GET', `/${id}?include=history`);
  expect(answer.payload).toStrictEqual({
    ...plain.payload,
    history: [
      { at: instant, from: null, to: 'PendingMatch', reason: null },
      { at: instant, from: 'PendingMatch', to: 'Rejected', reason: 'No.' },
      { at: instant, from: 'Rejected', to: 'PendingMatch', reason: null },
      { at: instant, from: 'PendingMatch', to: 'Withdrawn', reason: null },
    ],
  });
  expect(plain.payload).not.toHaveProperty('history');
  const { history } = answer.payload as { history: { at: string }[] };
  const times = history.map((change) => change.at);
  expect(times).toEqual(times.toSorted());
  expect(times.at(-1)).toBe((await rowOf(gateway, id))?.['changedAt'].toISOString());
});

test('in a list each offer has its own history', async ({ gateway }) => {
  const bench = await newBench(gateway);
  const draft = await bench.offerIn('Draft');
  const suspended = await bench.offerIn('Suspended');
  const other = await newBench(gateway);
  await other.create();
  const items = itemsOf(await list(bench, '?include=history'));
  expect(
    items.map(({ id, history }) => [id, (history as { to: string }[]).map(({ to }) => to)]),
  ).toEqual([
    [suspended, ['PendingReview', 'Approved', 'Suspended']],
    [draft, ['Draft']],
  ]);
  expect(itemsOf(await list(bench, '?include=history&status=Withdrawn'))).toEqual([]);
  expect(itemsOf(await list(bench))[0]).not.toHaveProperty('history');
});

test('from the moment the agreement is switched, reads, filters, order and history tell offers as switched', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const draft = await bench.offerIn('Draft');
  const approved = await bench.offerIn('Approved');
  await bench.send('PATCH', `/${approved}/cost`, { cost: 50, costIsVatInclusive: false });
  const before = new Date(Date.now() - 1).toISOString();
  await bench.switchAgreement(percentageOfSale);
  expect(await rowOf(gateway, approved)).toMatchObject({ status: 'Approved' });

  const { payload } = await bench.send('GET', `/${approved}?include=history`);
  expect(payload).toMatchObject({
    status: 'PendingRepricing',
    pricingModel: { name: 'PercentageOfSale', model: 2 },
    cost: { amount: null, pending: null },
    price: { amount: null, pending: null },
    history: [{}, { to: 'Approved' }, { from: 'Approved', to: 'PendingRepricing', reason: null }],
  });
  expect(itemsOf(await list(bench, '?status=PendingRepricing&include=history'))).toStrictEqual([
    payload,
  ]);
  expect(await listedIds(bench, { status: 'Approved' })).toEqual([]);
  expect(await listedIds(bench, { status: 'Draft' })).toEqual([draft]);
  expect(new Set(await listedIds(bench, { changedSince: before }))).toEqual(
    new Set([draft, approved]),
  );
});

test('while a switch is under way, what changes after it is found by changedSince as changed after it', async ({
  gateway,
}) => {
  const bench = await newBench(gateway);
  const [edited, stocked] = [await bench.offerIn('Approved'), await bench.offerIn('Approved')];
  await bench.switchAgreement(percentageOfSale);
  const [vendor] = await gateway.sql<[{ at: Date }]>`
    select agreement_changed_at as at from vendors where id = ${bench.vendor.vendorId}`;
  const changedSince = vendor.at.toISOString();
  expect(await listedIds(bench, { changedSince })).toEqual([]);
  await bench.patch(edited, { vendorSku: 'S' });
  expect(await listedIds(bench, { changedSince })).toEqual([edited]);
  await bench.send('PATCH', `/${stocked}/stock`, {
    declaredInStock: true,
    declaredStockQuantity: 3,
  });
  expect(await listedIds(bench, { changedSince })).toEqual([edited, stocked]);
  // The history keeps the moment of the switch itself.
  for (const id of [edited, stocked]) {
    const { payload } = await bench.send('GET', `/${id}?include=history`);
    const { history } = payload as { history: { at: string }[] };
    expect(history.at(-1)).toEqual({
      at: changedSince,
      from: 'Approved',
      to: 'PendingRepricing',
      reason: null,
    });
  }
});
