import { expect } from 'vitest';
import type { Capability } from '../../../domain/accounts/capabilities.ts';
import { later } from '../../../domain/instant.ts';
import { dueStep } from '../../../domain/returns/return-request.ts';
import { findReturn } from '../../../db/returns/return-requests.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, refusal } from '../../support/api/api.ts';
import { attempt, begin, emit, newWebhookFixture, record } from '../webhooks/webhook-fixture.ts';
import { readUpcoming, upcomingOf } from './upcoming-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// Upcoming changes, for vendors (D95).

const test = gatewayTest
  .extend('returns', ({ gateway }) => newReturnFixture(gateway))
  .extend('hooks', ({ gateway }) => newWebhookFixture(gateway));

const noSubject = { returnId: null, subscriptionId: null, eventId: null, credentialId: null };

test('a return has its timer’s instant, and under inspection what silence decides', async ({
  gateway,
  returns: { vendor, returnIn, addEvidence, propose },
}) => {
  const { token } = vendor;
  const dueOf = async (id: string): Promise<string | undefined> => {
    const request = await findReturn(gateway.sql, id);
    return request === null ? undefined : dueStep(request)?.at.toISOString();
  };
  const proposedIn = async (outcome: 'AcceptedSound' | 'Rejected') => {
    const id = await returnIn('UnderInspection');
    await addEvidence(id);
    await propose(id, outcome);
    return id;
  };
  const received = await returnIn('Received');
  const sound = await returnIn('UnderInspection', { reasonCodes: ['ChangedMind'] });
  const defect = await returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  const proposed = await proposedIn('AcceptedSound');
  // Staff decide these two, whatever the time.
  await proposedIn('Rejected');
  await returnIn('Received', { destination: 'SortingPoint' });
  await returnIn('InTransit');

  const [start, ...others] = await upcomingOf(gateway, token, 'ReturnInspectionStart');
  expect(others).toEqual([]);
  expect(start).toEqual({
    kind: 'ReturnInspectionStart',
    at: await dueOf(received),
    subject: { ...noSubject, returnId: received },
    outcome: null,
    attemptNumber: null,
    summary: expect.stringMatching(/^The inspection of the return RR-\d{8} starts/),
    stoppedBy: expect.any(String),
    link: `/api/v1/scent/returns/${received}`,
  });
  const ends = await upcomingOf(gateway, token, 'ReturnInspectionEnd');
  expect(ends.map(({ subject, at, outcome }) => ({ subject, at, outcome }))).toEqual(
    await Promise.all(
      [
        [sound, 'AcceptedSound'],
        [defect, 'AcceptedDefect'],
        [proposed, 'NeedsStaff'],
      ].map(async ([id = '', outcome]) => ({
        subject: { ...noSubject, returnId: id },
        at: await dueOf(id),
        outcome,
      })),
    ),
  );
});

test('the end of a window is listed before and after its announcement', async ({
  gateway,
  returns: { vendor, returnIn },
}) => {
  const id = await returnIn('UnderInspection');
  const ends = () => upcomingOf(gateway, vendor.token, 'ReturnInspectionEnd');
  const before = await ends();
  for (const change of [
    gateway.sql`inspection_closing_ms = 3600000`,
    gateway.sql`closing_announced_at = now()`,
  ]) {
    await gateway.sql`update return_requests set ${change} where id = ${id}`;
    expect(await ends()).toEqual(before);
  }
});

test('a retry is listed while it waits: no first attempt, and none under way or ended', async ({
  gateway,
  hooks: { sql, vendor, subscribe, send },
}) => {
  const { token, vendorId } = vendor;
  const id = await subscribe();
  await emit(sql, vendorId, id);
  for (const state of ['succeeded', 'deadLettered'] as const)
    await attempt(sql, await emit(sql, vendorId, id), state);
  const retries = () => upcomingOf(gateway, token, 'WebhookRetry');
  expect(await retries()).toEqual([]);
  const deliveryId = await emit(sql, vendorId, id);
  const { eventId, ...begun } = await begin(sql, deliveryId);
  const at = later(new Date(), 60_000).toISOString();
  await record(sql, { eventId, ...begun }, 'waiting', { at });
  expect(await retries()).toEqual([
    {
      kind: 'WebhookRetry',
      at,
      subject: { ...noSubject, subscriptionId: id, eventId },
      outcome: null,
      attemptNumber: 2,
      summary: 'The event vendor.order.assigned is sent again: attempt 2.',
      stoppedBy: expect.any(String),
      link: `/api/v1/webhooks/${id}/deliveries?eventId=${eventId}`,
    },
  ]);
  const second = await begin(sql, deliveryId);
  expect(await retries()).toEqual([]);
  await record(sql, second, 'waiting', { at });
  expect(await retries()).toMatchObject([{ attemptNumber: 3 }]);
  // A redelivered event is no retry before its next failure.
  const attemptId = await attempt(sql, deliveryId, 'deadLettered');
  expect((await send('POST', `/${id}/deliveries/${attemptId}/redeliver`)).status).toBe(200);
  expect(await retries()).toEqual([]);
  await attempt(sql, await emit(sql, vendorId, id), 'waiting');
  expect(await retries()).toHaveLength(1);
  await send('PATCH', `/${id}/active`, { isActive: false });
  expect(await retries()).toEqual([]);
});

