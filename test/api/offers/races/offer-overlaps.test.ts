import { expect } from 'vitest';
import { succeeded } from '../../../support/api/api.ts';
import type { ApiResponse } from '../../../support/api/api.ts';
import { holdLock, untilLockWaits } from '../../../support/database/locks.ts';
import { holdSupplyOption } from '../../../support/seeds/agreement.ts';
import {
  apply,
  approve,
  decide,
  expectSound,
  inReview,
  inReviewAgain as again,
  liveWithStagedPrice as staged,
  patch,
  pushStock,
  raceTest as test,
  readStoredOffers,
  suspend,
  withdraw,
  type Racer,
  type SetUp,
} from './offer-race-fixture.ts';

/** With a staged price. */
const suspended: SetUp<string> = async (parties, round) => {
  const id = await staged(parties, round);
  succeeded(await suspend(parties, id, round));
  return id;
};

const older = { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 11 };
const discard = decide('pending-price/discard');
const reinstate = decide('reinstate', { reason: 'Checked.' });

// The second call arrives while the first has made its changes and cannot commit them yet.
test.for<[string, SetUp<string>, Racer<string>, Racer<string>, string, number, number, number]>([
  ['stock during approve', inReview, approve, pushStock(11), 'Approved', 10_000, 2, 1],
  ['stock during a second approve', again, approve, pushStock(11), 'Approved', 10_000, 4, 2],
  ['older form during approve', inReview, approve, patch(older), 'Approved', 10_000, 2, 1],
  ['suspend during approve', inReview, approve, suspend, 'Suspended', 10_000, 2, 2],
  ['withdraw during approve', inReview, approve, withdraw, 'Withdrawn', 10_000, 2, 1],
  ['apply during withdraw', staged, withdraw, apply, 'Withdrawn', 15_000, 4, 2],
  ['discard during withdraw', staged, withdraw, discard, 'Withdrawn', 10_000, 4, 2],
  ['apply during suspend', staged, suspend, apply, 'Suspended', 15_000, 4, 3],
  ['discard during suspend', staged, suspend, discard, 'Suspended', 10_000, 4, 3],
  ['apply during reinstate', suspended, reinstate, apply, 'Approved', 15_000, 5, 4],
  ['withdraw during apply', staged, apply, withdraw, 'Withdrawn', 15_000, 4, 2],
])('stores %s as if called after it', async (row, { gateway: { sql }, parties }) => {
  const [title, setUp, first, second, status, costNet, changes, operatorCommands] = row;
  const id = await setUp(parties, 0);
  // An operator's command needs the audit log last, a vendor's the supply option.
  const release = await (first === withdraw
    ? holdSupplyOption(sql, id)
    : holdLock(sql, sql`lock table audit_log in share mode`));
  const answering: Promise<ApiResponse>[] = [];
  try {
    answering.push(first(parties, id, 0));
    await untilLockWaits(sql, 1);
    answering.push(second(parties, id, 0));
    await untilLockWaits(sql, 2);
  } finally {
    await release();
  }
  for (const response of await Promise.all(answering))
    expect(response.status, response.text).toBe(200);
  const [offer] = await readStoredOffers(sql, [id]);
  if (offer === undefined) throw new Error('no offer');
  expect(offer).toMatchObject({
    status,
    costNet,
    declaredStockQuantity: /^(stock|older)/.test(title) ? 11 : 3,
    option: { isPaused: status !== 'Approved' },
  });
  expectSound(offer, changes, operatorCommands);
});
