import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/api/actors.ts';
import { newOfferFixture } from './offers/offer-fixture.ts';
import { call, itemsOf, type Gateway } from '../support/api/api.ts';
import { isolationTest as test } from './isolation-fixture.ts';

/** A vendor's lists hold its own things only. */

const listedIds = async (gateway: Gateway, { token }: TestVendor) =>
  itemsOf(await call(gateway, 'GET', '/api/v1/webhooks', { token })).map(({ id }) => id);

test("lists only the caller's own things", async ({ gateway, otherVendor, things, owner }) => {
  const { subscriptionId } = things;
  expect(await listedIds(gateway, otherVendor)).not.toContain(subscriptionId);
  expect(await listedIds(gateway, owner)).toEqual([subscriptionId]);
});

test.for([
  ['orders', 'groupId', ['', 'changedSince=2000-01-01T00:00:00Z', 'status=Pending']],
  [
    'returns',
    'id',
    ['', 'changedSince=2000-01-01T00:00:00Z', 'status=InTransit', 'include=history'],
  ],
  ['jobs', 'id', ['', 'kind=updateOffers', 'state=Queued']],
] as const)(
  "lists only the caller's own %s, by every filter",
  async ([path, idName, filters], { gateway, otherVendor, owner }) => {
    const list = async ({ token }: TestVendor, filter: string) =>
      itemsOf(
        await call(gateway, 'GET', `/api/v1/scent/${path}?pageSize=100&${filter}`, { token }),
      ).map((item) => item[idName]);
    const fresh = await newVendor(gateway);
    for (const filter of filters) {
      const [own, theirs] = [await list(owner, filter), await list(otherVendor, filter)];
      expect(await list(fresh, filter)).toEqual([]);
      expect(own.length).toBeGreaterThan(0);
      expect(theirs.filter((id) => own.includes(id))).toEqual([]);
    }
  },
);

test("lists only the caller's own offers, by every filter", async ({
  gateway,
  otherVendor,
  owner,
}) => {
  const list = async (token: string, query: string) =>
    itemsOf(await call(gateway, 'GET', `/api/v1/scent/offers${query}`, { token })).map(
      ({ id }) => id,
    );
  const filters = [
    'vendorSku=owned',
    'vendorExternalId=owned',
    'changedSince=2000-01-01T00:00:00Z',
    'include=history',
  ];
  const fresh = await newOfferFixture(gateway);
  for (const query of ['', ...filters.map((filter) => `?${filter}`)]) {
    const [own, theirs] = [await list(owner.token, query), await list(otherVendor.token, query)];
    expect(await list(fresh.vendor.token, query)).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    expect(theirs.filter((id) => own.includes(id))).toEqual([]);
  }
});

const inSandbox = { 'x-service-environment': 'Sandbox' };

/** A read of what needs the environment, or does not mind it. */
const read = (gateway: Gateway, path: string, { token }: TestVendor) =>
  call(gateway, 'GET', `/api/v1/${path}`, { token, headers: inSandbox });
const credentialsOf = async (gateway: Gateway, vendor: TestVendor) =>
  itemsOf(await read(gateway, 'credentials?pageSize=100', vendor)).map(({ id }) => id);

test("lists only the caller's own credentials, and reads only its own profile", async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  expect(await credentialsOf(gateway, owner)).toEqual(things.credentialIds.toReversed());
  expect(await credentialsOf(gateway, otherVendor)).toContain(otherVendor.credentialId);
  for (const id of things.credentialIds)
    expect(await credentialsOf(gateway, otherVendor)).not.toContain(id);
  for (const vendor of [owner, otherVendor]) {
    expect((await read(gateway, 'vendor/profile', vendor)).payload).toMatchObject({
      id: vendor.vendorId,
    });
  }
});
