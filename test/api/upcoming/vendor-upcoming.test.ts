import { expect } from 'vitest';
import { later } from '../../../domain/instant.ts';
import { dueStep } from '../../../domain/returns/return-request.ts';
import { findReturn } from '../../../db/returns/return-requests.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, refusal, type Gateway } from '../../support/api/api.ts';
import { attempt, begin, emit, newWebhookFixture, record } from '../webhooks/webhook-fixture.ts';
import { readUpcoming, upcomingOf } from './upcoming-fixture.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

// Upcoming changes, for vendors (D95).

const refused = (requiredCapability: string) =>
  refusal('FORBIDDEN_CAPABILITY_NOT_GRANTED', { requiredCapability });

const noSubject = { returnId: null, subscriptionId: null, eventId: null, credentialId: null };

const dueOf = async ({ sql }: Gateway, id: string): Promise<string | undefined> => {
  const request = await findReturn(sql, id);
  return request === null ? undefined : dueStep(request)?.at.toISOString();
};

test('a return has its timer’s instant, and under inspection what silence decides', async ({
  gateway,
}) => {
  const fixture = await newReturnFixture(gateway);
  const { token } = fixture.vendor;
  const received = await fixture.returnIn('Received');
  const sound = await fixture.returnIn('UnderInspection', { reasonCodes: ['ChangedMind'] });
  const defect = await fixture.returnIn('UnderInspection', { reasonCodes: ['Defective'] });
  const proposed = await fixture.returnIn('UnderInspection');
  await fixture.addEvidence(proposed);
  await fixture.propose(proposed, 'AcceptedSound');
  // Staff decide these two, whatever the time.
  const refused = await fixture.returnIn('UnderInspection');
  await fixture.addEvidence(refused);
  await fixture.propose(refused, 'Rejected');
  await fixture.returnIn('Received', { destination: 'SortingPoint' });
  await fixture.returnIn('InTransit');

  const [start, ...others] = await upcomingOf(gateway, token, 'ReturnInspectionStart');
  expect(others).toEqual([]);
  expect(start).toEqual({
    kind: 'ReturnInspectionStart',
    at: await dueOf(gateway, received),
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
        at: await dueOf(gateway, id),
        outcome,
      })),
    ),
  );
});

test('the end of a window is listed before and after its announcement', async ({ gateway }) => {
  const fixture = await newReturnFixture(gateway);
  const id = await fixture.returnIn('UnderInspection');
  const [end] = await upcomingOf(gateway, fixture.vendor.token, 'ReturnInspectionEnd');
  await gateway.sql`
    update return_requests set inspection_closing_ms = 3600000 where id = ${id}`;
  expect(await upcomingOf(gateway, fixture.vendor.token, 'ReturnInspectionEnd')).toEqual([end]);
  await gateway.sql`update return_requests set closing_announced_at = now() where id = ${id}`;
  expect(await upcomingOf(gateway, fixture.vendor.token, 'ReturnInspectionEnd')).toEqual([end]);
});

test('a retry is listed while it waits: no first attempt, and none under way or ended', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe, send } = await newWebhookFixture(gateway);
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
  await send('PATCH', `/${id}/active`, { isActive: false });
  expect(await retries()).toEqual([]);
});

test('a redelivered event is no retry before its next failure', async ({ gateway }) => {
  const { sql } = gateway;
  const { vendor, subscribe, send } = await newWebhookFixture(gateway);
  const id = await subscribe();
  const deliveryId = await emit(sql, vendor.vendorId, id);
  await attempt(sql, deliveryId, 'waiting');
  const attemptId = await attempt(sql, deliveryId, 'deadLettered');
  expect((await send('POST', `/${id}/deliveries/${attemptId}/redeliver`)).status).toBe(200);
  expect(await upcomingOf(gateway, vendor.token, 'WebhookRetry')).toEqual([]);
});

