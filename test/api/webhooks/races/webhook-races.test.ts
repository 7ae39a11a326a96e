import { expect } from 'vitest';
import { addSubscription } from '../../../db/support.ts';
import { textOf, type ApiResponse } from '../../../support/api/api.ts';
import {
  activeLimit,
  newWebhookFixture,
  noSubscription,
  notRedeliverable,
  type WebhookFixture,
} from '../webhook-fixture.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { untilLockWaits, holdLock } from '../../../support/database/locks.ts';

// Calls that meet on one subscription, in real transactions on the real Postgres. Of every round it
// is asked that there is an order in which the responses, and what is stored, are what the rules
// say.

const test = gatewayTest.extend(
  'eachRound',
  ({ gateway }) =>
    async (play: (fixture: WebhookFixture) => Promise<void>) => {
      for (let round = 0; round < raceRounds; round += 1)
        await play(await newWebhookFixture(gateway));
    },
);

const statuses = (responses: readonly ApiResponse[]) =>
  responses.map(({ status }) => status).toSorted((one, other) => one - other);

/** A given number of active subscriptions; returns their ids. */
const addSubscriptions = ({ sql, vendor }: WebhookFixture, count: number) =>
  Promise.all(Array.from({ length: count }, () => addSubscription(sql, vendor.vendorId)));

test('activates or creates a fifth subscription, never a sixth', ({ eachRound }) =>
  eachRound(async (fixture) => {
    const [one = '', two = ''] = await addSubscriptions(fixture, 2);
    await fixture.setActive(one, false);
    await fixture.setActive(two, false);
    await addSubscriptions(fixture, 4);
    const responses = await Promise.all([
      fixture.setActive(one, true),
      fixture.create(),
      fixture.setActive(two, true),
      fixture.create(),
    ]);
    expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status >= 300))
      expect(response).toMatchObject(activeLimit);
    expect(await fixture.activeCount()).toBe(5);
  }));

test('leaves at most five active after a deletion and a creation', ({ eachRound }) =>
  eachRound(async (fixture) => {
    const [first = ''] = await addSubscriptions(fixture, 5);
    const [gone, made] = await Promise.all([fixture.remove(first), fixture.create()]);
    expect(gone.status).toBe(200);
    expect([201, 422]).toContain(made.status);
    expect(await fixture.activeCount()).toBe(made.status === 201 ? 5 : 4);
  }));

test('redelivers one event once by three concurrent calls', ({ eachRound, operate }) =>
  eachRound(async (fixture) => {
    const id = await fixture.subscribe();
    const { deliveryId, attemptId } = await fixture.delivered(id, 'deadLettered');
    const responses = await Promise.all([
      fixture.redeliver(id, attemptId),
      fixture.redeliver(id, attemptId),
      operate('POST', `/webhook-deliveries/${deliveryId}/redeliver`),
    ]);
    expect(statuses(responses)).toEqual([200, 422, 422]);
    for (const response of responses.filter(({ status }) => status === 422))
      expect(response).toMatchObject(notRedeliverable('WAITING'));
    expect((await fixture.storedDelivery(deliveryId)).signals).toEqual(['queued']);
  }));

test('redelivers each dead letter once beside a concurrent recovery', ({ eachRound, operate }) =>
  eachRound(async (fixture) => {
    const id = await fixture.subscribe();
    const letters = [
      await fixture.delivered(id, 'deadLettered'),
      await fixture.delivered(id, 'deadLettered'),
      await fixture.delivered(id, 'deadLettered'),
    ];
    const body = { subscriptionId: id, since: '2020-01-01T00:00:00Z' };
    const recover = () => operate('POST', '/webhook-deliveries/recover', body);
    const [one, two, single] = await Promise.all([
      recover(),
      recover(),
      fixture.redeliver(id, letters[1]?.attemptId ?? ''),
    ]);
    const recovered = Number(one.payload?.['recovered']) + Number(two.payload?.['recovered']);
    expect(recovered + (single.status === 200 ? 1 : 0)).toBe(3);
    for (const { deliveryId } of letters)
      expect((await fixture.storedDelivery(deliveryId)).signals).toEqual(['queued']);
  }));

test('keeps the later of two updates, and both of different fields', ({ eachRound }) =>
  eachRound(async (fixture) => {
    const id = await fixture.subscribe();
    const [one, two] = [
      { url: 'https://one.example.org/', eventTypes: ['vendor.order.assigned'] },
      { url: 'https://two.example.org/', eventTypes: ['vendor.offer.review-decision'] },
    ];
    const put = (body: unknown) => fixture.update(id, body);
    const [first, second] = await Promise.all([put(one), put(two)]);
    expect([first.payload, second.payload]).toMatchObject([one, two]);
    const { url: stored, eventTypes } = await fixture.stored(id);
    expect([one, two]).toContainEqual({ url: stored, eventTypes });
    const three = { url: 'https://three.example.org/', eventTypes: ['vendor.order.assigned'] };
    const { url, ...types } = three;
    expect(statuses(await Promise.all([put({ url }), put(types)]))).toEqual([200, 200]);
    expect(await fixture.stored(id)).toMatchObject(three);
  }));

test.for(['off', 'deleted'] as const)(
  'refuses a redelivery, or ends it at once, beside a change of the subscription to %s',
  async (end, { eachRound }) => {
    await eachRound(async (fixture) => {
      const id = await fixture.subscribe();
      const { deliveryId, attemptId } = await fixture.delivered(id, 'deadLettered');
      const [ended, response] = await Promise.all([
        end === 'off' ? fixture.setActive(id, false) : fixture.remove(id),
        fixture.redeliver(id, attemptId),
      ]);
      expect(ended.status).toBe(200);
      const stored = await fixture.storedDelivery(deliveryId);
      if (response.status === 200) {
        expect(stored.state).toBe('cancelled');
        expect(stored.attemptTexts).toEqual(['1 http_status 503', '2 subscription_inactive']);
        return;
      }
      expect(response).toMatchObject(
        end === 'off' ? notRedeliverable('SUBSCRIPTION_INACTIVE') : noSubscription,
      );
      expect(stored).toMatchObject({ state: 'deadLettered', signals: [] });
    });
  },
);

test('stores the secret of the rotation that locks the row last', async ({ gateway }) => {
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe();
  const { sql } = gateway;
  const row = sql`select from webhook_subscriptions where id = ${id} for update`;
  const release = await holdLock(sql, row);
  const first = fixture.rotate(id);
  await untilLockWaits(sql, 1);
  const last = fixture.rotate(id);
  await untilLockWaits(sql, 2);
  await release();
  await first;
  const secret = textOf(await last, 'secret');
  const sealed = await fixture.sealedSecret(id);
  expect(gateway.dependencies.sealer.open(sealed, id)).toBe(secret);
});

test('deletes a subscription once beside an activation and a rotation', ({ eachRound }) =>
  eachRound(async (fixture) => {
    const id = await fixture.subscribe();
    await fixture.emit(id);
    const [one, two, activated, rotated] = await Promise.all([
      fixture.remove(id),
      fixture.remove(id),
      fixture.setActive(id, true),
      fixture.rotate(id),
    ]);
    expect(statuses([one, two])).toEqual([200, 404]);
    for (const response of [activated, rotated]) expect([200, 404]).toContain(response.status);
    const deleted = { isActive: false, deletedAt: expect.any(Date), secretBytes: 0 };
    expect(await fixture.stored(id)).toMatchObject(deleted);
  }));
