import { expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { whileFailing } from '../../support/database/failing.ts';
import { seedManyOffers } from '../../support/seeds/agreement.ts';
import { freeFormOffer, newVariant, newVendor } from '../../support/api/actors.ts';
import { call, textOf } from '../../support/api/api.ts';
import { inStock, sendBulk } from '../offers/bulk/bulk-fixture.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { readReferences } from '../../support/api/openapi-document.ts';
import { checksums } from '../../support/database/all-rows.ts';

/** Calls that store nothing (D93). */

const list = '/api/v1/scent/offers';
const previewed = (url: string) => `${url}?validateOnly=true`;

/** A call of each route that takes the parameter, for an offer of the vendor. */
const callsOf = (id: string) =>
  [
    ['POST', list, freeFormOffer],
    ['PATCH', `${list}/${id}`, { cost: 7, costIsVatInclusive: false }],
    ['PATCH', `${list}/${id}/cost`, { cost: 7, costIsVatInclusive: false }],
    ['PATCH', `${list}/${id}/sale-price`, { salePrice: 7, salePriceIsVatInclusive: false }],
    ['PATCH', `${list}/${id}/stock`, { declaredInStock: true }],
    ['PATCH', `${list}/stock`, { items: [{ offerId: id, declaredInStock: true }] }],
  ] as const;

test('documents the parameter once, at exactly the routes that accept it', async ({ gateway }) => {
  const { payload: text } = await gateway.app.inject({ method: 'GET', url: '/openapi.json' });
  expect(JSON.parse(text)).toHaveProperty('components.parameters.ValidateOnly');
  const taking = (await readReferences(gateway.app))
    .flatMap(({ operations }) => operations)
    .filter(({ node }) => JSON.stringify(node['parameters'] ?? []).includes('"validateOnly"'))
    // A job is stored itself, and has a parameter of its own.
    .filter(({ at }) => !at.includes('/jobs'));
  const wanted = callsOf('{id}').map(([method, url]) => `${method} ${url}`);
  const names = taking.map(({ at }) => at.replace('{offerId}', '{id}'));
  expect(names.toSorted()).toEqual(wanted.toSorted());
});

test('sends no notification by a preview, and releases its locks', async ({ gateway }) => {
  const { vendor, create } = await newOfferFixture(gateway);
  const id = await create({ isMatched: false });
  const heard: string[] = [];
  const listening = await gateway.sql.listen('outbox', (lane) => heard.push(lane));
  for (const [method, url, body] of callsOf(id))
    await call(gateway, method, previewed(url), { token: vendor.token, body });
  const locks = await gateway.sql`
    select from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and locktype = 'advisory'`;
  expect(locks).toHaveLength(0);
  // Notifications arrive in the order of their transactions.
  await gateway.sql.notify('outbox', 'of the test');
  await expect.poll(() => heard, { timeout: 30_000 }).toContain('of the test');
  await listening.unlisten();
  expect(heard).toEqual(['of the test']);
});

test('ignores an idempotency key of a preview, which stays new', async ({ gateway }) => {
  const { token } = await newVendor(gateway);
  const given = { token, body: freeFormOffer, headers: { 'idempotency-key': 'key' } };
  const before = await checksums(gateway);
  for (let time = 1; time <= 2; time += 1) {
    const response = await call(gateway, 'POST', previewed(list), given);
    expect(response).toMatchObject({ status: 201, details: { validateOnly: true } });
    expect(response.headers).not.toHaveProperty('idempotency-replayed');
  }
  expect(await checksums(gateway)).toEqual(before);
  const made = await call(gateway, 'POST', list, given);
  expect(made).toMatchObject({ status: 201, details: {} });
  // A key that has a response is not asked for it either.
  const later = await call(gateway, 'POST', previewed(list), given);
  expect(textOf(later, 'id')).not.toBe(textOf(made, 'id'));
});

test('previews a call of several transactions as the call then returns it', async ({ gateway }) => {
  const vendor = await newVendor(gateway);
  const { vendorId } = vendor;
  const { id: variantId } = await newVariant(gateway);
  const offers = await seedManyOffers(gateway.sql, { vendorId, variantId }, { approved: 300 });
  const named = offers.map(({ id }) => ({ offerId: id, ...inStock(3) }));
  // The last one names an offer of an earlier transaction.
  const items = [...named, ...named.slice(0, 1)];
  const before = await checksums(gateway);
  const url = previewed(`${list}/stock`);
  const preview = await call(gateway, 'PATCH', url, { token: vendor.token, body: { items } });
  expect(await checksums(gateway)).toEqual(before);
  const real = await sendBulk(gateway, vendor, { items });
  expect(real).toMatchObject({ payload: { counts: { succeeded: 300, failed: 1 } }, details: {} });
  expect(preview.payload).toEqual(real.payload);
  expect(preview.details).toEqual({ validateOnly: true });
});

test('repeats a preview after a deadlock', async ({ gateway }) => {
  const { vendor, offerIn } = await newOfferFixture(gateway);
  const id = await offerIn('Approved');
  const before = await checksums(gateway);
  await gateway.sql`create sequence tries`;
  await gateway.sql`grant usage on sequence tries to public`;
  const body = { cost: 7, costIsVatInclusive: false };
  const push = () =>
    call(gateway, 'PATCH', previewed(`${list}/${id}/cost`), { token: vendor.token, body });
  const once = { when: `nextval('tries') = 1`, code: '40P01' };
  const response = await whileFailing(gateway.sql, 'update on offers', push, once);
  await gateway.sql`drop sequence tries`;
  expect(response).toMatchObject({ status: 200, details: { validateOnly: true } });
  expect(await checksums(gateway)).toEqual(before);
});