test('a subscription that only fails has its earliest deactivation listed until a success', async ({
  gateway,
}) => {
  const { sql } = gateway;
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  const { token, vendorId } = vendor;
  const id = await subscribe();
  const deliveryId = await emit(sql, vendorId, id);
  const failedAt = new Date(Date.now() - 3_600_000);
  await record(sql, await begin(sql, deliveryId), 'waiting', {
    at: failedAt.toISOString(),
  });
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
}) => {
  const fixture = await newReturnFixture(gateway);
  await fixture.returnIn('Received');
  const orders = tokenWith(gateway, fixture.vendor, ['Orders']);
  const account = tokenWith(gateway, fixture.vendor, ['Account']);
  const kindsOf = async (token: string) => {
    const answer = await readUpcoming(gateway, token);
    return [answer.payload?.['kinds'], itemsOf(answer).map(({ kind }) => kind)];
  };
  expect(await kindsOf(orders)).toEqual([
    ['ReturnInspectionStart', 'ReturnInspectionEnd', 'WebhookRetry', 'WebhookDeactivation'],
    ['ReturnInspectionStart'],
  ]);
  expect(await kindsOf(account)).toEqual([['CredentialExpiry'], ['CredentialExpiry']]);
  expect(await readUpcoming(gateway, orders, 'kind=CredentialExpiry')).toMatchObject(
    refused('Account'),
  );
  expect(await readUpcoming(gateway, account, 'kind=WebhookRetry')).toMatchObject(
    refused('Orders'),
  );
  const offers = tokenWith(gateway, fixture.vendor, ['Offers', 'Stock', 'Cost']);
  expect(await readUpcoming(gateway, offers)).toMatchObject(refused('Orders'));
});

test("nothing of another vendor's is listed", async ({ gateway }) => {
  const fixture = await newReturnFixture(gateway);
  await fixture.returnIn('Received');
  await fixture.returnIn('UnderInspection');
  const { vendor, subscribe } = await newWebhookFixture(gateway);
  await attempt(
    gateway.sql,
    await emit(gateway.sql, vendor.vendorId, await subscribe()),
    'waiting',
  );
  const otherVendor = await newVendor(gateway);
  const items = itemsOf(await readUpcoming(gateway, otherVendor.token));
  expect(items.map(({ subject }) => subject)).toEqual([
    { ...noSubject, credentialId: otherVendor.credentialId },
  ]);
});

test('the list is nearest first, pages fit together, and `before` excludes its instant', async ({
  gateway,
}) => {
  const fixture = await newReturnFixture(gateway);
  const { token } = fixture.vendor;
  for (const status of ['Received', 'UnderInspection', 'Received'] as const)
    await fixture.returnIn(status);
  const all = await readUpcoming(gateway, token);
  const instants = itemsOf(all).map(({ at }) => String(at));
  expect(instants).toEqual(instants.toSorted());
  expect(all.payload).toMatchObject({
    pagination: { page: 1, pageSize: 100, totalCount: 4, totalPages: 1 },
    completeUntil: null,
  });
  const pages = await Promise.all(
    [1, 2, 3].map((page) =>
      call(gateway, 'GET', `/api/v1/upcoming?pageSize=2&page=${page}`, { token }),
    ),
  );
  expect(pages.flatMap(itemsOf)).toEqual(itemsOf(all));
  const bounded = await readUpcoming(gateway, token, `before=${instants[2] ?? ''}`);
  expect(itemsOf(bounded)).toEqual(itemsOf(all).slice(0, 2));
});

test.for([
  ['kind=Offer', 'VALIDATION_INVALID_QUERY_PARAMETER'],
  ['before=2026-01-31', 'VALIDATION_INVALID_DATE'],
  ['page=0', 'VALIDATION_INVALID_PAGE'],
  ['after=1', 'VALIDATION_UNKNOWN_QUERY_PARAMETER'],
])('%s is %s', async ([query, code], { gateway }) => {
  const { token } = await newVendor(gateway);
  expect(await call(gateway, 'GET', `/api/v1/upcoming?${query}`, { token })).toMatchObject({
    status: 400,
    state: code,
  });
});
