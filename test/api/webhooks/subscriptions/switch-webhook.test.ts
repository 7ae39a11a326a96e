import { expect } from 'vitest';
import { fieldErrorsOf, textOf, unknownId } from '../../../support/api/api.ts';
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
// each state has its cases in `test/db/webhooks/cancel-deliveries.test.ts`.

const bySwitch = 'Switched off by the vendor.';

async function subscribeFive({ subscribe }: WebhookFixture): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await subscribe());
  return ids;
}

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

test('refuses the activation of a sixth', async ({ fixture }) => {
  const { setActive, stored, subscribe, sql, vendor } = fixture;
  const [first = '', second = ''] = await subscribeFive(fixture);
  await setActive(first, false);
  await subscribe();
  expect(await setActive(first, true)).toMatchObject(activeLimit);
  expect(await stored(first)).toMatchObject({ isActive: false, inactiveReason: bySwitch });
  expect((await setActive(second, true)).status).toBe(200);
  await setActive(second, false);
  expect((await setActive(first, true)).status).toBe(200);
  expect(await activeOf(sql, vendor.vendorId)).toBe(5);
});

test('deletes the secret, and ends what waits', async ({ fixture }) => {
  const { emit, setActive, subscribe, remove, stored, storedDelivery, sql, vendor } = fixture;
  const [first = '', inactive = ''] = await subscribeFive(fixture);
  const waiting = await emit(first);
  await setActive(inactive, false);
  await subscribe();
  const answer = await remove(first.toUpperCase());
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({ deleted: true });
  expect((await remove(inactive)).status).toBe(200);
  await subscribe();
  expect(await activeOf(sql, vendor.vendorId)).toBe(5);
  for (const id of [first, inactive])
    expect(await stored(id)).toMatchObject({
      isActive: false,
      inactiveReason: 'Deleted by the vendor.',
      deletedAt: expect.any(Date),
      secretBytes: 0,
    });
  const ended = { state: 'cancelled', signals: ['start', 'deactivated'] };
  expect(await storedDelivery(waiting)).toMatchObject(ended);
  await expect(emit(first)).rejects.toThrow('no delivery');
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

test.for(['deleted', 'unknown', '1', '%00'])(
  'every route answers 404 for the subscription %s, and changes none',
  async (which, { fixture, id }) => {
    const { attemptId } = await fixture.delivered(id, 'succeeded');
    if (which === 'deleted') await fixture.remove(id);
    const before = await fixture.stored(id);
    const ids: Record<string, string> = { deleted: id, unknown: unknownId() };
    for (const call of callsOf(fixture, ids[which] ?? which, attemptId))
      expect(await call()).toMatchObject(noSubscription);
    expect(await fixture.stored(id)).toEqual(before);
  },
);

test('a rotation seals a new secret to the row, also of an inactive subscription', async ({
  gateway: { dependencies },
  fixture: { setActive, rotate, sealedSecret },
  id,
}) => {
  await setActive(id, false);
  const { sealer } = dependencies;
  const old = sealer.open(await sealedSecret(id), id);
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

test('refuses misshapen bodies, and takes an empty one for rotation and deletion', async ({
  fixture: { setActive, rotate, remove, stored },
  id,
}) => {
  const before = await stored(id);
  const refused = [
    await setActive(id, 0),
    await rotate(id, { secret: 'mine' }),
    await remove(id, { a: 1 }),
  ];
  expect(refused.map(fieldErrorsOf)).toEqual([
    ['IsActive invalid_type'],
    ['Secret unknown_field'],
    ['A unknown_field'],
  ]);
  expect(await stored(id)).toEqual(before);
  expect((await rotate(id, '')).status).toBe(200);
  expect((await remove(id, {})).status).toBe(200);
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
