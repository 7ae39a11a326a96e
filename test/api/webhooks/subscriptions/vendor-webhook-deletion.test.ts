import { expect } from 'vitest';
import { activeOf, delivered, emit, storedDelivery } from '../webhook-fixture.ts';
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
  fixture,
}) => {
  const [first = ''] = await subscribeTimes(fixture, 5);
  const answer = await remove(fixture, first.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  const id = await fixture.subscribe();
  expect(await activeOf(gateway.sql, fixture.vendor.vendorId)).toBe(5);
  // An inactive one does not count, and comes to nothing all the same.
  await setActive(fixture, id, false);
  expect((await remove(fixture, id)).status).toBe(200);
  expect(await stored(gateway, id)).toMatchObject({
    inactiveReason: 'Deleted by the vendor.',
    secretBytes: 0,
  });
});

test('its secret is wiped, what waited is ended, and no event comes to it any more', async ({
  gateway,
  fixture,
}) => {
  const { sql } = gateway;
  const { vendorId } = fixture.vendor;
  const id = await fixture.subscribe();
  const waiting = await emit(sql, vendorId, id);
  await remove(fixture, id);
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
  fixture,
}) => {
  const id = await fixture.subscribe();
  const { attemptId } = await delivered(gateway.sql, fixture.vendor.vendorId, id, 'succeeded');
  await remove(fixture, id);
  const before = await stored(gateway, id);
  const answers = [
    await fixture.send('GET', `/${id}`),
    await fixture.send('GET', `/${id}/deliveries`),
    await fixture.send('PUT', `/${id}`, {}),
    await setActive(fixture, id, true),
    await setActive(fixture, id, false),
    await remove(fixture, id),
    await rotate(fixture, id),
    await fixture.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await fixture.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
  ];
  for (const answer of answers) expect(answer).toMatchObject(notFound);
  expect(await stored(gateway, id)).toEqual(before);
});
