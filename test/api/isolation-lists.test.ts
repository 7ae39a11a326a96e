import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/api/actors.ts';
import { call, itemsOf } from '../support/api/api.ts';
import { isolationTest as test } from './isolation-fixture.ts';

/** A vendor's lists hold its own things only. */

const since = 'changedSince=2000-01-01T00:00:00Z';
const headers = { 'x-service-environment': 'Sandbox' };

test.for([
  ['scent/orders', 'groupId', ['', since, 'status=Pending']],
  ['scent/returns', 'id', ['', since, 'status=InTransit', 'include=history']],
  ['scent/jobs', 'id', ['', 'kind=updateOffers', 'state=Queued']],
  [
    'scent/offers',
    'id',
    ['', since, 'vendorSku=owned', 'vendorExternalId=owned', 'include=history'],
  ],
  ['webhooks', 'id', ['']],
] as const)(
  "lists only the caller's own %s, by every filter",
  async ([path, idName, filters], { gateway, otherVendor, owner }) => {
    const fresh = await newVendor(gateway);
    for (const filter of filters) {
      const list = async ({ token }: TestVendor) => {
        const url = `/api/v1/${path}?pageSize=100&${filter}`;
        return itemsOf(await call(gateway, 'GET', url, { token })).map((item) => item[idName]);
      };
      const [own, theirs] = [await list(owner), await list(otherVendor)];
      expect(await list(fresh)).toEqual([]);
      expect(own.length).toBeGreaterThan(0);
      expect(theirs.filter((id) => own.includes(id))).toEqual([]);
    }
  },
);

test("lists only the caller's own credentials, and reads only its own profile", async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  for (const [{ token, vendorId }, ids] of [
    [owner, things.credentialIds.toReversed()],
    [otherVendor, [otherVendor.credentialId]],
  ] as const) {
    const listed = await call(gateway, 'GET', '/api/v1/credentials', { token, headers });
    expect(itemsOf(listed).map(({ id }) => id)).toEqual(ids);
    const profile = await call(gateway, 'GET', '/api/v1/vendor/profile', { token });
    expect(profile.payload).toMatchObject({ id: vendorId });
  }
});
