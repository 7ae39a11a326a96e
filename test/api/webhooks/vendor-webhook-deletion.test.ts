import { expect } from 'vitest';
import { activeOf, delivered, emit, storedDelivery } from './webhook-fixture.ts';
import {
  test,
  notFound,
  setActive,
  remove,
  rotate,
  stored,
  subscribeTimes,
} from './vendor-webhook-activation-fixture.ts';

test('a deleted subscription is gone for its vendor, and makes room for another', async ({
  gateway,
  bench,
}) => {
  const [first = ''] = await subscribeTimes(bench, 5);
  const answer = await remove(bench, first.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  const id = await bench.subscribe();
  expect(await activeOf(gateway.sql, bench.vendor.vendorId)).toBe(5);
  // An inactive one does not count, and comes to nothing all the same.
  await setActive(bench, id, false);
  expect((await remove(bench, id)).status).toBe(200);
  expect(await stored(gateway, id)).toMatchObject({
    inactiveReason: 'Deleted by the vendor.',
    secretBytes: 0,
  });
});

test('its secret is wiped, what waited is ended, and no event comes to it any more', async ({
  gateway,
  bench,
}) => {
  const { sql } = gateway;
  const { vendorId } = bench.vendor;
  const id = await bench.subscribe();
  const waiting = await emit(sql, vendorId, id);
  await remove(bench, id);
  expect(await stored(gateway, id)).toMatchObject({
    isActive: false,
    inactiveReason: 'Deleted by the vendor.',
    deletedAt: expect.any(Date),
    secretBytes: 0,
  });
  expect(await storedDelivery(sql, waiting)).toMatchObject({
    state: 'cancelled',
    signals: ['start', 'deactivated'],
  });
  await expect(emit(sql, vendorId, id)).rejects.toThrow('no delivery');
});

test('on every route a deleted subscription is 404, and stays as it was', async ({
  gateway,
  bench,
}) => {
  const id = await bench.subscribe();
  const { attemptId } = await delivered(gateway.sql, bench.vendor.vendorId, id, 'succeeded');
  await remove(bench, id);
  const before = await stored(gateway, id);
  const answers = [
    await bench.send('GET', `/${id}`),
    await bench.send('GET', `/${id}/deliveries`),
    await bench.send('PUT', `/${id}`, {}),
    await setActive(bench, id, true),
    await setActive(bench, id, false),
    await remove(bench, id),
    await rotate(bench, id),
    await bench.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await bench.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
  ];
  for (const answer of answers) expect(answer).toMatchObject(notFound);
  expect(await stored(gateway, id)).toEqual(before);
});
