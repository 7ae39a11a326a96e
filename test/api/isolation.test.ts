import { expect } from 'vitest';
import { freeFormOffer, type TestVendor } from '../support/api/actors.ts';
import type { Owner } from '../support/api/owner.ts';
import { call, refusal, unknownId, type Gateway } from '../support/api/api.ts';
import { walkRoutes, type WalkedRoute } from '../support/api/walk.ts';
import { isolationTest as test } from './isolation-fixture.ts';

/** What helpers need of a test's fixtures. */
type Fixtures = { readonly gateway: Gateway; readonly things: Owner; readonly owner: TestVendor };

/** Every row of the owner's, and of what is hidden from vendors, as text. */
const everything = ({ gateway, things, owner }: Pick<Fixtures, 'gateway' | 'things' | 'owner'>) => {
  const { vendorId } = owner;
  const { offerIds, groupIds, returnIds, hiddenGroupIds, hiddenReturnId } = things;
  const groups = [...groupIds, ...hiddenGroupIds];
  const returns = [...returnIds, hiddenReturnId];
  return gateway.sql`
  select (select string_agg(o::text, ',' order by id) from offers o
    where vendor_id = ${vendorId}) as offers,
    (select string_agg(s::text, ',' order by id) from supply_options s
      where vendor_id = ${vendorId}) as supply,
    (select string_agg(h::text, ',' order by id) from offer_status_changes h
      where offer_id = any(${[...offerIds]}))
      as history,
    (select string_agg(g::text, ',' order by id) from fulfilment_groups g
      where vendor_id = ${vendorId} or id = any(${groups})) as groups,
    (select string_agg(l::text, ',' order by id) from order_lines l
      where group_id = any(${groups})) as lines,
    (select string_agg(r::text, ',' order by id) from return_requests r
      where vendor_id = ${vendorId} or id = any(${returns})) as returns,
    (select string_agg(e::text, ',' order by id) from return_evidence e
      where return_id = any(${returns})) as evidence,
    (select string_agg(h::text, ',' order by id) from return_status_changes h
      where return_id = any(${returns}))
      as return_history,
    (select string_agg(m::text, ',' order by id) from outbox m
      where subject_id = any(${[...offerIds, ...returns]}))
      as messages,
    (select string_agg(e::text, ',' order by id) from webhook_events e
      where vendor_id = ${vendorId}) as events,
    (select string_agg(s::text, ',' order by id) from webhook_subscriptions s
      where vendor_id = ${vendorId})
      as subscriptions,
    (select string_agg(c::text, ',' order by id) from credentials c
      where vendor_id = ${vendorId}) as credentials,
    (select string_agg(j::text, ',' order by id) from bulk_jobs j
      where vendor_id = ${vendorId}) as jobs,
    (select string_agg(i::text, ',') from bulk_job_items i
      where job_id = any(${[...things.jobIds]})) as items,
    (select v::text from vendors v where id = ${vendorId}) as vendor,
    (select string_agg(a::text, ',' order by id) from audit_log a
      where subject_id = any(${[vendorId, ...things.credentialIds]})) as entries`;
};

const nameOf = ({ method, path }: WalkedRoute) => `${method} ${path}`;

/**
 * Every vendor route, with an id of the owner's in each path: of whatever kind the path asks for,
 * and of the other kinds.
 */
async function routesToOwner({
  gateway,
  things,
  owner,
}: Pick<Fixtures, 'gateway' | 'things' | 'owner'>): Promise<readonly WalkedRoute[]> {
  const { subscriptionId, credentialIds, offerIds, groupIds, returnIds, jobIds } = things;
  // Deletions come last in each walk, and those of credentials last of all: what they end is not
  // needed by another walk.
  const ids = [
    owner.vendorId,
    subscriptionId,
    ...offerIds,
    ...groupIds,
    ...returnIds,
    ...jobIds,
    ...credentialIds,
  ];
  const walks = await Promise.all(ids.map((id) => walkRoutes(gateway, id)));
  return walks.flat().filter(({ isOperators, needsToken }) => needsToken && !isOperators);
}

test("no vendor route reads or changes another vendor's things", async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  const before = await everything({ gateway, things, owner });
  for (const route of await routesToOwner({ gateway, things, owner })) {
    const { method, url, body, headers, hasId } = route;
    const answer = await call(gateway, method, url, { token: otherVendor.token, body, headers });
    // A result of a bulk call repeats the id that its caller has sent (D148).
    const sent = JSON.stringify(body ?? null);
    for (const secret of [owner.vendorId, owner.clientId, 'owner.example.org', 'owned']) {
      if (!sent.includes(secret)) expect(answer.text, nameOf(route)).not.toContain(secret);
    }
    if (hasId) expect(answer.status, nameOf(route)).toBe(404);
  }
  expect(await everything({ gateway, things, owner })).toEqual(before);
});

