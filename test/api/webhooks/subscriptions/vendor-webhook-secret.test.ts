import { expect } from 'vitest';
import { fieldErrorsOf, textOf, unknownId } from '../../support/api.ts';
import { delivered, newWebhookFixture, type WebhookFixture } from '../webhook-fixture.ts';
import {
  test,
  notFound,
  setActive,
  remove,
  rotate,
  stored,
} from './vendor-webhook-activation-fixture.ts';

/** Creates a subscription; `made` is the answer, with its secret. */
async function createWithSecret({ send }: WebhookFixture) {
  const made = await send('POST', '', {
    url: 'https://vendor.example.org/',
    eventTypes: ['vendor.order.assigned'],
  });
  const { id } = (made.payload as { subscription: { id: string } }).subscription;
  return { made, id };
}

test('a new secret is told once and kept sealed to its row; the old one is nowhere', async ({
  gateway,
  fixture,
}) => {
  const { made, id } = await createWithSecret(fixture);
  const old = textOf(made, 'secret');
  const answer = await rotate(fixture, id);
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS', details: {} });
  expect(answer.payload).toStrictEqual({
    subscriptionId: id,
    secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
  });
  const secret = textOf(answer, 'secret');
  expect(secret).not.toBe(old);
  const [row] = await gateway.sql<[{ secretSealed: Uint8Array }]>`
    select secret_sealed from webhook_subscriptions where id = ${id}`;
  expect(gateway.dependencies.sealer.open(row.secretSealed, id)).toBe(secret);
  expect(Buffer.from(row.secretSealed).includes(secret)).toBe(false);
});

test('routes without a body take an empty one, and an inactive subscription rotates too', async ({
  gateway,
  fixture,
}) => {
  const id = await fixture.subscribe();
  await setActive(fixture, id, false);
  expect((await rotate(fixture, id, {})).status).toBe(200);
  expect((await rotate(fixture, id, '')).status).toBe(200);
  expect(fieldErrorsOf(await rotate(fixture, id, { secret: 'mine' }))).toEqual([
    'Secret unknown_field',
  ]);
  expect(fieldErrorsOf(await remove(fixture, id, { force: true }))).toEqual([
    'Force unknown_field',
  ]);
  expect(await stored(gateway, id)).toMatchObject({ isActive: false, deletedAt: null });
  expect((await remove(fixture, id, {})).status).toBe(200);
});

test("another vendor's, an unknown id and no uuid are one 404, and change nothing", async ({
  gateway,
  fixture,
}) => {
  const stranger = await newWebhookFixture(gateway);
  const theirs = await stranger.subscribe();
  const before = await gateway.sql`
    select webhook_subscriptions::text as row from webhook_subscriptions where id = ${theirs}`;
  for (const id of [theirs, unknownId(), '1', '%00']) {
    for (const answer of [
      await setActive(fixture, id, true),
      await setActive(fixture, id, false),
      await remove(fixture, id),
      await rotate(fixture, id),
    ]) {
      expect(answer).toMatchObject(notFound);
    }
  }
  const after = await gateway.sql`
    select webhook_subscriptions::text as row from webhook_subscriptions where id = ${theirs}`;
  expect(after).toEqual(before);
});

test('no answer but those of create and rotate has a secret in it', async ({
  gateway,
  fixture,
}) => {
  const { made, id } = await createWithSecret(fixture);
  const rotated = await rotate(fixture, id);
  const { attemptId } = await delivered(gateway.sql, fixture.vendor.vendorId, id, 'succeeded');
  const answers = [
    await fixture.send('GET', ''),
    await fixture.send('GET', `/${id}`),
    await fixture.send('GET', `/${id}/deliveries`),
    await fixture.send('PUT', `/${id}`, { url: 'https://other.example.org/' }),
    await fixture.send('POST', `/${id}/deliveries/${attemptId}/redeliver`),
    await fixture.send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' }),
    await setActive(fixture, id, false),
    await remove(fixture, id),
  ];
  const secrets = [textOf(made, 'secret'), textOf(rotated, 'secret')];
  // Of the test-fire's failure too: no worker runs here.
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 503, 200, 200]);
  for (const { text } of answers) {
    expect(text).not.toMatch(/secret|whsec/i);
    for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length));
  }
});
