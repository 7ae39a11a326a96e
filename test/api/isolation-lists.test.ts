import { expect } from 'vitest';
import { newVendor, type TestVendor } from './support/actors.ts';
import { inProduction } from './accounts/credentials/credential-fixture.ts';
import { newOfferFixture } from './offers/offer-fixture.ts';
import { call, itemsOf, type Gateway } from './support/api.ts';
import { isolationTest as test } from './isolation-fixture.ts';

/** A vendor's lists hold its own things only. */

const listedIds = async (gateway: Gateway, { token }: TestVendor) =>
  itemsOf(await call(gateway, 'GET', '/api/v1/webhooks', { token })).map(({ id }) => id);

test("a stranger's lists hold nothing of the owner's, the owner's do", async ({
  gateway,
  stranger,
  things,
  owner,
}) => {
  const { subscriptionId } = things;
  expect(await listedIds(gateway, stranger)).not.toContain(subscriptionId);
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
  "a stranger's list of %s holds nothing of the owner's, whatever it filters by; the owner's does",
  async ([path, idName, filters], { gateway, stranger, owner }) => {
    const list = async ({ token }: TestVendor, filter: string) =>
      itemsOf(
        await call(gateway, 'GET', `/api/v1/scent/${path}?pageSize=100&${filter}`, { token }),
      ).map((item) => item[idName]);
    const fresh = await newVendor(gateway);
    for (const filter of filters) {
      const [own, theirs] = [await list(owner, filter), await list(stranger, filter)];
      expect(await list(fresh, filter)).toEqual([]);
      expect(own.length).toBeGreaterThan(0);
      expect(theirs.filter((id) => own.includes(id))).toEqual([]);
    }
  },
);

test("by any filter a stranger's list of offers has none of the owner's; the owner's has", async ({
  gateway,
  stranger,
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
    const [own, theirs] = [await list(owner.token, query), await list(stranger.token, query)];
    expect(await list(fresh.vendor.token, query)).toEqual([]);
    expect(own.length).toBeGreaterThan(0);
    expect(theirs.filter((id) => own.includes(id))).toEqual([]);
  }
});

/** A read of what needs the environment, or does not mind it. */
const read = (gateway: Gateway, path: string, { token }: TestVendor) =>
  call(gateway, 'GET', `/api/v1/${path}`, { token, headers: inProduction });
const credentialsOf = async (gateway: Gateway, vendor: TestVendor) =>
  itemsOf(await read(gateway, 'credentials?pageSize=100', vendor)).map(({ id }) => id);

test("a stranger's credentials list has none of the owner's; each reads its own profile", async ({
  gateway,
  stranger,
  things,
  owner,
}) => {
  expect(await credentialsOf(gateway, owner)).toEqual(things.credentialIds.toReversed());
  expect(await credentialsOf(gateway, stranger)).toContain(stranger.credentialId);
  for (const id of things.credentialIds)
    expect(await credentialsOf(gateway, stranger)).not.toContain(id);
  for (const vendor of [owner, stranger]) {
    expect((await read(gateway, 'vendor/profile', vendor)).payload).toMatchObject({
      id: vendor.vendorId,
    });
  }
});
