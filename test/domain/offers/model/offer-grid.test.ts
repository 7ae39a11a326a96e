import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../../domain/errors.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../../domain/offers/offer.ts';
import { judgedFacts, now } from '../offer-builders.ts';
import { codeOf, isAwaited, stopped } from './offer-facts.ts';
import { factsOf, offerWith } from './offer-grid-offers.ts';
import { grid } from './offer-grid.ts';

function outcomeOf(before: Offer, result: Result<Offer>): string {
  if (!result.ok) return codeOf(result.failure);
  return result.value === before ? 'unchanged' : result.value.status;
}

/** Whether the supply option is paused after a command that left the offer in `status`. */
function supplyAfter(before: Offer, command: string, status: OfferStatus): boolean | null {
  if (status === 'Approved' && /^(approve|reinstate)/.test(command)) return false;
  if (before.supply === null) return null;
  return stopped.includes(status) || command === 'return to review' || before.supply.isPaused;
}

const bookkeeping: readonly (keyof Offer)[] = [
  'status',
  'supply',
  'awaitingSince',
  'version',
  'judgedVersion',
  'changedAt',
];

const content = (offer: Offer) =>
  Object.fromEntries(
    Object.entries(offer).filter(([key]) => !bookkeeping.includes(key as keyof Offer)),
  );

/** The values of the row are written, and nothing else but the bookkeeping. */
function expectWritten(before: Offer, after: Offer, command: string, values: Partial<Offer>): void {
  expect(content(after)).toEqual(content({ ...before, ...values }));
  expect(after).toMatchObject({ version: before.version + 1, changedAt: now });
  const isJudgedAnew =
    !command.startsWith('a switch') && !isDeepStrictEqual(judgedFacts(before), judgedFacts(after));
  expect(after.judgedVersion).toBe(before.judgedVersion + (isJudgedAnew ? 1 : 0));
  expect(after.awaitingSince).toEqual(isAwaited(after) ? (before.awaitingSince ?? now) : null);
  expect(after.supply?.isPaused ?? null).toBe(supplyAfter(before, command, after.status));
  expect(after.status === 'Approved' && after.identityChanged).toBe(false);
  expectSupplyInPlace(before, after, command);
}

/** A first approval makes the supply option; an approval and an applied price set its model. */
function expectSupplyInPlace(before: Offer, after: Offer, command: string): void {
  if (after.supply === null) return;
  const isSold = command.startsWith('approve') || command === 'apply the price';
  expect(after.supply).toMatchObject({
    optionId: before.supply?.optionId ?? 'option-new',
    pricingModel: isSold ? before.pricingModel : before.supply?.pricingModel,
  });
}

const rows = Object.entries(grid).map(([command, row]) => ({ command, row }));

describe.each(offerStatuses)('%s', (status) => {
  test.each(rows)('$command', ({ command, row }) => {
    const cell = row[status] ?? row.otherwise;
    for (const facts of factsOf(status)) {
      const before = offerWith(facts);
      const result = row.run(before);
      expect({ facts, outcome: outcomeOf(before, result) }).toEqual({
        facts,
        outcome: cell(facts),
      });
      if (!result.ok || result.value === before) continue;
      expectWritten(before, result.value, command, row.values?.(facts) ?? {});
    }
  });
});

test('the grid covers every possible offer in each status', () => {
  expect(offerStatuses.map((status) => [status, factsOf(status).length])).toEqual([
    ['Draft', 12],
    ['PendingMatch', 6],
    ['PendingReview', 54],
    ['Approved', 8],
    ['Rejected', 60],
    ['Withdrawn', 60],
    ['Suspended', 40],
    ['PendingRepricing', 54],
  ]);
});
