import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { call, itemsOf } from '../../support/api/api.ts';
import { attempt, emit, newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { readUpcoming } from './upcoming-fixture.ts';

type Item = Readonly<Record<string, unknown>>;

// Upcoming changes of all vendors, for operators (D95).

/** What the vendor and operators read alike. */
const shared = ({ kind, at, subject, outcome, attemptNumber, summary, stoppedBy }: Item) => ({
  kind,
  at,
  subject,
  outcome,
  attemptNumber,
  summary,
  stoppedBy,
});

test('lists the changes of all vendors, nearest first, each as its vendor reads it', async ({
  gateway,
  adminAccount,
  operate,
}) => {
  const returns = await newReturnFixture(gateway);
  const webhooks = await newWebhookFixture(gateway);
  await returns.returnIn('Received');
  await returns.returnIn('UnderInspection');
  const id = await webhooks.subscribe();
  await attempt(gateway.sql, await emit(gateway.sql, webhooks.vendor.vendorId, id), 'waiting');
  const read = async (query: string) =>
    itemsOf(await operate('GET', `/upcoming?pageSize=100&${query}`));
  const kinds = [
    'ReturnInspectionStart',
    'ReturnInspectionEnd',
    'WebhookRetry',
    'WebhookDeactivation',
    'CredentialExpiry',
  ];
  const owned: Record<string, unknown>[] = [];
  for (const { vendorId, token: own } of [returns.vendor, webhooks.vendor]) {
    const theirs = itemsOf(await readUpcoming(gateway, own));
    const shown = await read(`vendorId=${vendorId}`);
    expect(shown.map(shared)).toEqual(theirs.map(shared));
    expect(new Set(shown.map((item) => item['vendorId']))).toEqual(new Set([vendorId]));
    for (const { link } of shown)
      expect((await call(gateway, 'GET', String(link), adminAccount)).status).toBe(200);
    owned.push(...shown);
  }
  expect(new Set(owned.map(({ kind }) => kind))).toEqual(new Set(kinds));
  for (const kind of kinds) {
    const all = await read(`kind=${kind}`);
    const times = all.map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted());
    expect(all).toEqual(expect.arrayContaining(owned.filter((item) => item['kind'] === kind)));
  }
  const [first] = await read('');
  expect(await read(`before=${String(first?.['at'])}`)).toEqual([]);
});
