import { expect, vi } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { createCallShare } from '../../../api/http/call-share.ts';
import { connect } from '../../../db/core/client.ts';
import { ask, baseUrlOf } from '../error-codes/http.ts';
import { appWith } from '../error-codes/slow-app.ts';
import { newOfferFixture, type OfferFixture } from '../offers/offer-fixture.ts';
import { call, gatewayOver, type Answer, type Gateway } from '../support/api.ts';
import { addSubscription, deferred } from '../../db/support.ts';
import { databaseTest } from '../../support/database-test.ts';

/** One vendor's calls wait for a lock, as many as it sends; what becomes of everyone else. */

const test = databaseTest.extend('gateway', { scope: 'file' }, async ({ sql }) => ({
  ...(await gatewayOver(sql)),
  close: () => Promise.resolve(),
}));

const waitingMax = 40;
const share = (max: number) => createCallShare({ max, waitingMax, waitMs: 30_000 });
const sharesOf = (calls: number, lists = 1): Dependencies['vendorShares'] => ({
  calls: share(calls),
  lists: share(lists),
  waits: share(calls),
});

type Attack = {
  readonly offerId: string;
  readonly letGo: () => Promise<void>;
};

/** Holds the row of one of the vendor's offers: each change of it waits. */
async function holdOffer(gateway: Gateway, fixture: OfferFixture): Promise<Attack> {
  const offerId = await fixture.create();
  const holder = await gateway.sql.reserve();
  await holder`begin`;
  await holder`select from offers where id = ${offerId} for update`;
  let isHeld = true;
  return {
    offerId,
    letGo: async () => {
      if (!isHeld) return;
      isHeld = false;
      await holder`rollback`;
      holder.release();
    },
  };
}

const withdraw = (app: Pick<Gateway, 'app'>, { vendor }: OfferFixture, { offerId }: Attack) =>
  call(app, 'POST', `/api/v1/scent/offers/${offerId}/withdraw`, { token: vendor.token });

const waitingSessions = async ({ sql }: Gateway): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
};

const untilWaiting = (gateway: Gateway, count: number) =>
  vi.waitFor(async () => expect(await waitingSessions(gateway)).toBe(count), {
    timeout: 20_000,
    interval: 10,
  });

/** The API with a pool of its own of four connections, and its first vendor under a held row. */
async function attackOn(gateway: Gateway, url: string, vendorShares = sharesOf(2)) {
  const pool = connect(url, { max: 4, name: 'shares' });
  const app = await appWith({ ...gateway.dependencies, sql: pool, vendorShares }, {});
  const [attacker, other] = [await newOfferFixture(gateway), await newOfferFixture(gateway)];
  const attack = await holdOffer(gateway, attacker);
  const end = async (calls: readonly Promise<unknown>[] = []): Promise<void> => {
    await attack.letGo();
    await Promise.allSettled(calls);
    await pool.end({ timeout: 5 });
  };
  return { app, attacker, other, attack, end };
}

const statesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ state }) => state))];

test("one vendor's waiting calls take its share of the connections, and others are served", async ({
  gateway,
  database,
}) => {
  const { app, attacker, other, attack, end } = await attackOn(gateway, database.url);
  const theirs = await other.create();
  const calls = Array.from({ length: 30 }, () => withdraw(app, attacker, attack));
  try {
    await untilWaiting(gateway, 2);
    const { token } = other.vendor;
    const read = await call(app, 'GET', `/api/v1/scent/offers/${theirs}`, { token });
    expect(read.status).toBe(200);
    expect(await waitingSessions(gateway)).toBe(2);
    await attack.letGo();
    // Whoever waited in the queue is answered: the first withdraws, the others find it withdrawn.
    const answers = await Promise.all(calls);
    expect(statesOf(answers).toSorted()).toEqual(['BUSINESS_OFFER_INVALID_TRANSITION', 'SUCCESS']);
  } finally {
    await end(calls);
  }
});

test('a call more than the queue holds is 429 with Retry-After, and says what to do', async ({
  gateway,
  database,
}) => {
  const { app, attacker, attack, end } = await attackOn(gateway, database.url);
  const calls = Array.from({ length: 2 + waitingMax }, () => withdraw(app, attacker, attack));
  try {
    await untilWaiting(gateway, 2);
    const refused = await withdraw(app, attacker, attack);
    expect(refused).toMatchObject({ status: 429, state: 'TOO_MANY_REQUESTS' });
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.details).toEqual({
      reason: 'CALLS_IN_PROGRESS',
      message: expect.stringContaining('at most 2 at a time'),
      maxInProgress: 2,
    });
  } finally {
    await end(calls);
  }
});

test('a call whose caller went away keeps its place while its statement runs, and frees it then', async ({
  gateway,
  database,
}) => {
  const { app, attacker, attack, end } = await attackOn(gateway, database.url);
  const origin = await baseUrlOf(app.app);
  const calls: Promise<unknown>[] = [];
  try {
    for (let round = 0; round < 5; round += 1) {
      const gone = new AbortController();
      const sent = Array.from({ length: 8 }, () =>
        fetch(`${origin}/api/v1/scent/offers/${attack.offerId}/withdraw`, {
          method: 'POST',
          headers: { authorization: `Bearer ${attacker.vendor.token}` },
          signal: gone.signal,
        }).catch(() => undefined),
      );
      calls.push(...sent);
      await untilWaiting(gateway, 2);
      gone.abort();
      await Promise.all(sent);
      expect(await waitingSessions(gateway)).toBe(2);
    }
    await attack.letGo();
    // 40 calls were aborted; had one of them kept its place, these would wait for 30 seconds.
    const again = await Promise.all(
      Array.from({ length: 6 }, () =>
        call(app, 'GET', `/api/v1/scent/offers/${attack.offerId}`, {
          token: attacker.vendor.token,
        }),
      ),
    );
    expect(statesOf(again)).toEqual(['SUCCESS']);
  } finally {
    await end(calls);
  }
});

