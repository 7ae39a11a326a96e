import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/api/actors.ts';
import { newOwner, type Owner } from '../support/api/owner.ts';
import { call, itemsOf, refusal, unknownId, type Gateway } from '../support/api/api.ts';
import { walkRoutes, type WalkedRoute } from '../support/api/walk.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';

/** An owner of things of each kind, and another vendor, in a sandbox, which has every route. */
const test = gatewayTest
  .extend('overrides', { scope: 'file' }, { environment: 'Sandbox' })
  .extend('otherVendor', { scope: 'file' }, ({ gateway }) => newVendor(gateway))
  .extend('things', { scope: 'file' }, ({ gateway, otherVendor }) => newOwner(gateway, otherVendor))
  .extend('owner', { scope: 'file' }, ({ things }) => things.vendor);

/** Every row that names something of the owner's, or what is hidden from vendors, as text. */
async function everything({ sql }: Gateway, things: Owner) {
  const { vendor, subscriptionId, offerIds, jobIds, credentialIds, hiddenReturnId } = things;
  const groups = [...things.groupIds, ...things.hiddenGroupIds];
  const others = [subscriptionId, ...offerIds, ...jobIds, ...credentialIds];
  const ids = [vendor.vendorId, ...groups, ...things.returnIds, hiddenReturnId, ...others];
  const columns = await sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'uuid'
      -- The reads of delta lists write it.
      and table_name <> 'page_snapshots'`;
  const rows = columns.map(
    ({ table, column }) => sql`
      select each::text as row from ${sql(table)} as each where ${sql(column)} = any(${ids})
      order by 1`,
  );
  return Promise.all(rows);
}

const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;

/**
 * Every vendor route, with an id of the owner's in each path: of whatever kind the path asks for,
 * and of the other kinds.
 */
async function routesToOwner(gateway: Gateway, things: Owner): Promise<readonly WalkedRoute[]> {
  // Deletions come last in each walk, and deletions of credentials last of all: what they end is
  // not needed by another walk.
  const ids = [
    things.vendor.vendorId,
    things.subscriptionId,
    ...things.offerIds,
    ...things.groupIds,
    ...things.returnIds,
    ...things.jobIds,
    ...things.credentialIds,
  ];
  const walks = await Promise.all(ids.map((id) => walkRoutes(gateway, id)));
  return walks.flat().filter(({ isOperators, needsToken }) => needsToken && !isOperators);
}

const since = 'changedSince=2000-01-01T00:00:00Z';

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
    const headers = { 'x-service-environment': 'Sandbox' };
    const listed = await call(gateway, 'GET', '/api/v1/credentials', { token, headers });
    expect(itemsOf(listed).map(({ id }) => id)).toEqual(ids);
    const profile = await call(gateway, 'GET', '/api/v1/vendor/profile', { token });
    expect(profile.payload).toMatchObject({ id: vendorId });
  }
});

test('reads and changes nothing of another vendor on any vendor route', async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  const before = await everything(gateway, things);
  for (const route of await routesToOwner(gateway, things)) {
    const { method, url, body, headers, hasId } = route;
    const response = await call(gateway, method, url, { token: otherVendor.token, body, headers });
    // A result of a bulk call repeats the id that its caller has sent (D148).
    const sent = JSON.stringify(body ?? null);
    for (const secret of [owner.vendorId, owner.clientId, 'owner.example.org', 'owned'])
      if (!sent.includes(secret)) expect(response.text, nameOf(route)).not.toContain(secret);
    if (hasId) expect(response.status, nameOf(route)).toBe(404);
  }
  expect(await everything(gateway, things)).toEqual(before);
});

test("shows and changes no shipment or return without a vendor, even of a caller's goods", async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  const before = await everything(gateway, things);
  const ids = [...things.hiddenGroupIds, things.hiddenReturnId];
  for (const { token } of [owner, otherVendor]) {
    for (const id of ids) {
      const routes = (await walkRoutes(gateway, id)).filter(({ path }) =>
        /^\/api\/v1\/scent\/(?:orders|returns)\/\{/.test(path),
      );
      expect(routes.length).toBeGreaterThanOrEqual(7);
      for (const { method, url, path, body } of routes) {
        const code = path.includes('/returns/')
          ? 'NOT_FOUND_RETURN_REQUEST'
          : 'NOT_FOUND_FULFILMENT_GROUP';
        expect(await call(gateway, method, url, { token, body }), url).toMatchObject(refusal(code));
      }
    }
    for (const path of ['orders', 'returns'])
      for (const query of ['', `&${since}`]) {
        const url = `/api/v1/scent/${path}?pageSize=100${query}`;
        const { text } = await call(gateway, 'GET', url, { token });
        for (const id of ids) expect(text).not.toContain(id);
      }
  }
  expect(await everything(gateway, things)).toEqual(before);
});

const offers = (its: Owner) => its.offerIds;
const shipments = (its: Owner) => [...its.groupIds, ...its.hiddenGroupIds];
const returns = (its: Owner) => [...its.returnIds, its.hiddenReturnId];

test.for([
  ['/api/v1/scent/offers/{', 7, offers],
  ['/api/v1/scent/orders/{', 3, shipments],
  ['/api/v1/scent/returns/{', 4, returns],
  ['/api/v1/sandbox/offers/{', 6, offers],
  ['/api/v1/sandbox/orders/{', 2, shipments],
  ['/api/v1/sandbox/returns/{', 6, returns],
  ['/api/v1/scent/jobs/{', 4, (its: Owner) => its.jobIds],
  ['/api/v1/credentials/{', 2, (its: Owner) => its.credentialIds],
  ['/api/v1/webhooks/{', 10, (its: Owner) => [its.subscriptionId]],
] as const)(
  "treats another vendor's id as an unknown one on every route %s…, whatever the body",
  async ([start, atLeast, idsOf], { gateway, otherVendor, things, owner }) => {
    const routes = (await walkRoutes(gateway, '{id}')).filter(({ path }) => path.startsWith(start));
    expect(routes.length).toBeGreaterThanOrEqual(atLeast);
    const { token } = otherVendor;
    for (const { method, url, path, body, headers: asked } of routes) {
      // What the walk sends, and what is refused for its shape.
      for (const sent of body === undefined
        ? [undefined]
        : [body, { ...body, vendorId: owner.vendorId }, '{']) {
        const ask = async (id: string) => {
          const given = { token, body: sent, headers: asked };
          const response = await call(gateway, method, url.replace('{id}', id), given);
          const {
            'x-request-id': _,
            date: __,
            'x-sandbox-time': ___,
            ...headers
          } = response.headers;
          return { status: response.status, headers, text: response.text };
        };
        const missing = await ask(unknownId());
        if (sent === body) expect(missing, path).toMatchObject({ status: 404 });
        for (const id of idsOf(things)) expect(await ask(id), `${method} ${path}`).toEqual(missing);
      }
    }
  },
);

/** Whether a route deletes what the other routes need: 1 or 0, to sort by. */
const isReset = ({ path }: WalkedRoute): number => Number(path.endsWith('/reset'));

// Last, for it changes what the owner has.
test("reaches each of these routes with the owner's token", async ({ gateway, things, owner }) => {
  const reached = new Set<string>();
  const routes = (await routesToOwner(gateway, things)).toSorted(
    (one, other) => isReset(one) - isReset(other),
  );
  for (const route of routes) {
    const { method, url, body, headers } = route;
    const response = await call(gateway, method, url, { token: owner.token, body, headers });
    if (response.status !== 404) reached.add(nameOf(route));
  }
  expect([...reached].toSorted()).toEqual([...new Set(routes.map(nameOf))].toSorted());
});
