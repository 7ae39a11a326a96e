import { expect } from 'vitest';
import { compactCounters } from '../../../db/lists/compact-counters.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { refusal, unknownId } from '../../support/api/api.ts';
import { attempt, emit, firedSample, newWebhookFixture } from '../webhooks/webhook-fixture.ts';

type Point = Readonly<Record<string, number>> & { readonly at: string };

const sumOf = (points: readonly Point[], name: string) =>
  points.reduce((total, point) => total + (point[name] ?? 0), 0);

test('counts deliveries, decisions, returns and waiting offers of a vendor and of all', async ({
  gateway,
  operate,
}) => {
  const { sql } = gateway;
  const ask = (query: string) => operate('GET', `/statistics?${query}`);
  const read = async (query: string) =>
    ((await ask(query)).payload as { points: readonly Point[] }).points;
  const before = await read('');
  const offers = await newOfferFixture(gateway);
  await offers.offerIn('Approved');
  await offers.offerIn('Rejected');
  const returned = await offers.offerIn('Approved');
  await offers.decide(returned, 'return-to-review', { reason: 'No.' });
  const webhooks = await newWebhookFixture(gateway);
  const id = await webhooks.subscribe();
  const deliveryId = await emit(sql, webhooks.vendor.vendorId, id);
  await attempt(sql, deliveryId, 'waiting');
  await attempt(sql, deliveryId, 'succeeded');
  await firedSample(sql, webhooks.vendor.vendorId, id);
  const returns = await newReturnFixture(gateway);
  await returns.returnIn('InspectionAccepted');
  await returns.returnIn('Pending');
  const none = {
    delivered: 0,
    failed: 0,
    approved: 0,
    rejected: 0,
    returnedToReview: 0,
    pricesApplied: 0,
    pricesDiscarded: 0,
    returnsRequested: 0,
    returnsDecided: 0,
    offersWaiting: 0,
  };
  const ofVendors = [
    [
      offers.vendor.vendorId,
      { ...none, approved: 2, rejected: 1, returnedToReview: 1, offersWaiting: 1 },
    ],
    [webhooks.vendor.vendorId, { ...none, delivered: 1, failed: 1 }],
    [returns.vendor.vendorId, { ...none, returnsRequested: 2, returnsDecided: 1 }],
  ] as const;
  for (const [vendorId, expected] of ofVendors)
    for (const [unit, length, stepMs] of [
      ['hour', 48, 3_600_000],
      ['day', 30, 86_400_000],
    ] as const) {
      const points = await read(`unit=${unit}&vendorId=${vendorId}`);
      expect(points).toHaveLength(length);
      // An hour may have ended since.
      const sum = Object.fromEntries(
        Object.keys(none).map((name) => [
          name,
          name === 'offersWaiting' ? points.at(-1)?.[name] : sumOf(points, name),
        ]),
      );
      expect(sum).toEqual(expected);
      const times = points.map(({ at }) => Date.parse(at));
      const start = times[0] ?? 0;
      expect(times).toEqual(times.map((_time, index) => start + index * stepMs));
      expect(points[0]).toMatchObject(none);
    }
  const after = await read('unit=hour');
  const ofDays = await read('unit=day');
  expect(ofDays.at(-1)?.['offersWaiting']).toBe(after.at(-1)?.['offersWaiting']);
  for (const [name, least] of [
    ['delivered', 1],
    ['returnsRequested', 2],
    ['approved', 1],
  ] as const)
    expect(sumOf(after, name)).toBeGreaterThanOrEqual(sumOf(before, name) + least);
  expect(await ask(`vendorId=${unknownId()}`)).toMatchObject(refusal('NOT_FOUND_VENDOR'));
  expect(await ask('unit=week')).toMatchObject(refusal('VALIDATION_INVALID_QUERY_PARAMETER'));
});

test('gives the median and the 90th percentile of how long offers waited for a decision', async ({
  gateway,
  operate,
}) => {
  const { sql } = gateway;
  const { vendor, offerIn, decide } = await newOfferFixture(gateway);
  const ask = async (vendorId: string) => {
    const query = `/statistics?unit=day&vendorId=${vendorId}`;
    const { payload } = await operate('GET', query);
    return (payload as { points: readonly (Point & Record<string, number | null>)[] }).points;
  };
  const hourMs = 3_600_000;
  const none = { medianWaitMs: null, p90WaitMs: null };
  expect((await ask(vendor.vendorId)).every((each) => each.medianWaitMs === null)).toBe(true);
  for (const hours of [1, 2, 3, 4, 5, 6, 7, 8, 9, 50]) {
    const offer = await offerIn('PendingReview');
    await sql`update offers set awaiting_since = now() - ${hours} * interval '1 hour'
      where id = ${offer}`;
    await (hours % 2 === 0 ? decide(offer, 'reject', { reason: 'No.' }) : decide(offer, 'approve'));
  }
  // An hour or a day may have ended since the first of them.
  await sql`
    update audit_counts set hour = date_trunc('hour', now(), 'UTC')
    where vendor_id = ${vendor.vendorId}`;
  const decided = async () => {
    const points = await ask(vendor.vendorId);
    const found = points.filter((each) => each.medianWaitMs !== null);
    expect(points[0]).toMatchObject(none);
    expect(found).toHaveLength(1);
    return found[0];
  };
  const isWithin = (ms: number | null | undefined, hours: number) =>
    expect(Math.abs((ms ?? 0) / (hours * hourMs) - 1)).toBeLessThan(0.06);
  const before = await decided();
  isWithin(before?.medianWaitMs, 5);
  isWithin(before?.p90WaitMs, 9);
  await compactCounters(sql);
  expect(await decided()).toEqual(before);
});
