import { expect } from 'vitest';
import type { Capability } from '../../../domain/accounts/capabilities.ts';
import { later } from '../../../domain/instant.ts';
import { dueStep } from '../../../domain/returns/return-request.ts';
import { upcomingKinds } from '../../../domain/upcoming.ts';
import { findReturn } from '../../../db/returns/return-requests.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { newVendor, tokenWith } from '../../support/api/actors.ts';
import { call, itemsOf, refusal } from '../../support/api/api.ts';
import { attempt, begin, emit, newWebhookFixture, record } from '../webhooks/webhook-fixture.ts';
import { readUpcoming, upcomingOf } from './upcoming-fixture.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';

// Upcoming changes (D95). That a vendor gets its own only is in the last test, for operators.

const test = gatewayTest
  .extend('returns', ({ gateway }) => newReturnFixture(gateway))
  .extend('hooks', ({ gateway }) => newWebhookFixture(gateway));

const noSubject = { returnId: null, subscriptionId: null, eventId: null, credentialId: null };

test('lists a return with its instant, and what silence decides', async ({ gateway, returns }) => {
  const { returnIn, addEvidence, propose } = returns;
  const { token } = returns.vendor;
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
  const endOf = async (id: string, outcome: string) => ({
    subject: { ...noSubject, returnId: id },
    at: await dueOf(id),
    outcome,
  });
  expect(await upcomingOf(gateway, token, 'ReturnInspectionEnd')).toMatchObject([
    await endOf(sound, 'AcceptedSound'),
    await endOf(defect, 'AcceptedDefect'),
    await endOf(proposed, 'NeedsStaff'),
  ]);
});

test('lists the end of a window also after its announcement', async ({ gateway, returns }) => {
  const id = await returns.returnIn('UnderInspection');
  const ends = () => upcomingOf(gateway, returns.vendor.token, 'ReturnInspectionEnd');
  const before = await ends();
  for (const change of [
    gateway.sql`inspection_closing_ms = 3600000`,
    gateway.sql`closing_announced_at = now()`,
  ]) {
    await gateway.sql`update return_requests set ${change} where id = ${id}`;
    expect(await ends()).toEqual(before);
  }
});

test('lists a retry only while it waits for its attempt', async ({ gateway, hooks }) => {
  const { sql, subscribe, send } = hooks;
  const { token, vendorId } = hooks.vendor;
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

test('lists the earliest deactivation of a failing subscription', async ({ gateway, hooks }) => {
  const { sql, subscribe } = hooks;
  const { token, vendorId } = hooks.vendor;
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

test('lists a credential with its expiry while it is active', async ({ gateway }) => {
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

test('lists the kinds that the token allows, and refuses others', async ({ gateway, returns }) => {
  await returns.returnIn('Received');
  const read = (granted: readonly Capability[], query = '') =>
    readUpcoming(gateway, tokenWith(gateway, returns.vendor, granted), query);
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

test('lists the nearest first, in pages or before an instant', async ({ gateway, returns }) => {
  const { token } = returns.vendor;
  for (const status of ['Received', 'UnderInspection', 'Received'] as const)
    await returns.returnIn(status);
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
])('refuses %s with %s', async ([query, state], { gateway, token }) => {
  const response = await call(gateway, 'GET', `/api/v1/upcoming?${query}`, { token });
  expect(response).toMatchObject({ status: 400, state });
});

// For operators.
test('lists changes of all or one vendor in order', async ({
  gateway,
  adminAccount,
  operate,
  returns,
  hooks,
}) => {
  await returns.returnIn('Received');
  await returns.returnIn('UnderInspection');
  await hooks.delivered(await hooks.subscribe(), 'waiting');
  const read = async (query: string) =>
    itemsOf(await operate('GET', `/upcoming?pageSize=100&${query}`));
  const owned: Record<string, unknown>[] = [];
  for (const { vendorId, token: own } of [returns.vendor, hooks.vendor]) {
    const theirs = itemsOf(await readUpcoming(gateway, own));
    const shown = await read(`vendorId=${vendorId}`);
    // The link differs, and the vendor is named.
    expect(shown).toEqual(
      theirs.map((item) => ({ ...item, vendorId, link: expect.any(String) as unknown })),
    );
    for (const { link } of shown)
      expect((await call(gateway, 'GET', String(link), adminAccount)).status).toBe(200);
    owned.push(...shown);
  }
  expect(new Set(owned.map(({ kind }) => kind))).toEqual(new Set(upcomingKinds));
  for (const kind of upcomingKinds) {
    const all = await read(`kind=${kind}`);
    const times = all.map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted());
    expect(all).toEqual(expect.arrayContaining(owned.filter((item) => item['kind'] === kind)));
  }
  const [first] = await read('');
  expect(await read(`before=${String(first?.['at'])}`)).toEqual([]);
});