test('a subscription that only fails has its earliest deactivation listed until a success', async ({
  gateway,
  hooks: { sql, vendor, subscribe },
}) => {
  const { token, vendorId } = vendor;
  const id = await subscribe();
  const deliveryId = await emit(sql, vendorId, id);
  const failedAt = new Date(Date.now() - 3_600_000);
  await record(sql, await begin(sql, deliveryId), 'waiting', { at: failedAt.toISOString() });
  const fiveDaysMs = 5 * 24 * 3_600_000;
  const deactivations = () => upcomingOf(gateway, token, 'WebhookDeactivation');
  expect(await deactivations()).toMatchObject([
    {
      at: later(failedAt, fiveDaysMs).toISOString(),
      subject: { ...noSubject, subscriptionId: id },
      summary: expect.stringContaining('number 2'),
      link: `/api/v1/webhooks/${id}`,
    },
  ]);
  // From then on it needs a dead letter, which only an attempt makes.
  const nextAt = later(new Date(), 7_200_000);
  await sql`
    update webhook_subscriptions set failing_since = now() - interval '6 days' where id = ${id}`;
  await sql`update webhook_deliveries set next_attempt_at = ${nextAt} where id = ${deliveryId}`;
  expect(await deactivations()).toMatchObject([{ at: nextAt.toISOString() }]);
  await attempt(sql, deliveryId, 'succeeded');
  expect(await deactivations()).toEqual([]);
});

test('a credential is listed with its expiry while it is active', async ({ gateway }) => {
  const expiresAt = later(new Date(), 3_600_000);
  const vendor = await newVendor(gateway, { expiresAt });
  const expiries = () => upcomingOf(gateway, vendor.token, 'CredentialExpiry');
  expect(await expiries()).toMatchObject([
    {
      at: expiresAt.toISOString(),
      subject: { ...noSubject, credentialId: vendor.credentialId },
      summary: expect.stringContaining(vendor.clientId),
      link: '/api/v1/credentials',
    },
  ]);
  await gateway.sql`update credentials set is_active = false where id = ${vendor.credentialId}`;
  expect(await expiries()).toEqual([]);
});

test('a token sees the kinds of its capabilities, and is refused the others', async ({
  gateway,
  returns: { vendor, returnIn },
}) => {
  await returnIn('Received');
  const read = (granted: readonly Capability[], query = '') =>
    readUpcoming(gateway, tokenWith(gateway, vendor, granted), query);
  for (const [granted, kinds, listed] of [
    [
      'Orders',
      ['ReturnInspectionStart', 'ReturnInspectionEnd', 'WebhookRetry', 'WebhookDeactivation'],
      'ReturnInspectionStart',
    ],
    ['Account', ['CredentialExpiry'], 'CredentialExpiry'],
  ] as const) {
    const { payload } = await read([granted]);
    expect(payload).toMatchObject({ kinds, items: [{ kind: listed }] });
  }
  for (const [granted, query, requiredCapability] of [
    [['Orders'], 'kind=CredentialExpiry', 'Account'],
    [['Account'], 'kind=WebhookRetry', 'Orders'],
    [['Offers', 'Stock', 'Cost'], '', 'Orders'],
  ] as const)
    expect(await read(granted, query)).toMatchObject(
      refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability }),
    );
});

test("nothing of another vendor's is listed", async ({
  gateway,
  returns: { returnIn },
  hooks: { sql, emit: emitTo, subscribe },
}) => {
  await returnIn('Received');
  await returnIn('UnderInspection');
  await attempt(sql, await emitTo(await subscribe()), 'waiting');
  const { token, credentialId } = await newVendor(gateway);
  const items = itemsOf(await readUpcoming(gateway, token));
  expect(items.map(({ subject }) => subject)).toEqual([{ ...noSubject, credentialId }]);
});

test('the list is nearest first, pages fit together, and `before` excludes its instant', async ({
  gateway,
  returns: { vendor, returnIn },
}) => {
  const { token } = vendor;
  for (const status of ['Received', 'UnderInspection', 'Received'] as const) await returnIn(status);
  const all = await readUpcoming(gateway, token);
  const instants = itemsOf(all).map(({ at }) => String(at));
  expect(instants).toEqual(instants.toSorted());
  expect(all.payload).toMatchObject({
    pagination: { page: 1, pageSize: 100, totalCount: 4, totalPages: 1 },
    completeUntil: null,
  });
  const page = (number: number) =>
    call(gateway, 'GET', `/api/v1/upcoming?pageSize=2&page=${number}`, { token });
  const pages = [await page(1), await page(2), await page(3)];
  expect(pages.flatMap(itemsOf)).toEqual(itemsOf(all));
  const bounded = await readUpcoming(gateway, token, `before=${instants[2] ?? ''}`);
  expect(itemsOf(bounded)).toEqual(itemsOf(all).slice(0, 2));
});

test.for([
  ['kind=Offer', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['before=2026-01-31', 'VALIDATION_INVALID_DATE'],
  ['page=0', 'VALIDATION_INVALID_PAGE'],
  ['after=1', 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
])('%s is %s', async ([query, state], { gateway, token }) => {
  const answer = await call(gateway, 'GET', `/api/v1/upcoming?${query}`, { token });
  expect(answer).toMatchObject({ status: 400, state });
});
