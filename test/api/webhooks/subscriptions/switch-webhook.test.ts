import { expect } from 'vitest';
import { textOf } from '../../../support/api/api.ts';
import { activeLimit, noSubscription, orders, webhookTest as test } from '../webhook-fixture.ts';

// Activation, deletion and rotation of a subscription. What a deactivation does to deliveries in
// each state has its cases in `test/db/webhooks/delivery-table.test.ts`, the bodies in
// `../webhook-body.test.ts`.

const bySwitch = 'Switched off by the vendor.';

test('switches a subscription off and on, also repeatedly', async ({ fixture, id }) => {
  for (const isActive of [false, false, true, true]) {
    const response = await fixture.setActive(id.toUpperCase(), isActive);
    expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
    expect(response.payload).toStrictEqual({ id, isActive });
    const inactiveReason = isActive ? null : bySwitch;
    expect(await fixture.stored(id)).toMatchObject({ isActive, inactiveReason });
  }
});

test('keeps the first inactivity reason', async ({ fixture: { sql, setActive, stored }, id }) => {
  const inactiveReason = 'The receiver answered 410 Gone.';
  await sql`
    update webhook_subscriptions set is_active = false, inactive_reason = ${inactiveReason}
    where id = ${id}`;
  expect((await setActive(id, false)).status).toBe(200);
  expect(await stored(id)).toMatchObject({ inactiveReason });
});

test('resets failures at an activation', async ({ fixture: { sql, setActive, stored }, id }) => {
  await sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days', dead_letters = 3
    where id = ${id}`;
  const before = await stored(id);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await stored(id)).toEqual(before);
  await setActive(id, false);
  await setActive(id, true);
  expect(await stored(id)).toMatchObject({ isActive: true, failingSince: null, deadLetters: 0 });
});

test('refuses to activate a sixth one, and counts no inactive one', async ({ fixture, id }) => {
  const { setActive, stored, subscribe, activeCount } = fixture;
  for (let active = 1; active < 5; active += 1) await subscribe();
  await setActive(id, false);
  const sixth = await subscribe();
  expect(await setActive(id, true)).toMatchObject(activeLimit);
  expect(await stored(id)).toMatchObject({ isActive: false, inactiveReason: bySwitch });
  // Activating an active one is no sixth.
  expect((await setActive(sixth, true)).status).toBe(200);
  await setActive(sixth, false);
  expect((await setActive(id, true)).status).toBe(200);
  expect(await activeCount()).toBe(5);
});

test('deletes the secret, and ends waiting deliveries, at a deletion', async ({ fixture, id }) => {
  const { emit, subscribe, remove, stored, storedDelivery } = fixture;
  const inactive = await subscribe();
  await fixture.setActive(inactive, false);
  const [waiting, other] = [await emit(id), await emit(await subscribe())];
  const response = await remove(id.toUpperCase());
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({ deleted: true });
  expect((await remove(inactive, {})).status).toBe(200);
  const deleted = { isActive: false, inactiveReason: 'Deleted by the vendor.', secretBytes: 0 };
  for (const each of [id, inactive])
    expect(await stored(each)).toMatchObject({ ...deleted, deletedAt: expect.any(Date) });
  const ended = { state: 'cancelled', signals: [] };
  expect(await storedDelivery(waiting)).toMatchObject(ended);
  expect(await storedDelivery(other)).toMatchObject({ state: 'waiting', signals: ['queued'] });
  await expect(emit(id)).rejects.toThrow('no delivery');
});

test('returns 404 on every route after a deletion; changes nothing', async ({ fixture, id }) => {
  const { send, update, setActive, remove, rotate, redeliver, stored } = fixture;
  const { attemptId } = await fixture.delivered(id, 'succeeded');
  await remove(id);
  const before = await stored(id);
  for (const each of [id, '1', '%00'])
    for (const response of [
      await send('GET', `/${each}`),
      await send('GET', `/${each}/deliveries`),
      // Before the guardrail judges the URL.
      await update(each, { url: 'https://127.0.0.1/' }),
      await redeliver(each, attemptId),
      await send('POST', `/${each}/test-fire`, { eventType: orders }),
      await rotate(each),
      await setActive(each, true),
      await setActive(each, false),
      await remove(each),
    ])
      expect(response).toMatchObject(noSubscription);
  expect(await stored(id)).toEqual(before);
});

test('seals a new secret by a rotation, also while inactive', async ({ gateway, fixture, id }) => {
  const { setActive, rotate, sealedSecret } = fixture;
  await setActive(id, false);
  const { sealer } = gateway.dependencies;
  const old = sealer.open(await sealedSecret(id), id);
  // An empty body is none.
  expect((await rotate(id, '')).status).toBe(200);
  const response = await rotate(id, {});
  expect(response).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(response.payload).toStrictEqual({
    subscriptionId: id,
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const secret = textOf(response, 'secret');
  expect(secret).not.toBe(old);
  const sealed = await sealedSecret(id);
  expect(sealer.open(sealed, id)).toBe(secret);
  expect(Buffer.from(sealed).includes(secret)).toBe(false);
});