test('no vendor reaches or changes what belongs to none, even if it concerns its goods', async ({
  gateway,
  otherVendor,
  things,
  owner,
}) => {
  const before = await everything({ gateway, things, owner });
  const { hiddenGroupIds, hiddenReturnId } = things;
  for (const id of [...hiddenGroupIds, hiddenReturnId]) {
    const routes = (await walkRoutes(gateway, id)).filter(
      ({ path }) =>
        path.startsWith('/api/v1/scent/orders/{') || path.startsWith('/api/v1/scent/returns/{'),
    );
    expect(routes.length).toBeGreaterThanOrEqual(7);
    for (const { token } of [owner, otherVendor]) {
      for (const { method, url, path, body } of routes) {
        const code = path.includes('/returns/')
          ? 'NOT_FOUND_RETURN_REQUEST'
          : 'NOT_FOUND_FULFILMENT_GROUP';
        expect(await call(gateway, method, url, { token, body }), url).toMatchObject(refusal(code));
      }
    }
  }
  for (const { token } of [owner, otherVendor]) {
    for (const path of ['orders', 'returns']) {
      for (const query of ['pageSize=100', 'pageSize=100&changedSince=2000-01-01T00:00:00Z']) {
        const { text } = await call(gateway, 'GET', `/api/v1/scent/${path}?${query}`, { token });
        for (const id of [...hiddenGroupIds, hiddenReturnId]) expect(text).not.toContain(id);
      }
    }
  }
  expect(await everything({ gateway, things, owner })).toEqual(before);
});

test("another vendor's resource and one that does not exist get the same answer", async ({
  gateway,
  otherVendor,
  things,
}) => {
  const { subscriptionId } = things;
  const unknown = subscriptionId.replaceAll(/\d/g, '0');
  for (const path of ['', '/deliveries']) {
    const foreign = await call(
      gateway,
      'GET',
      `/api/v1/webhooks/${subscriptionId}${path}`,
      otherVendor,
    );
    const missing = await call(gateway, 'GET', `/api/v1/webhooks/${unknown}${path}`, otherVendor);
    expect(foreign).toMatchObject(refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION'));
    expect(foreign.text).toBe(missing.text);
  }
});

test.for([
  ['offer', '/api/v1/scent/offers/{', 7, (its: Owner) => its.offerIds],
  [
    'shipment',
    '/api/v1/scent/orders/{',
    3,
    (its: Owner) => [...its.groupIds, ...its.hiddenGroupIds],
  ],
  ['return', '/api/v1/scent/returns/{', 4, (its: Owner) => [...its.returnIds, its.hiddenReturnId]],
  ['offer', '/api/v1/sandbox/offers/{', 6, (its: Owner) => its.offerIds],
  [
    'shipment',
    '/api/v1/sandbox/orders/{',
    2,
    (its: Owner) => [...its.groupIds, ...its.hiddenGroupIds],
  ],
  [
    'return',
    '/api/v1/sandbox/returns/{',
    6,
    (its: Owner) => [...its.returnIds, its.hiddenReturnId],
  ],
  ['job', '/api/v1/scent/jobs/{', 4, (its: Owner) => its.jobIds],
  ['credential', '/api/v1/credentials/{', 2, (its: Owner) => its.credentialIds],
] as const)(
  "on every %s route another vendor's and an unknown one get the same answer, whatever the body",
  async ([_kind, start, atLeast, idsOf], { gateway, otherVendor, things, owner }) => {
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
          const answer = await call(gateway, method, url.replace('{id}', id), given);
          const { 'x-request-id': _, date: __, 'x-sandbox-time': ___, ...headers } = answer.headers;
          return { status: answer.status, headers, text: answer.text };
        };
        const missing = await ask(unknownId());
        if (sent === body) expect(missing, path).toMatchObject({ status: 404 });
        for (const id of idsOf(things)) expect(await ask(id), `${method} ${path}`).toEqual(missing);
      }
    }
  },
);

test('the same key is another key for another vendor', async ({ gateway, otherVendor }) => {
  const body = { ...freeFormOffer, vendorExternalId: 'owned' };
  const answer = await call(gateway, 'POST', '/api/v1/scent/offers', {
    token: otherVendor.token,
    body,
  });
  expect(answer).toMatchObject({ status: 201, payload: { vendorId: otherVendor.vendorId } });
});

/** Whether a route deletes what the other routes need: 1 or 0, to sort by. */
const isReset = ({ path }: WalkedRoute): number => Number(path.endsWith('/reset'));

// Last, for it changes what the owner has.
test('the walk reaches: the owner’s own token gets an answer from each of these routes', async ({
  gateway,
  things,
  owner,
}) => {
  const reached = new Set<string>();
  const routes = (await routesToOwner({ gateway, things, owner })).toSorted(
    (one, other) => isReset(one) - isReset(other),
  );
  for (const route of routes) {
    const { method, url, body, headers } = route;
    const answer = await call(gateway, method, url, { token: owner.token, body, headers });
    if (answer.status !== 404) reached.add(nameOf(route));
  }
  expect([...reached].toSorted()).toEqual([...new Set(routes.map(nameOf))].toSorted());
});
