import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/api/actors.ts';
import {
  call,
  itemsOf,
  refusal,
  unknownId,
  type Gateway,
  succeeded,
  textOf,
} from '../support/api/api.ts';
import { walkRoutes, type WalkedRoute } from '../support/api/walk.ts';
import { gatewayTest } from '../support/gateway/gateway-test.ts';
import { runToEnd, startJob } from './jobs/job-fixture.ts';
import { newOfferFixture } from './offers/offer-fixture.ts';
import { firstOf, newOrderFixture } from './orders/order-fixture.ts';
import { newReturnFixture } from './returns/return-fixture.ts';
import { delivered, subscriptionIdOf } from './webhooks/webhook-fixture.ts';

/**
 * A vendor with something of every kind that a path's id can name, each where a move of it could be
 * made.
 */
async function newOwner(gateway: Gateway, sibling: TestVendor) {
  const offers = await newOfferFixture(gateway);
  const { vendor } = offers;
  const orders = await newOrderFixture(gateway);
  const made = await call(gateway, 'POST', '/api/v1/webhooks', {
    token: vendor.token,
    body: { url: 'https://owner.example.org/', eventTypes: ['vendor.order.assigned'] },
  });
  const subscriptionId = subscriptionIdOf(made);
  succeeded(
    await call(gateway, 'PATCH', '/api/v1/vendor/profile', {
      token: vendor.token,
      body: { name: 'An owned name', contactEmail: 'post@owner.example.org' },
    }),
  );
  // The walk puts one id into every parameter of a path: the attempt has its subscription's.
  const { attemptId } = await delivered(gateway.sql, vendor.vendorId, subscriptionId, 'succeeded');
  await gateway.sql`update webhook_attempts set id = ${subscriptionId} where id = ${attemptId}`;
  const takeShared = () =>
    orders.take(
      { vendorId: vendor.vendorId },
      { vendorId: sibling.vendorId },
      { vendorId: null },
      { sourcing: true },
    );
  const [pending, packed] = [await takeShared(), await takeShared()];
  const [, , services, waiting] = pending.groups;
  const groupIds = [firstOf(pending.groups).groupId, firstOf(packed.groups).groupId];
  succeeded(await orders.send(vendor, 'PATCH', `/${groupIds[0]}`, { vendorOrderId: 'owned' }));
  succeeded(await orders.send(vendor, 'POST', `/${groupIds[1]}/pack`));
  const returns = await newReturnFixture(gateway, vendor);
  const inspected = await returns.returnIn('UnderInspection', { order: await takeShared() });
  succeeded(await returns.addEvidence(inspected, 'Photo', 'https://owner.example.org/photo.jpg'));
  const declared = { vendorSku: 'owned', vendorExternalId: 'owned' };
  return {
    vendor,
    subscriptionId,
    /** One that has ended, and one that waits. */
    jobIds: await jobsOf(gateway, vendor),
    /** The one that she calls with, and one that is switched off. */
    credentialIds: [vendor.credentialId, await switchedOff(gateway, vendor)],
    /** One that sells, and one that is still a draft: each has moves that the other has not. */
    offerIds: [await offers.offerIn('Approved', { declared }), await offers.offerIn('Draft')],
    /** One to be packed, and one that is packed; both share their order with a sibling's group. */
    groupIds,
    /** One that is on its way, and one under inspection with a photo. */
    returnIds: [await returns.returnIn('InTransit', { order: await takeShared() }), inspected],
    /** Of no vendor: the service's own group, and one that waits for a source. */
    hiddenGroupIds: [services?.groupId ?? '', waiting?.groupId ?? ''],
    /** Of no vendor: a return of the owner's things to a sorting point. */
    hiddenReturnId: await returns.returnIn('InTransit', {
      destination: 'SortingPoint',
      order: await takeShared(),
    }),
  };
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

async function jobsOf(gateway: Gateway, vendor: TestVendor): Promise<readonly string[]> {
  const { id } = await runToEnd(gateway, vendor, 'updateOffers', [
    { vendorExternalId: 'owned', vendorSku: 'owned' },
  ]);
  return [id, await startJob(gateway, vendor, 'updateOffers', [{ vendorExternalId: 'owned' }])];
}

/** A credential that was generated and switched off; returns its id. */
async function switchedOff(gateway: Gateway, { token }: TestVendor): Promise<string> {
  const url = '/api/v1/credentials';
  const body = { capabilities: 'Stock' };
  const headers = { 'x-service-environment': gateway.dependencies.environment };
  const id = textOf(succeeded(await call(gateway, 'POST', url, { token, body, headers })), 'id');
  succeeded(
    await call(gateway, 'PATCH', `${url}/${id}/active`, { token, body: { isActive: false } }),
  );
  return id;
}

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
