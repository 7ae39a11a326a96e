import { expect } from 'vitest';
import { upcomingKinds } from '../../../domain/upcoming.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { newReturnFixture } from '../returns/return-fixture.ts';
import { call, itemsOf } from '../../support/api/api.ts';
import { newWebhookFixture } from '../webhooks/webhook-fixture.ts';
import { readUpcoming } from './upcoming-fixture.ts';

// Upcoming changes of all vendors, for operators (D95).

test('lists changes of all or one vendor in order', async ({ gateway, adminAccount, operate }) => {
  const returns = await newReturnFixture(gateway);
  const webhooks = await newWebhookFixture(gateway);
  await returns.returnIn('Received');
  await returns.returnIn('UnderInspection');
  await webhooks.delivered(await webhooks.subscribe(), 'waiting');
  const read = async (query: string) =>
    itemsOf(await operate('GET', `/upcoming?pageSize=100&${query}`));
  const owned: Record<string, unknown>[] = [];
  for (const { vendorId, token: own } of [returns.vendor, webhooks.vendor]) {
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
