import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createOffer } from '../../../../domain/offers/create-offer.ts';
import type { Result } from '../../../../domain/errors.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../../domain/offers/offer.ts';
import { context, declaration, judgedFacts, now, variant } from '../offer-builders.ts';
import { codeOf, isAwaited, stopped } from './offer-facts.ts';
import { barcode, others, own } from './offer-grid-commands.ts';
import { factsOf, offerWith } from './offer-grid-offers.ts';
import { grid, type Row } from './offer-grid.ts';

function outcomeOf(before: Offer, result: Result<Offer>): string {
  if (!result.ok) return codeOf(result.failure);
  return result.value === before ? 'unchanged' : result.value.status;
}

/** Whether the supply option is paused after a command that left the offer in `status`. */
function supplyAfter(before: Offer, command: string, status: OfferStatus): boolean | null {
  if (status === 'Approved' && /^(approve|reinstate)/.test(command)) return false;
  if (before.supply === null) return null;
  return stopped.includes(status) || before.supply.isPaused;
}

const pendingOf = { cost: 'pendingCost', salePrice: 'pendingSalePrice' } as const;

/**
 * The live price changes by a decision, or before the first approval. The other model's prices
 * stay.
 */
function expectPricesInPlace(before: Offer, after: Offer, command: string): void {
  const live = own[before.pricingModel];
  const isDecided = command.startsWith('approve') || command === 'apply the price';
  if (before.everApproved && !isDecided) expect(after[live]).toEqual(before[live]);
  if (!after.everApproved) expect(after[pendingOf[live]]).toBeNull();
  if (after.status === 'Approved' && isDecided) {
    expect(after).toMatchObject({
      everApproved: true,
      [live]: before[pendingOf[live]] ?? before[live],
    });
  }
  if (command.startsWith('a switch') || isDecided) expect(after[pendingOf[live]]).toBeNull();
  const other = others[before.pricingModel];
  expect(after[other]).toEqual(before[other]);
  expect(after[pendingOf[other]]).toBeNull();
}

const bookkeeping: readonly (keyof Offer)[] = [
  'status',
  'supply',
  'awaitingSince',
  'version',
  'judgedVersion',
  'changedAt',
];

function expectNothingElse(
  before: Offer,
  after: Offer,
  command: string,
  writes: Row['writes'],
): void {
  const written = new Set<keyof Offer>([...bookkeeping, ...writes]);
  const kept = (offer: Offer) =>
    Object.fromEntries(Object.entries(offer).filter(([key]) => !written.has(key as keyof Offer)));
  expect(kept(after)).toEqual(kept(before));
  expectPricesInPlace(before, after, command);
  expect(after).toMatchObject({ version: before.version + 1, changedAt: now });
  const isJudgedAnew =
    !command.startsWith('a switch') && !isDeepStrictEqual(judgedFacts(before), judgedFacts(after));
  expect(after.judgedVersion).toBe(before.judgedVersion + (isJudgedAnew ? 1 : 0));
  expect(after.awaitingSince).toEqual(isAwaited(after) ? (before.awaitingSince ?? now) : null);
  expect(after.supply?.isPaused ?? null).toBe(supplyAfter(before, command, after.status));
  expect(after.status === 'Approved' && after.identityChanged).toBe(false);
  expect(after.supply?.optionId).toBe(after.supply === null ? undefined : 'option-1');
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
      if (result.ok && result.value !== before)
        expectNothingElse(before, result.value, command, row.writes);
    }
  });
});

describe('no offer yet', () => {
  const rows = [
    { command: 'createDraft', isMatched: true, to: 'Draft' },
    { command: 'createDraft', isMatched: false, to: 'Draft' },
    { command: 'create', isMatched: true, to: 'PendingReview' },
    { command: 'create', isMatched: false, to: 'PendingMatch' },
  ] as const;

  test.each(rows)('$command, matched $isMatched: $to, with a barcode and without', (row) => {
    const { command, isMatched, to } = row;
    for (const pricingModel of ['CostPlusMargin', 'PercentageOfSale'] as const) {
      for (const sent of [null, barcode]) {
        const given = declaration({
          variantId: isMatched ? variant.id : null,
          barcode: sent,
          saveAsDraft: command === 'createDraft',
        });
        const found = isMatched ? { ...variant, barcode: null } : null;
        expect(createOffer(given, context({ pricingModel, variant: found }))).toMatchObject({
          ok: true,
          value: {
            status: to,
            barcode: sent,
            awaitingSince: to === 'Draft' ? null : now,
            everApproved: false,
            supply: null,
          },
        });
      }
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
