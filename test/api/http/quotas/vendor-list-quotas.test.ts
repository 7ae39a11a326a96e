import { expect } from 'vitest';
import { connect } from '../../../../db/core/client.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import { newOfferFixture } from '../../offers/offer-fixture.ts';
import { call, help, type Gateway } from '../../../support/api/api.ts';
import { countLockWaits, untilLockWaits, holdLock } from '../../../support/database/locks.ts';
import { quotasTest as test, quotasOf, statesOf } from './vendor-quotas-fixture.ts';

/** A vendor's slow lists delay no other call and end at their time limit. */

/** Every list of subscriptions waits until the answer is called. */
const lockSubscriptions = ({ sql }: Gateway) =>
  holdLock(sql, sql`lock table webhook_subscriptions in access exclusive mode`);

test('delays no push and no /health by slow lists', async ({ gateway, database }) => {
  const lists = connect(database.url, { max: 1, name: 'quotas, lists' });
  const app = await appWith({ ...gateway.dependencies, lists, vendorQuotas: quotasOf(1) }, {});
  const fixture = await newOfferFixture(gateway);
  const id = await fixture.create();
  const release = await lockSubscriptions(gateway);
  const { token } = fixture.vendor;
  const slow = Array.from({ length: 20 }, () => call(app, 'GET', '/api/v1/webhooks', { token }));
  try {
    await untilLockWaits(gateway.sql, 1);
    const push = await call(app, 'PATCH', `/api/v1/scent/offers/${id}/stock`, {
      token,
      body: { declaredInStock: true, declaredStockQuantity: 7 },
    });
    expect(push.state).toBe('SUCCESS');
    for (const url of ['/health', '/ready']) {
      expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    }
    expect(await countLockWaits(gateway.sql)).toBe(1);
  } finally {
    await release();
  }
  expect(statesOf(await Promise.all(slow))).toEqual(['SUCCESS']);
  await lists.end({ timeout: 5 });
});

test('returns 504 for a list beyond its time limit', async ({ gateway, database }) => {
  const lists = connect(database.url, { max: 1, name: 'quotas, lists', statementTimeoutMs: 200 });
  const app = await appWith({ ...gateway.dependencies, lists }, {});
  const { vendor, operator } = await newOfferFixture(gateway);
  const release = await lockSubscriptions(gateway);
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
        ...help('GATEWAY_TIMEOUT'),
      });
    }
  } finally {
    await release();
    await lists.end({ timeout: 5 });
  }
});
