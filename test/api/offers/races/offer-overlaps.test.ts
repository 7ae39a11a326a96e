import { expect } from 'vitest';
import type { Pool } from '../../../../db/core/client.ts';
import type { Answer } from '../../../support/api/api.ts';
import { succeeded } from '../offer-record.ts';
import {
  apply,
  approve,
  decide,
  inReview,
  inReviewAgain,
  liveWithStagedPrice,
  patch,
  pushStock,
  suspend,
  withdraw,
  raceTest,
  type Racer,
  type SetUp,
} from './offer-race-fixture.ts';
import { expectSound, readStoredOffers, type StoredOffer } from './stored-offers.ts';
import { untilLockWaits, holdLock } from '../../../support/database/locks.ts';
import { holdSupplyOption } from '../../../support/seeds/agreement.ts';

/**
 * Locks what the first call needs last: the audit log for an operator's command, the supply option
 * for a vendor's.
 */
const holdLast = (sql: Pool, id: string, lock: 'audit' | 'option'): Promise<() => Promise<void>> =>
  lock === 'audit'
    ? holdLock(sql, sql`lock table audit_log in share mode`)
    : holdSupplyOption(sql, id);

/** The second call arrives while the first has made its changes and cannot commit them yet. */
const test = raceTest.extend(
  'overlap',
  { scope: 'file' },
  ({ gateway: { sql }, parties }) =>
    async (
      setUp: SetUp<string>,
      lock: 'audit' | 'option',
      first: Racer<string>,
      second: Racer<string>,
    ): Promise<StoredOffer> => {
      const id = await setUp(parties, 0);
      const release = await holdLast(sql, id, lock);
      const answering: Promise<Answer>[] = [];
      try {
        answering.push(first(parties, id, 0));
        await untilLockWaits(sql, 1);
        answering.push(second(parties, id, 0));
        await untilLockWaits(sql, 2);
      } finally {
        await release();
      }
      const answers = await Promise.all(answering);
      for (const answer of answers) expect(answer.status, answer.text).toBe(200);
      const [offer] = await readStoredOffers(sql, [id]);
      if (offer === undefined) throw new Error('no offer');
      return offer;
    },
);

const suspendedWithStagedPrice: SetUp<string> = async (parties, round) => {
  const id = await liveWithStagedPrice(parties, round);
  succeeded(await suspend(parties, id, round));
  return id;
};

const older = { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 11 };
const discard = decide('pending-price/discard');
const reinstate = decide('reinstate', { reason: 'Checked.' });
const staged = liveWithStagedPrice;
const again = inReviewAgain;
const suspended = suspendedWithStagedPrice;

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
])('makes %s as if after it', async (row, { overlap }) => {
  const [title, setUp, first, second, status, costNet, changes, operatorCommands] = row;
  const offer = await overlap(setUp, first === withdraw ? 'option' : 'audit', first, second);
  expect(offer).toMatchObject({
    status,
    costNet,
    declaredStockQuantity: /^(stock|older)/.test(title) ? 11 : 3,
    option: { isPaused: status !== 'Approved' },
  });
  expectSound(offer, changes, operatorCommands);
});
