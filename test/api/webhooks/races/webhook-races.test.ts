import { expect } from 'vitest';
import { addSubscription } from '../../../db/support.ts';
import { newOperator } from '../../../support/api/actors.ts';
import { call, textOf, type Answer, type Gateway } from '../../../support/api/api.ts';
import {
  activeLimit,
  activeOf,
  newWebhookFixture,
  noSubscription,
  notRedeliverable,
  type WebhookFixture,
} from '../webhook-fixture.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';
import { raceRounds } from '../../../support/race-rounds.ts';
import { untilLockWaits, holdLock } from '../../../support/database/locks.ts';

// Calls that meet on one subscription, in real transactions on the real Postgres. Of every round it
// is asked that there is an order in which the answers, and what is stored, are what the rules say.

const test = gatewayTest.extend(
  'staff',
  { scope: 'file' },
  async ({ gateway }) => (await newOperator(gateway, ['Operations'])).token,
);

async function eachRound(
  gateway: Gateway,
  play: (fixture: WebhookFixture) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < raceRounds; round += 1) await play(await newWebhookFixture(gateway));
}
const statuses = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

/** So many active subscriptions; returns their ids. */
const addSubscriptions = ({ sql }: Gateway, { vendor }: WebhookFixture, count: number) =>
  Promise.all(Array.from({ length: count }, () => addSubscription(sql, vendor.vendorId)));

test('activates or creates one fifth subscription, and no sixth', async ({ gateway }) => {
  await eachRound(gateway, async (fixture) => {
    const [one = '', two = ''] = await addSubscriptions(gateway, fixture, 2);
    await fixture.setActive(one, false);
    await fixture.setActive(two, false);
    await addSubscriptions(gateway, fixture, 4);
    const answers = await Promise.all([
      fixture.setActive(one, true),
      fixture.create(),
      fixture.setActive(two, true),
      fixture.create(),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status >= 300))
      expect(answer).toMatchObject(activeLimit);
    expect(await activeOf(gateway.sql, fixture.vendor.vendorId)).toBe(5);
  });
});

test('leaves at most five active after a deletion and a creation', async ({ gateway }) => {
  await eachRound(gateway, async (fixture) => {
    const [first = ''] = await addSubscriptions(gateway, fixture, 5);
    const [gone, made] = await Promise.all([fixture.remove(first), fixture.create()]);
    expect(gone.status).toBe(200);
    expect([201, 422]).toContain(made.status);
    expect(await activeOf(gateway.sql, fixture.vendor.vendorId)).toBe(made.status === 201 ? 5 : 4);
  });
});

test('redelivers one event once of three calls', async ({ gateway, staff }) => {
  await eachRound(gateway, async (fixture) => {
    const id = await fixture.subscribe();
    const { deliveryId, attemptId } = await fixture.delivered(id, 'deadLettered');
    const url = `/operator/v1/webhook-deliveries/${deliveryId}/redeliver`;
    const answers = await Promise.all([
      fixture.redeliver(id, attemptId),
      fixture.redeliver(id, attemptId),
      call(gateway, 'POST', url, { token: staff }),
    ]);
    expect(statuses(answers)).toEqual([200, 422, 422]);
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(answer).toMatchObject(notRedeliverable('WAITING'));
    expect((await fixture.storedDelivery(deliveryId)).signals).toEqual(['start', 'redeliver']);
  });
});

test('redelivers each dead letter once beside a recovery', async ({ gateway, staff }) => {
  await eachRound(gateway, async (fixture) => {
    const id = await fixture.subscribe();
    const letters = [
      await fixture.delivered(id, 'deadLettered'),
      await fixture.delivered(id, 'deadLettered'),
      await fixture.delivered(id, 'deadLettered'),
    ];
    const body = { subscriptionId: id, since: '2020-01-01T00:00:00Z' };
    const recover = () =>
      call(gateway, 'POST', '/operator/v1/webhook-deliveries/recover', { token: staff, body });
    const [one, two, single] = await Promise.all([
      recover(),
      recover(),
      fixture.redeliver(id, letters[1]?.attemptId ?? ''),
    ]);
    const recovered = Number(one.payload?.['recovered']) + Number(two.payload?.['recovered']);
    expect(recovered + (single.status === 200 ? 1 : 0)).toBe(3);
    for (const { deliveryId } of letters)
      expect((await fixture.storedDelivery(deliveryId)).signals).toEqual(['start', 'redeliver']);
  });
});

