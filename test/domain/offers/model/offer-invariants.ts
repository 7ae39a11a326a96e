import type { Offer } from '../../../../domain/offers/offer.ts';
import type { Kind } from './offer-commands.ts';
import { isAwaited } from './possible-offers.ts';
import { isSameValue } from './offer-model.ts';
import { judgedFacts } from '../offer-builders.ts';

/**
 * Fails with the rule's text. It is cheaper than `expect`, and the test checks some million rules.
 */
export function check(what: string, isTrue: boolean): void {
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
export function checkInvariants(before: Offer, after: Offer, kind: Kind, at: Date): void {
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
