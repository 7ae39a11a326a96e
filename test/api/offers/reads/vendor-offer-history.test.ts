import { expect } from 'vitest';
import { percentageOfSale } from '../../support/actors.ts';
import { newOfferFixture } from '../offer-fixture.ts';
import { itemsOf } from '../../support/api.ts';
import { gatewayTest as test } from '../../../support/gateway/gateway-test.ts';
import { list, listedIds } from './vendor-offer-reads-fixture.ts';
import { rowOf } from '../offer-record.ts';
import { instant } from '../../support/matchers.ts';

test('only include=history adds every status change, the oldest first', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.offerIn('Rejected', { isMatched: false });
  await fixture.patch(id, { vendorSku: 'S' });
  await fixture.patch(id, { rawSizeMl: 5 });
  await fixture.send('PATCH', `/${id}/stock`, { declaredInStock: true });
  await fixture.send('POST', `/${id}/withdraw`);
  const plain = await fixture.send('GET', `/${id}`);
  const answer = await fixture.send('GET', `/${id}?include=history`);
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
  expect(times.at(-1)).toBe((await rowOf(gateway.sql, id))?.['changedAt'].toISOString());
});

test('reads, filters, order and history show a switch at once', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const draft = await fixture.offerIn('Draft');
  const approved = await fixture.offerIn('Approved');
  await fixture.send('PATCH', `/${approved}/cost`, { cost: 50, costIsVatInclusive: false });
  const before = new Date(Date.now() - 1).toISOString();
  await fixture.switchAgreement(percentageOfSale);
  expect(await rowOf(gateway.sql, approved)).toMatchObject({ status: 'Approved' });

  const { payload } = await fixture.send('GET', `/${approved}?include=history`);
  expect(payload).toMatchObject({
    status: 'PendingRepricing',
    pricingModel: { name: 'PercentageOfSale', model: 2 },
    cost: { amount: 100, pending: null },
    price: { amount: null, pending: null },
    history: [{}, { to: 'Approved' }, { from: 'Approved', to: 'PendingRepricing', reason: null }],
  });
  expect(itemsOf(await list(fixture, '?status=PendingRepricing&include=history'))).toStrictEqual([
    payload,
  ]);
  expect(await listedIds(fixture, { status: 'Approved' })).toEqual([]);
  expect(await listedIds(fixture, { status: 'Draft' })).toEqual([draft]);
  expect(new Set(await listedIds(fixture, { changedSince: before }))).toEqual(
    new Set([draft, approved]),
  );
});

test('during a switch, changedSince finds later changes after the switch', async ({ gateway }) => {
  const fixture = await newOfferFixture(gateway);
  const [edited, stocked] = [await fixture.offerIn('Approved'), await fixture.offerIn('Approved')];
  await fixture.switchAgreement(percentageOfSale);
  // The switch has the change time of both offers, with microseconds.
  const { payload: switched } = await fixture.send('GET', `/${edited}`);
  const changedSince = String(switched?.['changedAt']);
  expect(await listedIds(fixture, { changedSince })).toEqual([]);
  await fixture.patch(edited, { vendorSku: 'S' });
  expect(await listedIds(fixture, { changedSince })).toEqual([edited]);
  await fixture.send('PATCH', `/${stocked}/stock`, {
    declaredInStock: true,
    declaredStockQuantity: 3,
  });
  expect(await listedIds(fixture, { changedSince })).toEqual([edited, stocked]);
  // The history keeps the moment of the switch itself.
  for (const id of [edited, stocked]) {
    const { payload } = await fixture.send('GET', `/${id}?include=history`);
    const { history } = payload as { history: { at: string }[] };
    expect(history.at(-1)).toEqual({
      at: `${changedSince.slice(0, -4)}Z`,
      from: 'Approved',
      to: 'PendingRepricing',
      reason: null,
    });
  }
});
