import { expect, vi } from 'vitest';
import { connect } from '../../../../db/core/client.ts';
import { ask, baseUrlOf } from '../../error-codes/http.ts';
import { appWith } from '../../error-codes/slow-app.ts';
import { newOfferFixture } from '../../offers/offer-fixture.ts';
import { call } from '../../../support/api/api.ts';
import { countLockWaits, untilLockWaits } from '../../../support/database/locks.ts';

import {
  quotasTest as test,
  quotasOf,
  holdOffer,
  attackOn,
  statesOf,
} from './vendor-quotas-fixture.ts';

/** A call keeps its permit in its vendor's quota as long as its statement runs. */

test('keeps the permit of a call whose caller leaves', async ({ gateway, database }) => {
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
      await untilLockWaits(gateway.sql, 2);
      gone.abort();
      await Promise.all(sent);
      expect(await countLockWaits(gateway.sql)).toBe(2);
    }
    await attack.letGo();
    // 40 calls were aborted; had one of them kept its permit, these would wait for 30 seconds.
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

test('keeps the permit of a call that was answered 504', async ({ gateway, database }) => {
  const vendorQuotas = quotasOf(1);
  const pool = connect(database.url, { max: 4, name: 'quotas' });
  const app = await appWith(
    { ...gateway.dependencies, sql: pool, vendorQuotas },
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
    expect(await countLockWaits(gateway.sql)).toBe(1);
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

test('a call that fails frees its permit', async ({ gateway }) => {
  const failing = Object.assign(fail, gateway.sql, { unsafe: fail });
  const app = await appWith(
    { ...gateway.dependencies, sql: failing, vendorQuotas: quotasOf(1) },
    {},
  );
  const { vendor } = await newOfferFixture(gateway);
  for (let times = 0; times < 3; times += 1) {
    const url = `/api/v1/scent/offers/${vendor.vendorId}`;
    expect(await call(app, 'GET', url, { token: vendor.token })).toMatchObject({ status: 500 });
  }
});
