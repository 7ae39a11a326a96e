import { describe, expect } from 'vitest';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { seedManyOffers } from '../../support/seeds/agreement.ts';
import { freeFormOffer, newVariant, newVendor } from '../../support/api/actors.ts';
import { call, textOf } from '../../support/api/api.ts';
import { inStock, sendBulk } from '../offers/bulk/bulk-fixture.ts';
import { newOfferFixture } from '../offers/offer-fixture.ts';
import { readReferences } from '../../support/api/openapi-document.ts';
import { checksums } from './creations.ts';

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

describe('the parameter', () => {
  test('is one component of the reference, of exactly these routes', async ({ gateway }) => {
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
});

describe('a preview', () => {
  test('of a create is 201 with an unused id, each time another one', async ({ gateway }) => {
    const { token } = await newVendor(gateway);
    const ask = () => call(gateway, 'POST', previewed(list), { token, body: freeFormOffer });
    const [one, other] = [await ask(), await ask()];
    for (const answer of [one, other]) {
      expect(answer).toMatchObject({ status: 201, details: { validateOnly: true } });
      const url = `${list}/${textOf(answer, 'id')}`;
      expect((await call(gateway, 'GET', url, { token })).status).toBe(404);
    }
    expect(textOf(one, 'id')).not.toBe(textOf(other, 'id'));
  });

  test('sends no notification, and releases its locks with the call', async ({ gateway }) => {
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
    await expect.poll(() => heard).toContain('of the test');
    await listening.unlisten();
    expect(heard).toEqual(['of the test']);
  });

  test('ignores an idempotency key, which stays new', async ({ gateway }) => {
    const { token } = await newVendor(gateway);
    const given = { token, body: freeFormOffer, headers: { 'idempotency-key': 'key' } };
    const before = await checksums(gateway);
    for (let time = 1; time <= 2; time += 1) {
      const answer = await call(gateway, 'POST', previewed(list), given);
      expect(answer).toMatchObject({ status: 201, details: { validateOnly: true } });
      expect(answer.headers).not.toHaveProperty('idempotency-replayed');
    }
    expect(await checksums(gateway)).toEqual(before);
    const made = await call(gateway, 'POST', list, given);
    expect(made).toMatchObject({ status: 201, details: {} });
    // A key that has an answer is not asked for it either.
    const later = await call(gateway, 'POST', previewed(list), given);
    expect(textOf(later, 'id')).not.toBe(textOf(made, 'id'));
  });

  test('of several transactions returns what the call then returns', async ({ gateway }) => {
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

  test('is repeated after a deadlock', async ({ gateway }) => {
    const { vendor, offerIn } = await newOfferFixture(gateway);
    const id = await offerIn('Approved');
    const before = await checksums(gateway);
    await gateway.sql.unsafe(`
      create sequence tries;
      grant usage on sequence tries to public;
      create function fail_once() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if;
        return new;
      end $$;
      create trigger fail_once before update on offers for each row execute function fail_once()`);
    try {
      const body = { cost: 7, costIsVatInclusive: false };
      const url = previewed(`${list}/${id}/cost`);
      const answer = await call(gateway, 'PATCH', url, { token: vendor.token, body });
      expect(answer).toMatchObject({ status: 200, details: { validateOnly: true } });
    } finally {
      await gateway.sql.unsafe('drop function fail_once() cascade; drop sequence tries');
    }
    expect(await checksums(gateway)).toEqual(before);
  });
});