test('a call that was answered 504 keeps its place while its statement runs', async ({
  gateway,
  database,
}) => {
  const vendorShares = sharesOf(1);
  const pool = connect(database.url, { max: 4, name: 'shares' });
  const app = await appWith(
    { ...gateway.dependencies, sql: pool, vendorShares },
    { handlerTimeoutMs: 300 },
  );
  const fixture = await newOfferFixture(gateway);
  const attack = await holdOffer(gateway, fixture);
  try {
    const path = `/api/v1/scent/offers/${attack.offerId}/withdraw`;
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(app, 'POST', path, { token: fixture.vendor.token })),
    );
    expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
    expect(await waitingSessions(gateway)).toBe(1);
  } finally {
    await attack.letGo();
  }
  const { token } = fixture.vendor;
  await vi.waitFor(
    async () => {
      const read = await call(app, 'GET', `/api/v1/scent/offers/${attack.offerId}`, { token });
      expect(read.state).toBe('SUCCESS');
    },
    { timeout: 20_000 },
  );
  await pool.end({ timeout: 5 });
});

const fail = (): never => {
  throw new Error('a bug');
};

test('a call that fails frees its place', async ({ gateway }) => {
  const failing = Object.assign(fail, gateway.sql);
  const app = await appWith(
    { ...gateway.dependencies, sql: failing, vendorShares: sharesOf(1) },
    {},
  );
  const { vendor } = await newOfferFixture(gateway);
  for (let times = 0; times < 3; times += 1) {
    const url = `/api/v1/scent/offers/${vendor.vendorId}`;
    expect(await call(app, 'GET', url, { token: vendor.token })).toMatchObject({ status: 500 });
  }
});

test("a vendor's slow lists delay neither its own pushes nor /health and /ready", async ({
  gateway,
  database,
}) => {
  const lists = connect(database.url, { max: 1, name: 'shares, lists' });
  const app = await appWith({ ...gateway.dependencies, lists, vendorShares: sharesOf(1) }, {});
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create();
  const holder = await gateway.sql.reserve();
  await holder`begin`;
  await holder`lock table webhook_subscriptions in access exclusive mode`;
  const { token } = fixture.vendor;
  const slow = Array.from({ length: 20 }, () => call(app, 'GET', '/api/v1/webhooks', { token }));
  try {
    await untilWaiting(gateway, 1);
    const push = await call(app, 'PATCH', `/api/v1/scent/offers/${id}/stock`, {
      token,
      body: { declaredInStock: true, declaredStockQuantity: 7 },
    });
    expect(push.state).toBe('SUCCESS');
    for (const url of ['/health', '/ready']) {
      expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    }
    expect(await waitingSessions(gateway)).toBe(1);
  } finally {
    await holder`rollback`;
    holder.release();
  }
  expect(statesOf(await Promise.all(slow))).toEqual(['SUCCESS']);
  await lists.end({ timeout: 5 });
});

test('a list beyond its time limit is 504 and says to narrow the filter', async ({
  gateway,
  database,
}) => {
  const lists = connect(database.url, { max: 1, name: 'shares, lists', statementTimeoutMs: 200 });
  const app = await appWith({ ...gateway.dependencies, lists }, {});
  const { vendor, operator } = await newOfferFixture(gateway);
  const holder = await gateway.sql.reserve();
  await holder`begin`;
  await holder`lock table webhook_subscriptions in access exclusive mode`;
  try {
    for (const [url, token] of [
      ['/api/v1/webhooks', vendor.token],
      ['/operator/v1/webhook-subscriptions', operator.token],
    ] as const) {
      const answer = await call(app, 'GET', url, { token });
      expect(answer).toMatchObject({ status: 504, state: 'GATEWAY_TIMEOUT' });
      expect(answer.details).toEqual({
        reason: 'LIST_TIMEOUT',
        message: expect.stringContaining('Narrow its filter'),
      });
    }
  } finally {
    await holder`rollback`;
    holder.release();
    await lists.end({ timeout: 5 });
  }
});

test("a sample that waits for its receiver delays none of the vendor's other calls", async ({
  gateway,
}) => {
  const fixture = await newOfferFixture(gateway);
  const { token } = fixture.vendor;
  const id = await fixture.create();
  const answered = deferred<void>();
  const send = vi.fn(async () => {
    await answered.promise;
    throw new Error('the worker is gone');
  });
  const app = await appWith(
    {
      ...gateway.dependencies,
      testFires: { ...gateway.dependencies.testFires, waitFor: send },
      vendorShares: sharesOf(1),
    },
    {},
  );
  const subscriptionId = await addSubscription(gateway.sql, fixture.vendor.vendorId);
  const path = `/api/v1/webhooks/${subscriptionId}/test-fire`;
  const body = { eventType: 'vendor.offer.review-decision' };
  const fired = app.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  const outcome = fired.then(({ statusCode }) => statusCode);
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  const read = await call(app, 'GET', `/api/v1/scent/offers/${id}`, { token });
  expect(read.state).toBe('SUCCESS');
  answered.resolve();
  expect(await outcome).toBe(500);
});
