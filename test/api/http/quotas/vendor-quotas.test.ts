import { expect, vi } from 'vitest';
import { appWith } from '../../error-codes/slow-app.ts';
import { newOfferFixture } from '../../offers/offer-fixture.ts';
import { call, help } from '../../../support/api/api.ts';
import { addSubscription, deferred } from '../../../db/support.ts';
import { countLockWaits, untilLockWaits } from '../../../support/database/locks.ts';

import {
  quotasTest as test,
  quotasOf,
  waitingMax,
  withdraw,
  attackOn,
  statesOf,
} from './vendor-quotas-fixture.ts';

/** One vendor's calls wait for a lock; the calls of others do not. */

test("serves others while a vendor's calls wait", async ({ gateway, database }) => {
  const { app, attacker, other, attack, end } = await attackOn(gateway, database.url);
  const theirs = await other.create();
  const calls = Array.from({ length: 30 }, () => withdraw(app, attacker, attack));
  try {
    await untilLockWaits(gateway.sql, 2);
    const { token } = other.vendor;
    const read = await call(app, 'GET', `/api/v1/scent/offers/${theirs}`, { token });
    expect(read.status).toBe(200);
    expect(await countLockWaits(gateway.sql)).toBe(2);
    await attack.letGo();
    // Each call that waited in the queue is answered: the first withdraws, the others find it
    // withdrawn.
    const answers = await Promise.all(calls);
    expect(statesOf(answers).toSorted()).toEqual(['BUSINESS_OFFER_INVALID_TRANSITION', 'SUCCESS']);
  } finally {
    await end(calls);
  }
});

test('refuses a call more than the queue holds with 429', async ({ gateway, database }) => {
  const { app, attacker, attack, end } = await attackOn(gateway, database.url);
  const calls = Array.from({ length: 2 + waitingMax }, () => withdraw(app, attacker, attack));
  try {
    await untilLockWaits(gateway.sql, 2);
    const refused = await withdraw(app, attacker, attack);
    expect(refused).toMatchObject({ status: 429, state: 'TOO_MANY_REQUESTS' });
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.details).toEqual({
      reason: 'CALLS_IN_PROGRESS',
      message: expect.stringContaining('at most 2 at a time'),
      maxInProgress: 2,
      ...help('TOO_MANY_REQUESTS'),
    });
  } finally {
    await end(calls);
  }
});

test('delays no other call by a sample that waits', async ({ gateway }) => {
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
      vendorQuotas: quotasOf(1),
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
