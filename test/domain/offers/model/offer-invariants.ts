import type { Offer } from '../../../../domain/offers/offer.ts';
import type { Kind } from './offer-commands.ts';
import { isAwaited, stopped } from './offer-facts.ts';
import { isSameValue } from './offer-model.ts';

/** Fails with the rule's text. It is cheaper than `expect`, and a run checks some million rules. */
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

export function checkInvariants(before: Offer, after: Offer, kind: Kind): void {
  const isSame = (field: keyof Offer) => isSameValue(before[field], after[field]);
  const wasPaused = before.supply?.isPaused ?? true;
  check(
    'the live price of an offer once approved changes by a decision only',
    !before.everApproved ||
      kind === 'approve' ||
      kind === 'applyPrice' ||
      (isSame('cost') && isSame('salePrice')),
  );
  check('a stock push changes no status', kind !== 'pushStock' || isSame('status'));
  check('a match changes by approval only', kind === 'approve' || isSame('variantId'));
  check(
    'only an approval or a reinstatement sets Approved',
    after.status !== 'Approved' || isSame('status') || kind === 'approve' || kind === 'reinstate',
  );
  check(
    'only these commands unpause the supply option',
    !wasPaused || (after.supply?.isPaused ?? true) || kind === 'approve' || kind === 'reinstate',
  );
  check(
    'a stopped offer does not sell',
    !stopped.includes(after.status) || (after.supply?.isPaused ?? true),
  );
  check(
    'an approved offer has the approved identity',
    after.status !== 'Approved' || !after.identityChanged,
  );
  check('an approved offer sells', after.status !== 'Approved' || after.supply?.isPaused === false);
  check('an offer keeps its supply option', before.supply === null || isSameOption(before, after));
  check(
    'an offer never approved has no staged price',
    after.everApproved || (after.pendingCost === null && after.pendingSalePrice === null),
  );
  check('everApproved stays true', !before.everApproved || after.everApproved);
  check(
    'awaitingSince is set exactly while a decision is due',
    (after.awaitingSince !== null) === isAwaited(after),
  );
  check(
    'an offer keeps its position in the queue',
    before.awaitingSince === null || after.awaitingSince === null || isSame('awaitingSince'),
  );
  check(
    'id, vendor, source and creation time never change',
    isSame('id') && isSame('vendorId') && isSame('source') && isSame('createdAt'),
  );
}

const isSameOption = (before: Offer, after: Offer): boolean =>
  before.supply?.optionId === after.supply?.optionId;

/** A change raises the version by one and sets the change time; nothing else does either. */
export function checkVersion(before: Offer, after: Offer, at: Date): void {
  const isChanged = !isSameValue(contentOf(before), contentOf(after));
  const isCounted = after.version === before.version + 1;
  check('the version rises with each change', isChanged ? isCounted : isSameValue(after, before));
  check('a change sets the change time', !isChanged || after.changedAt.getTime() === at.getTime());
}
