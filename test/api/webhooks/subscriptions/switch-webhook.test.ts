import { expect } from 'vitest';
import { textOf } from '../../../support/api/api.ts';
import {
  activeLimit,
  activeOf,
  noSubscription,
  orders,
  subscriptionIdOf,
  webhookTest as test,
  type WebhookFixture,
} from '../webhook-fixture.ts';

// Activation, deletion and rotation of a subscription. What a deactivation does to deliveries in
// each state has its cases in `test/db/webhooks/delivery-table.test.ts`, the bodies in
// `../webhook-body.test.ts`.

const bySwitch = 'Switched off by the vendor.';

test('switches off and on, each repeatedly', async ({ fixture: { setActive, send }, id }) => {
  for (const isActive of [false, false, true, true]) {
    const answer = await setActive(id.toUpperCase(), isActive);
    expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(answer.payload).toStrictEqual({ id, isActive });
    expect((await send('GET', `/${id}`)).payload).toMatchObject({ isActive });
  }
});

test('a deactivation ends the waiting deliveries of the subscription', async ({
  fixture: { subscribe, emit, setActive, stored, storedDelivery },
  id,
}) => {
  const [ended, others] = [await emit(id), await emit(await subscribe())];
  await setActive(id, false);
  expect(await stored(id)).toMatchObject({ isActive: false, inactiveReason: bySwitch });
  expect(await storedDelivery(ended)).toMatchObject({
    state: 'cancelled',
    attemptTexts: ['1 subscription_inactive'],
    signals: ['start', 'deactivated'],
  });
  expect(await storedDelivery(others)).toMatchObject({ state: 'waiting', attemptTexts: [] });
});

test('keeps the reason when inactive', async ({ fixture: { sql, setActive, stored }, id }) => {
  const inactiveReason = 'The receiver answered 410 Gone.';
  await sql`
    update webhook_subscriptions set is_active = false, inactive_reason = ${inactiveReason}
    where id = ${id}`;
  expect((await setActive(id, false)).status).toBe(200);
  expect(await stored(id)).toMatchObject({ inactiveReason });
});

test('resets failures by an activation', async ({ fixture: { sql, setActive, stored }, id }) => {
  await sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days', dead_letters = 3
    where id = ${id}`;
  const before = await stored(id);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await stored(id)).toEqual(before);
  await setActive(id, false);
  expect((await setActive(id, true)).status).toBe(200);
  const reset = { isActive: true, inactiveReason: null, failingSince: null, deadLetters: 0 };
  expect(await stored(id)).toMatchObject(reset);
});

test('refuses the activation of a sixth, and counts no inactive one', async ({
  fixture: { setActive, stored, subscribe, sql, vendor },
  id,
}) => {
  for (let active = 1; active < 5; active += 1) await subscribe();
  await setActive(id, false);
  const sixth = await subscribe();
  expect(await setActive(id, true)).toMatchObject(activeLimit);
  expect(await stored(id)).toMatchObject({ isActive: false, inactiveReason: bySwitch });
  // Activating an active one is no sixth.
  expect((await setActive(sixth, true)).status).toBe(200);
  await setActive(sixth, false);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await activeOf(sql, vendor.vendorId)).toBe(5);
});

test('deletes the secret, and ends what waits', async ({
  fixture: { emit, setActive, subscribe, remove, stored, storedDelivery },
  id,
}) => {
  const [waiting, inactive] = [await emit(id), await subscribe()];
  await setActive(inactive, false);
  const answer = await remove(id.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  expect((await remove(inactive, {})).status).toBe(200);
  for (const each of [id, inactive])
    expect(await stored(each)).toMatchObject({
      isActive: false,
      inactiveReason: 'Deleted by the vendor.',
      deletedAt: expect.any(Date),
      secretBytes: 0,
    });
  const ended = { state: 'cancelled', signals: ['start', 'deactivated'] };
  expect(await storedDelivery(waiting)).toMatchObject(ended);
  await expect(emit(id)).rejects.toThrow('no delivery');
});

/** A call of each route of one subscription. */
const callsOf = (
  { send, update, setActive, remove, rotate, redeliver }: WebhookFixture,
  id: string,
  attemptId: string,
) => [
  () => send('GET', `/${id}`),
  () => send('GET', `/${id}/deliveries`),
  () => update(id, { url: 'https://other.example.org/' }),
  () => redeliver(id, attemptId),
  () => send('POST', `/${id}/test-fire`, { eventType: orders }),
  () => rotate(id),
  () => setActive(id, true),
  () => setActive(id, false),
  () => remove(id),
];

test('every route answers 404 for a deleted subscription, and changes none', async ({
  fixture,
  id,
}) => {
  const { attemptId } = await fixture.delivered(id, 'succeeded');
  await fixture.remove(id);
  const before = await fixture.stored(id);
  for (const each of [id, '1', '%00'])
    for (const call of callsOf(fixture, each, attemptId))
      expect(await call()).toMatchObject(noSubscription);
  expect(await fixture.stored(id)).toEqual(before);
});

test('a rotation seals a new secret to the row, also of an inactive subscription', async ({
  gateway,
  fixture: { setActive, rotate, sealedSecret },
  id,
}) => {
  await setActive(id, false);
  const { sealer } = gateway.dependencies;
  const old = sealer.open(await sealedSecret(id), id);
  // An empty body is none.
  expect((await rotate(id, '')).status).toBe(200);
  const answer = await rotate(id, {});
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscriptionId: id,
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const secret = textOf(answer, 'secret');
  expect(secret).not.toBe(old);
  const sealed = await sealedSecret(id);
  expect(sealer.open(sealed, id)).toBe(secret);
  expect(Buffer.from(sealed).includes(secret)).toBe(false);
});

test('no answer but those of create and rotate has a secret', async ({ fixture }) => {
  const made = await fixture.create();
  const id = subscriptionIdOf(made);
  const rotated = await fixture.rotate(id);
  const { attemptId } = await fixture.delivered(id, 'succeeded');
  const secrets = [textOf(made, 'secret'), textOf(rotated, 'secret')];
  const calls = callsOf(fixture, id, attemptId).toSpliced(5, 1);
  const answers = [await fixture.send('GET', '')];
  for (const call of calls) answers.push(await call());
  // Of the test-fire's failure too: no worker runs here.
  const statuses = [200, 200, 200, 200, 200, 503, 200, 200, 200];
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  for (const { text } of answers) {
    expect(text).not.toMatch(/secret|whsec/i);
    for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length));
  }
});