test('keeps the later of two updates, and both of different fields', async ({ gateway }) => {
  await eachRound(gateway, async (fixture) => {
    const id = await fixture.subscribe();
    const [one, two] = [
      { url: 'https://one.example.org/', eventTypes: ['vendor.order.assigned'] },
      { url: 'https://two.example.org/', eventTypes: ['vendor.offer.review-decision'] },
    ];
    const put = (body: unknown) => fixture.update(id, body);
    const [first, second] = await Promise.all([put(one), put(two)]);
    expect([first.payload, second.payload]).toMatchObject([one, two]);
    expect([one, two]).toContainEqual({
      url: (await fixture.stored(id)).url,
      eventTypes: (await fixture.stored(id)).eventTypes,
    });
    const [url, types] = ['https://three.example.org/', ['vendor.order.assigned']];
    expect(statuses(await Promise.all([put({ url }), put({ eventTypes: types })]))).toEqual([
      200, 200,
    ]);
    expect(await fixture.stored(id)).toMatchObject({ url, eventTypes: types });
  });
});

test.for(['off', 'deleted'] as const)(
  'a redelivery against a subscription switched %s: refused or ended at once, never left waiting',
  async (end, { gateway }) => {
    await eachRound(gateway, async (fixture) => {
      const id = await fixture.subscribe();
      const { deliveryId, attemptId } = await fixture.delivered(id, 'deadLettered');
      const [ended, answer] = await Promise.all([
        end === 'off' ? fixture.setActive(id, false) : fixture.remove(id),
        fixture.redeliver(id, attemptId),
      ]);
      expect(ended.status).toBe(200);
      const stored = await fixture.storedDelivery(deliveryId);
      if (answer.status === 200) {
        expect(stored.state).toBe('cancelled');
        expect(stored.attemptTexts).toEqual(['1 http_status 503', '2 subscription_inactive']);
        return;
      }
      expect(answer).toMatchObject(
        end === 'off' ? notRedeliverable('SUBSCRIPTION_INACTIVE') : noSubscription,
      );
      expect(stored).toMatchObject({ state: 'deadLettered', signals: ['start'] });
    });
  },
);

test('the rotation that gets the row last is stored', async ({ gateway }) => {
  const fixture = await newWebhookFixture(gateway);
  const id = await fixture.subscribe();
  const { sql } = gateway;
  const release = await holdLock(
    sql,
    sql`select from webhook_subscriptions where id = ${id} for update`,
  );
  const rotate = () => fixture.rotate(id);
  const first = rotate();
  await untilLockWaits(gateway.sql, 1);
  const last = rotate();
  await untilLockWaits(gateway.sql, 2);
  await release();
  await first;
  const secret = textOf(await last, 'secret');
  const sealed = await fixture.sealedSecret(id);
  expect(gateway.dependencies.sealer.open(sealed, id)).toBe(secret);
});

test('deletes once beside activation and rotation', async ({ gateway }) => {
  await eachRound(gateway, async (fixture) => {
    const id = await fixture.subscribe();
    await fixture.emit(id);
    const [one, two, activated, rotated] = await Promise.all([
      fixture.remove(id),
      fixture.remove(id),
      fixture.setActive(id, true),
      fixture.rotate(id),
    ]);
    expect(statuses([one, two])).toEqual([200, 404]);
    for (const answer of [activated, rotated]) expect([200, 404]).toContain(answer.status);
    expect(await fixture.stored(id)).toMatchObject({
      isActive: false,
      deletedAt: expect.any(Date),
      secretBytes: 0,
    });
  });
});
