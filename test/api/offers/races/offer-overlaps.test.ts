import { describe, expect } from 'vitest';
import type { Pool } from '../../../../db/core/client.ts';
import type { Answer } from '../../support/api.ts';
import { succeeded } from '../offer-record.ts';
import {
  apply,
  approve,
  decide,
  inReview,
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

describe('a call that arrives while another is being made', () => {
  test('stock during the first approval is what the offer sells', async ({ overlap }) => {
    const offer = await overlap(inReview, 'audit', approve, pushStock(11));
    expect(offer).toMatchObject({
      status: 'Approved',
      declaredStockQuantity: 11,
      option: { stockQuantity: 11 },
    });
    expectSound(offer, 2, 1);
  });

  test('stock in the older form during the first approval is what the offer sells', async ({
    overlap,
  }) => {
    const body = { cost: 100, costIsVatInclusive: false, declaredStockQuantity: 11 };
    expectSound(await overlap(inReview, 'audit', approve, patch(body)), 2, 1);
  });

  test.for([
    ['suspended', suspend, 'Suspended', 2],
    ['withdrawn', withdraw, 'Withdrawn', 1],
  ] as const)(
    '%s during the first approval, it does not sell',
    async ([_name, move, status, operatorCommands], { overlap }) => {
      const offer = await overlap(inReview, 'audit', approve, move);
      expect(offer).toMatchObject({ status, option: { isPaused: true } });
      expectSound(offer, 2, operatorCommands);
    },
  );

  test.for([
    ['applied', apply, 15_000],
    ['discarded', decide('pending-price/discard'), 10_000],
  ] as const)(
    'a price %s during a withdrawal does not let the offer sell again',
    async ([_name, decision, net], { overlap }) => {
      const offer = await overlap(liveWithStagedPrice, 'option', withdraw, decision);
      expect(offer).toMatchObject({
        status: 'Withdrawn',
        costNet: net,
        option: { isPaused: true },
      });
      expectSound(offer, 4, 2);
    },
  );

  test.for([
    ['applied', apply, 15_000],
    ['discarded', decide('pending-price/discard'), 10_000],
  ] as const)(
    'a price %s during a suspension does not let the offer sell again',
    async ([_name, decision, net], { overlap }) => {
      const offer = await overlap(liveWithStagedPrice, 'audit', suspend, decision);
      expect(offer).toMatchObject({
        status: 'Suspended',
        costNet: net,
        option: { isPaused: true },
      });
      expectSound(offer, 4, 3);
    },
  );

  test('a price applied while it is reinstated does not pause the offer again', async ({
    overlap,
  }) => {
    const offer = await overlap(
      suspendedWithStagedPrice,
      'audit',
      decide('reinstate', { reason: 'Checked.' }),
      apply,
    );
    expect(offer).toMatchObject({
      status: 'Approved',
      costNet: 15_000,
      option: { isPaused: false },
    });
    expectSound(offer, 5, 4);
  });

  test('withdrawn while a price is applied, it does not sell', async ({ overlap }) => {
    const offer = await overlap(liveWithStagedPrice, 'audit', apply, withdraw);
    expect(offer).toMatchObject({
      status: 'Withdrawn',
      costNet: 15_000,
      option: { isPaused: true },
    });
    expectSound(offer, 4, 2);
  });
});
