import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldError, Failure, Result } from '../../../../domain/errors.ts';
import { createOffer } from '../../../../domain/offers/create-offer.ts';
import { offerStatuses, reviewVersionOf, type Offer } from '../../../../domain/offers/offer.ts';
import {
  context,
  declaration,
  deepFrozen,
  expectValue,
  now,
  judgedFacts,
} from '../offer-builders.ts';
import {
  anyCommand,
  anyPrice,
  barcodes,
  eachCommand,
  variantOf,
  type Command,
  reviewReason,
  type Kind,
} from './offer-commands.ts';
import { outcomeOf, inReview, isSameValue, modelOf, type Model } from './offer-model.ts';
import { factsOf, offerWith, isAwaited } from './possible-offers.ts';
import { editOffer, pushPrice, pushStock } from '../../../../domain/offers/edit-offer.ts';
import { moveOffer } from '../../../../domain/offers/move-offer.ts';
import { reviewOffer } from '../../../../domain/offers/review-offer.ts';
import {
  applyPendingSwitch,
  type AgreementInForce,
} from '../../../../domain/offers/switch-agreement.ts';

/**
 * Fails with the rule's text. It is cheaper than `expect`, and the test checks some million rules.
 */
function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`broken: ${what}`);
}

/** An offer without its versions and change time. */
const contentOf = ({
  version: _version,
  judgedVersion: _judgedVersion,
  changedAt: _changedAt,
  ...content
}: Offer) => content;

/** The rules that the model does not state. `at` is the instant of the change. */
function checkInvariants(before: Offer, after: Offer, kind: Kind, at: Date): void {
  const isSame = (field: keyof Offer) => isSameValue(before[field], after[field]);
  check(
    'an offer keeps its supply option',
    before.supply === null || before.supply.optionId === after.supply?.optionId,
  );
  check(
    'awaitingSince is set exactly while a decision is due',
    (after.awaitingSince !== null) === isAwaited(after),
  );
  check(
    'an offer keeps its position in the queue',
    before.awaitingSince === null || after.awaitingSince === null || isSame('awaitingSince'),
  );
  check('no command writes these', unwritten.every(isSame));
  check(
    'only the price of the agreement is staged',
    (after.pricingModel === 'CostPlusMargin' ? after.pendingSalePrice : after.pendingCost) === null,
  );
  const isSwitch = kind === 'switchAgreement';
  check('a switch raises the epoch', after.agreementEpoch === before.agreementEpoch + +isSwitch);
  checkVersion(before, after, kind, at);
}

const unwritten: readonly (keyof Offer)[] = [
  'id',
  'vendorId',
  'source',
  'createdAt',
  'vendorExternalId',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
];
const decisions: readonly Kind[] = [
  'approve',
  'reject',
  'returnToReview',
  'applyPrice',
  'discardPrice',
  'suspend',
  'reinstate',
];

/** The instants and versions that a change at `at` writes. */
function checkVersion(before: Offer, after: Offer, kind: Kind, at: Date): void {
  const isChanged = !isSameValue(contentOf(before), contentOf(after));
  const isCounted = after.version === before.version + 1;
  check('the version rises with each change', isChanged ? isCounted : isSameValue(after, before));
  check('a change sets the change time', !isChanged || after.changedAt.getTime() === at.getTime());
  const isJudgedAnew =
    kind !== 'switchAgreement' && !isSameValue(judgedFacts(before), judgedFacts(after));
  check(
    'the review version rises with what a reviewer judges',
    after.judgedVersion === before.judgedVersion + (isJudgedAnew ? 1 : 0),
  );
  const reviewedAt = isChanged && decisions.includes(kind) ? at : before.reviewedAt;
  check('a decision sets its time', isSameValue(after.reviewedAt, reviewedAt));
  check(
    'a wait begins now',
    before.awaitingSince !== null || after.awaitingSince === null || after.awaitingSince === at,
  );
  check(
    'a first approval makes the supply option',
    before.supply !== null ||
      after.supply === null ||
      after.supply.optionId === `option-of-version-${before.version}`,
  );
}

/** The offer and the agreement that the database would store. */
type Stored = { readonly offer: Offer; readonly agreement: AgreementInForce };

const seenIn = ({ offer, agreement }: Stored): Offer =>
  deepFrozen(applyPendingSwitch(offer, agreement));

function run(offer: Offer, command: Command, now: Date): Result<Offer> {
  const context = { vatRateBasisPoints: 1500, now };
  const reason = reviewReason;
  const isLate = 'isLate' in command && command.isLate;
  const expectedVersion = reviewVersionOf(offer) - (isLate ? 1 : 0);
  switch (command.kind) {
    case 'edit': {
      const { vendorSku, rawBrandName, barcode, priced, stock } = command;
      const description = {
        ...(vendorSku === undefined ? {} : { vendorSku }),
        ...(rawBrandName === undefined ? {} : { rawBrandName }),
        ...(barcode === undefined ? {} : { barcode }),
      };
      const prices =
        priced === undefined ? [] : [{ field: priced.field, declared: priced.price.sent }];
      return editOffer(offer, { description, prices, stock: stock ?? null }, context);
    }
    case 'pushPrice':
      return pushPrice(offer, { field: command.field, declared: command.price.sent }, context);
    case 'pushStock':
      return pushStock(offer, command.stock, now);
    case 'submit':
    case 'withdraw':
      return moveOffer(offer, { action: command.kind }, now);
    case 'suspend':
    case 'reinstate':
      return moveOffer(offer, { action: command.kind, reason }, now);
    case 'approve': {
      const variantId = command.match;
      const newSupplyOptionId = `option-of-version-${offer.version}`;
      const context = { variant: variantOf(variantId ?? offer.variantId), newSupplyOptionId, now };
      return reviewOffer(offer, { action: 'approve', variantId, expectedVersion }, context);
    }
    case 'reject':
    case 'returnToReview':
    case 'applyPrice':
    case 'discardPrice': {
      const context = { variant: null, newSupplyOptionId: 'never', now };
      return reviewOffer(offer, { action: command.kind, reason, expectedVersion }, context);
    }
    case 'switchAgreement':
    case 'follow':
      return { ok: true, value: offer };
  }
}

/** What is stored after a command that read `before` and answered `result`. */
function storedAfter(
  stored: Stored,
  command: Command,
  before: Offer,
  result: Result<Offer>,
  now: Date,
): Stored {
  const { offer, agreement } = stored;
  if (command.kind === 'switchAgreement') {
    const pricingModel =
      agreement.pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
    return { offer, agreement: { pricingModel, epoch: agreement.epoch + 1, changedAt: now } };
  }
  if (command.kind === 'follow') return { offer: before, agreement };
  // The gateway stores no change that changes nothing.
  return result.ok && result.value !== before
    ? { offer: deepFrozen(result.value), agreement }
    : stored;
}

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
