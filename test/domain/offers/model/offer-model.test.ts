import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldError, Failure } from '../../../../domain/errors.ts';
import { createOffer } from '../../../../domain/offers/create-offer.ts';
import { offerStatuses } from '../../../../domain/offers/offer.ts';
import { context, declaration, deepFrozen, expectValue, now } from '../offer-builders.ts';
import {
  anyCommand,
  anyPrice,
  barcodes,
  eachCommand,
  variantOf,
  type Command,
} from './offer-commands.ts';
import { check, checkInvariants } from './offer-invariants.ts';
import { outcomeOf, inReview, isSameValue, modelOf, type Model } from './offer-model.ts';
import { factsOf, offerWith } from './possible-offers.ts';
import { run, seenIn, storedAfter, type Stored } from './run-command.ts';

const anyBeginning = fc.record({
  pricingModel: fc.constantFrom('CostPlusMargin' as const, 'PercentageOfSale' as const),
  variantId: fc.constantFrom(null, 'variant-1', 'variant-2'),
  barcode: fc.constantFrom(null, null, ...barcodes),
  saveAsDraft: fc.boolean(),
  cost: anyPrice,
  salePrice: fc.option(anyPrice),
});
type Beginning = typeof anyBeginning extends fc.Arbitrary<infer T> ? T : never;

const start = new Date('2026-01-01T00:00:00.000Z');

function begin({ pricingModel, cost, salePrice, ...declared }: Beginning): Stored {
  const sale = pricingModel === 'PercentageOfSale' ? salePrice : null;
  const created = createOffer(
    declaration({
      ...declared,
      costHalalas: cost.sent.amountHalalas,
      costIsVatInclusive: cost.sent.isVatInclusive,
      salePriceHalalas: sale?.sent.amountHalalas ?? null,
      salePriceIsVatInclusive: sale?.sent.isVatInclusive ?? null,
    }),
    context({ pricingModel, variant: variantOf(declared.variantId), now: start }),
  );
  const offer = deepFrozen(expectValue(created));
  const { saveAsDraft } = declared;
  check(
    'a draft stays Draft, any other offer enters review',
    offer.status === (saveAsDraft ? 'Draft' : inReview(modelOf(offer))),
  );
  check(
    'only an offer that is no draft waits for a reviewer',
    (offer.awaitingSince !== null) === !saveAsDraft,
  );
  return { offer, agreement: { pricingModel, epoch: 0, changedAt: start } };
}

type Pair = { readonly stored: Stored; readonly model: Model };

/** The code of a failure; of VALIDATION_ERRORS the names of the fields, joined by commas. */
function codeOf({ code, details }: Failure): string {
  if (code !== 'VALIDATION_ERRORS') return code;
  return (details['errors'] as FieldError[]).map(({ field }) => field).join();
}

/** Runs a command on the domain and on the model, and compares them. */
function runBoth({ stored, model }: Pair, command: Command, now: Date): Pair {
  const before = seenIn(stored);
  const result = run(before, command, now);
  const outcome = outcomeOf(model, command);
  const refusal = typeof outcome === 'string' ? outcome : null;
  const code = result.ok ? null : codeOf(result.failure);
  check(`${command.kind} is answered ${refusal ?? 'ok'}, not ${code}`, code === refusal);
  if (!result.ok && code === 'BUSINESS_OFFER_INVALID_TRANSITION') {
    const { status, action } = result.failure.details;
    check('a refusal names the status', status === before.status);
    check('a refusal names the action', action === command.kind);
  }
  const isNoChange = result.ok && result.value === before;
  if (refusal === null && command.kind !== 'switchAgreement') {
    check(
      `${command.kind} changes something exactly when the model says so`,
      isNoChange === (outcome === model),
    );
  }
  const expected = typeof outcome === 'string' ? model : outcome;
  const next = storedAfter(stored, command, before, result, now);
  const after = seenIn(next);
  check('a refused command changes nothing', refusal === null || next === stored);
  check(`${after.status} is ${expected.status}`, after.status === expected.status);
  check('the offer equals the model', isSameValue(modelOf(after), expected));
  checkInvariants(before, after, command.kind, now);
  return { stored: next, model: expected };
}

const review = ['PendingMatch', 'PendingReview'] as const;
/** Every change of status of part 3, D23, D28 and D30, with the command that makes it. */
const specifiedMoves = (
  [
    ['approve', review, ['Approved']],
    ['edit', ['Approved', 'PendingRepricing'], ['PendingReview']],
    ['edit', ['Rejected'], review],
    ['pushPrice', ['PendingRepricing'], ['PendingReview']],
    ['pushPrice', ['Rejected'], review],
    ['reinstate', ['Suspended'], ['Approved', 'PendingRepricing', 'PendingReview']],
    ['reject', ['Draft', ...review], ['Rejected']],
    ['returnToReview', ['Approved', 'Suspended'], ['PendingReview']],
    ['submit', ['Draft', 'Rejected', 'Withdrawn'], review],
    ['suspend', ['Approved'], ['Suspended']],
    ['switchAgreement', ['Approved', 'PendingReview'], ['PendingRepricing']],
    ['withdraw', offerStatuses.filter((status) => status !== 'Withdrawn'), ['Withdrawn']],
  ] as const
).flatMap(([kind, froms, tos]) =>
  froms.flatMap((from) => tos.map((to) => `${kind}: ${from} → ${to}`)),
);

test('equals the specification’s model after any commands, and keeps every rule', () => {
  const moves = new Set<string>();
  const sequence = fc.array(anyCommand, { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(anyBeginning, sequence, (beginning, commands) => {
      const stored = begin(beginning);
      let pair: Pair = { stored, model: modelOf(stored.offer) };
      for (const [index, command] of commands.entries()) {
        const { status } = pair.model;
        pair = runBoth(pair, command, new Date(start.getTime() + 1000 * (index + 1)));
        if (status !== pair.model.status)
          moves.add(`${command.kind}: ${status} → ${pair.model.status}`);
      }
    }),
    { numRuns: 4000 },
  );
  // The sequences made each specified move at least once.
  expect([...moves].toSorted()).toEqual(specifiedMoves.toSorted());
});

const commands = eachCommand();

test.each([
  ['Draft', 12],
  ['PendingMatch', 6],
  ['PendingReview', 54],
  ['Approved', 8],
  ['Rejected', 60],
  ['Withdrawn', 60],
  ['Suspended', 40],
  ['PendingRepricing', 54],
] as const)(
  'returns for each command on each possible %s offer what the model does',
  (status, count) => {
    const offers = factsOf(status).map(offerWith);
    expect(offers).toHaveLength(count);
    for (const offer of offers) {
      const { pricingModel, agreementEpoch: epoch } = offer;
      const stored = { offer, agreement: { pricingModel, epoch, changedAt: start } };
      for (const command of commands) runBoth({ stored, model: modelOf(offer) }, command, now);
    }
  },
);
