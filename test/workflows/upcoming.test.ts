import { expect, vi } from 'vitest';
import { gatewayOver } from '../support/api/api.ts';
import { tokenOf, upcomingOf } from '../api/upcoming/upcoming-fixture.ts';
import { createInspectionFixture, startDue } from '../support/returns/inspection.ts';
import { seedVendor } from '../support/seeds/seed.ts';
import { moveReturnTo } from '../support/returns/seed-returns.ts';
import { createDeliveryFixture, waiting } from '../support/webhooks/delivery.ts';
import { status } from '../support/webhooks/receiver.ts';
import { workflowTest } from '../support/gateway/workflow-test.ts';

/** What `GET /api/v1/upcoming` announces is what the runs then do, at the announced instants. */

const failingMs = 1500;
const test = workflowTest
  .extend('settings', { scope: 'file' }, () => ({
    WEBHOOK_RETRY_DELAYS_MS: '1200,6000,6000',
    WEBHOOK_DISABLE_AFTER_MS: String(failingMs),
    WEBHOOK_DISABLE_DEAD_LETTERS: '1',
  }))
  .extend('api', { scope: 'file' }, ({ gateway }) =>
    gatewayOver(gateway.sql, { failureLimit: { failingMs, deadLetters: 1 } }),
  )
  .extend('returns', { scope: 'file' }, ({ gateway }) => createInspectionFixture(gateway));

test('inspects and decides a return at the listed instants', async ({ gateway, api, returns }) => {
  // The first call of a process builds the reference, which takes a second.
  await upcomingOf(api, tokenOf(api, await seedVendor(gateway.sql)), 'ReturnInspectionStart');
  const times = { startMs: 8000, windowMs: 6000 };
  const request = await returns.request({ reasons: ['ChangedMind'], times });
  const received = await moveReturnTo(gateway.sql, request, 'Received');
  const token = tokenOf(api, request.vendorId ?? '');
  const announced = async (kind: string) => {
    const listed = await upcomingOf(api, token, kind);
    const found = listed.find(({ link }) => String(link).endsWith(request.id));
    return found && { ...found, ms: Date.parse(String(found['at'])) };
  };
  const start = await announced('ReturnInspectionStart');
  const started = await returns.untilStored(request, 'UnderInspection');
  expect(start?.ms).toBe(startDue(received).getTime());
  expect(started.inspectionStartedAt?.getTime()).toBeGreaterThanOrEqual(start?.ms ?? Infinity);
  expect(await announced('ReturnInspectionStart')).toBeUndefined();

  const end = await announced('ReturnInspectionEnd');
  expect(end).toMatchObject({ outcome: 'AcceptedSound' });
  const decided = await returns.untilStored(request, 'InspectionAccepted');
  expect(decided.outcome).toBe('AcceptedSound');
  expect(decided.inspectionDecidedAt?.getTime()).toBeGreaterThanOrEqual(end?.ms ?? Infinity);
});

test('retries and deactivates at the listed instants', async ({ gateway, api, receiver }) => {
  receiver.answerWith(status(503));
  const fixture = await createDeliveryFixture(gateway, receiver);
  const token = tokenOf(api, fixture.vendorId);
  const delivery = await fixture.emit();
  await fixture.untilWaiting(delivery, 2);
  const [retry] = await upcomingOf(api, token, 'WebhookRetry');
  expect(retry).toMatchObject({ attemptNumber: 3 });
  const at = Date.parse(String(retry?.['at']));
  const [, , timer] = await vi.waitFor(async () => {
    const attempts = await fixture.attempts();
    expect(attempts.length).toBeGreaterThanOrEqual(3);
    // An attempt is stored before its request is sent.
    expect(fixture.requestsOf(delivery).length).toBeGreaterThanOrEqual(3);
    return attempts;
  }, waiting);
  expect(timer?.attemptNumber).toBe(3);
  expect(fixture.requestsOf(delivery)[2]?.arrivedAt).toBeGreaterThanOrEqual(at);
  const [found] = await upcomingOf(api, token, 'WebhookDeactivation');

  await fixture.settled(delivery);
  await vi.waitFor(async () => {
    const [row] = await gateway.sql<{ isActive: boolean }[]>`
      select is_active from webhook_subscriptions where id = ${fixture.subscription.id}`;
    expect(row?.isActive).toBe(false);
  }, waiting);
  const last = (await fixture.attempts()).at(-1);
  expect(last?.deadLetteredAt?.getTime()).toBeGreaterThanOrEqual(Date.parse(String(found?.['at'])));
  for (const kind of ['WebhookRetry', 'WebhookDeactivation'])
    expect(await upcomingOf(api, token, kind)).toEqual([]);
});
