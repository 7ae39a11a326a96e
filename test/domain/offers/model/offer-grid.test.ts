import { describe, expect, test } from 'vitest';
import { createOffer } from '../../../../domain/offers/create-offer.ts';
import {
  editOffer,
  pushPrice,
  pushStock,
  type DeclaredPrice,
  type OfferEdit,
} from '../../../../domain/offers/edit-offer.ts';
import type { FieldError, Result } from '../../../../domain/errors.ts';
import { moveOffer, type OfferMove } from '../../../../domain/offers/move-offer.ts';
import { offerStatuses, type Offer, type OfferStatus } from '../../../../domain/offers/offer.ts';
import { reviewOffer, type ReviewCommand } from '../../../../domain/offers/review-offer.ts';
import { applyPendingSwitch } from '../../../../domain/offers/switch-agreement.ts';
import {
  context,
  declaration,
  deepFrozen,
  now,
  offer,
  price,
  supply,
  variant,
} from '../offer-builders.ts';

/** What an answer may depend on. */
type Facts = {
  readonly status: OfferStatus;
  readonly isMatched: boolean;
  readonly hasBarcode: boolean;
  readonly wasApproved: boolean;
  readonly pricingModel: Offer['pricingModel'];
  /** A live price of the agreement; Model 2 may have none yet. */
  readonly hasPrice: boolean;
  readonly isStaged: boolean;
  /** The agreement was switched since its live price was approved. */
  readonly isSwitched: boolean;
  /** An identity fact was changed since it was approved. */
  readonly isEdited: boolean;
};

/** A status: it was changed, and then has that one. A field: VALIDATION_ERRORS on it. */
type Outcome =
  | OfferStatus
  | 'unchanged'
  | 'Barcode'
  | 'VariantId'
  | 'RawBrandName'
  | 'BUSINESS_OFFER_INVALID_TRANSITION'
  | 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT'
  | 'BUSINESS_OFFER_PRICE_REQUIRED'
  | 'BUSINESS_OFFER_NO_PENDING_PRICE'
  | 'CONFLICT_VERSION';
type Cell = (facts: Facts) => Outcome;

const is =
  (outcome: Outcome): Cell =>
  () =>
    outcome;
const unchanged = is('unchanged');
const stays: Cell = ({ status }) => status;
const invalid = is('BUSINESS_OFFER_INVALID_TRANSITION');
const wrongField = is('BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT');
const inReview: Cell = ({ isMatched }) => (isMatched ? 'PendingReview' : 'PendingMatch');
const barcoded =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasBarcode ? cell(facts) : 'Barcode';
const named =
  (cell: Cell): Cell =>
  (facts) =>
    facts.isMatched ? cell(facts) : 'RawBrandName';
const underModel1 =
  (cell: Cell): Cell =>
  (facts) =>
    facts.pricingModel === 'CostPlusMargin' ? cell(facts) : wrongField(facts);
/** A first price cannot be the live one again. */
const again =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasPrice ? 'unchanged' : cell(facts);
/** In a push the live price again discards what is staged. */
const pushedAgain =
  (cell: Cell): Cell =>
  (facts) =>
    facts.hasPrice && !facts.isStaged ? 'unchanged' : cell(facts);
/** A first barcode is no identity change, another one is. */
const sentBarcode: Cell = ({ hasBarcode }) => (hasBarcode ? 'PendingReview' : 'Approved');
const priced: Cell = ({ hasPrice, isStaged }) =>
  hasPrice || isStaged ? 'Approved' : 'BUSINESS_OFFER_PRICE_REQUIRED';
const settled: Cell = ({ status, isStaged }) =>
  isStaged ? status : 'BUSINESS_OFFER_NO_PENDING_PRICE';
const reinstated: Cell = ({ isSwitched, isEdited }) => {
  if (isSwitched) return 'PendingRepricing';
  return isEdited ? 'PendingReview' : 'Approved';
};

type Row = Partial<Record<OfferStatus, Cell>> & {
  readonly run: (offer: Offer) => Result<Offer>;
  /** What the command may write besides status, supply, place in the queue, version and time. */
  readonly writes: readonly (keyof Offer)[];
  /** The answer in each status that the row does not name. */
  readonly otherwise: Cell;
};

const own = { CostPlusMargin: 'cost', PercentageOfSale: 'salePrice' } as const;
const others = { CostPlusMargin: 'salePrice', PercentageOfSale: 'cost' } as const;
const livePrice = 10_000;
const newPrice = 8000;
const priceOf = (field: DeclaredPrice['field'], amountHalalas: number): DeclaredPrice => ({
  field,
  declared: { amountHalalas, isVatInclusive: false },
});
const context15 = { vatRateBasisPoints: 1500, now };

const edit = (edit: Partial<OfferEdit>, ownPrice?: number) => (offer: Offer) =>
  editOffer(
    offer,
    {
      description: {},
      prices: ownPrice === undefined ? [] : [priceOf(own[offer.pricingModel], ownPrice)],
      stock: null,
      ...edit,
    },
    context15,
  );
const editOther = (description: OfferEdit['description']) => (offer: Offer) =>
  edit({ description, prices: [priceOf(others[offer.pricingModel], newPrice)] })(offer);
/** The older form knows cost only (D59). */
const editOlder = (cost: number) =>
  edit({
    prices: [priceOf('cost', cost)],
    stock: { declaredInStock: true, declaredStockQuantity: 9 },
  });
const push = (fields: typeof own | typeof others, amount: number) => (offer: Offer) =>
  pushPrice(offer, priceOf(fields[offer.pricingModel], amount), context15);
const stock = (declaredStockQuantity: number) => (offer: Offer) =>
  pushStock(offer, { declaredInStock: true, declaredStockQuantity }, now);
const move = (move: OfferMove) => (offer: Offer) => moveOffer(offer, move, now);
const review =
  (command: ReviewCommand, isActive = true) =>
  (offer: Offer) => {
    const isMatched =
      offer.variantId !== null || (command.action === 'approve' && command.variantId !== null);
    const found = isMatched ? { ...variant, isActive } : null;
    return reviewOffer(offer, command, { variant: found, newSupplyOptionId: 'option-1', now });
  };
const approve = { action: 'approve', variantId: null, expectedVersion: null } as const;
const approveMatch = { ...approve, variantId: variant.id };
const switchTo = (epoch: number) => (offer: Offer) => {
  const pricingModel =
    offer.pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
  return {
    ok: true,
    value: applyPendingSwitch(offer, { pricingModel, epoch, changedAt: now }),
  } as const;
};

const detail = { vendorSku: 'V-2' };
const barcode = '96385074';
const prices = ['cost', 'pendingCost', 'salePrice', 'pendingSalePrice'] as const;
const stocks = ['declaredInStock', 'declaredStockQuantity'] as const;
const told = ['reviewedAt', 'reviewReason'] as const;
const approval = [
  ...told,
  ...prices,
  'variantId',
  'barcode',
  'everApproved',
  'identityChanged',
] as const;

/** Part 3 and part 4 of the specification, and D18 to D31, D59 to D64, written from them anew. */
const grid: Readonly<Record<string, Row>> = {
  'an edit of nothing': { run: edit({}), writes: [], otherwise: unchanged },
  'an edit to the stored values': {
    run: (offer) => {
      const { rawBrandName, vendorExternalId } = offer;
      return edit({ description: { rawBrandName, vendorExternalId } })(offer);
    },
    writes: [],
    otherwise: unchanged,
  },
  'an edit of a detail': {
    run: edit({ description: detail }),
    writes: ['vendorSku', 'identityChanged'],
    otherwise: barcoded(stays),
    Approved: barcoded(inReview),
    Rejected: barcoded(inReview),
  },
  'an edit that clears the brand name': {
    run: edit({ description: { rawBrandName: null } }),
    writes: ['rawBrandName', 'identityChanged'],
    otherwise: named(barcoded(stays)),
    Approved: barcoded(inReview),
    Rejected: named(barcoded(inReview)),
  },
  'an edit of the barcode': {
    run: edit({ description: { barcode } }),
    writes: ['barcode', 'identityChanged'],
    otherwise: stays,
    Approved: sentBarcode,
    Rejected: inReview,
  },
  'an edit of the barcode and a detail': {
    run: edit({ description: { barcode, ...detail } }),
    writes: ['barcode', 'vendorSku', 'identityChanged'],
    otherwise: stays,
    Approved: inReview,
    Rejected: inReview,
  },
  'an edit of the price': {
    run: edit({}, newPrice),
    writes: prices,
    otherwise: stays,
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'an edit to the live price': {
    run: edit({}, livePrice),
    writes: prices,
    otherwise: again(stays),
    Rejected: again(barcoded(inReview)),
    PendingRepricing: barcoded(inReview),
  },
  'an edit of the price and a detail': {
    run: edit({ description: detail }, newPrice),
    writes: ['vendorSku', 'identityChanged', ...prices],
    otherwise: barcoded(stays),
    Approved: barcoded(inReview),
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'an edit of the price and the barcode': {
    run: edit({ description: { barcode } }, newPrice),
    writes: ['barcode', 'identityChanged', ...prices],
    otherwise: stays,
    Approved: sentBarcode,
    Rejected: inReview,
    PendingRepricing: inReview,
  },
  "an edit of the other model's price": { run: editOther({}), writes: [], otherwise: wrongField },
  "an edit of the other model's price and a detail": {
    run: editOther(detail),
    writes: [],
    otherwise: wrongField,
  },
  'an edit in the older form of stock': {
    run: editOlder(livePrice),
    writes: stocks,
    otherwise: underModel1(stays),
    Rejected: underModel1(barcoded(inReview)),
    PendingRepricing: underModel1(barcoded(inReview)),
  },
  'an edit in the older form of stock and cost': {
    run: editOlder(newPrice),
    writes: [...stocks, ...prices],
    otherwise: underModel1(stays),
    Rejected: underModel1(barcoded(inReview)),
    PendingRepricing: underModel1(barcoded(inReview)),
  },
  'a push of the price': {
    run: push(own, newPrice),
    writes: prices,
    otherwise: stays,
    Rejected: barcoded(inReview),
    PendingRepricing: barcoded(inReview),
  },
  'a push of the live price': {
    run: push(own, livePrice),
    writes: prices,
    otherwise: pushedAgain(stays),
    Rejected: pushedAgain(barcoded(inReview)),
    PendingRepricing: barcoded(inReview),
  },
  "a push of the other model's price": {
    run: push(others, newPrice),
    writes: [],
    otherwise: wrongField,
  },
  'a push of stock': { run: stock(9), writes: stocks, otherwise: stays, Rejected: barcoded(stays) },
  'a push of the stored stock': { run: stock(5), writes: [], otherwise: unchanged },
  submit: {
    run: move({ action: 'submit' }),
    writes: [],
    otherwise: invalid,
    Draft: inReview,
    Withdrawn: inReview,
  },
  withdraw: {
    run: move({ action: 'withdraw' }),
    writes: [],
    otherwise: is('Withdrawn'),
    Withdrawn: invalid,
  },
  suspend: {
    run: move({ action: 'suspend', reason: 'Stop.' }),
    writes: told,
    otherwise: invalid,
    Approved: is('Suspended'),
  },
  reinstate: {
    run: move({ action: 'reinstate', reason: 'Go on.' }),
    writes: told,
    otherwise: invalid,
    Suspended: reinstated,
  },
  approve: {
    run: review(approve),
    writes: approval,
    otherwise: invalid,
    PendingMatch: is('VariantId'),
    PendingReview: priced,
  },
  'approve with a match': {
    run: review(approveMatch),
    writes: approval,
    otherwise: invalid,
    PendingMatch: priced,
    PendingReview: priced,
  },
  'approve with a match to an inactive variant': {
    run: review(approveMatch, false),
    writes: [],
    otherwise: invalid,
    PendingMatch: is('VariantId'),
    PendingReview: is('VariantId'),
  },
  reject: {
    run: review({ action: 'reject', reason: 'No.', expectedVersion: null }),
    writes: told,
    otherwise: invalid,
    Draft: is('Rejected'),
    PendingMatch: is('Rejected'),
    PendingReview: is('Rejected'),
  },
  'apply the price': {
    run: review({ action: 'applyPrice', reason: null, expectedVersion: null }),
    writes: [...told, ...prices],
    otherwise: settled,
  },
  'discard the price': {
    run: review({ action: 'discardPrice', reason: null, expectedVersion: null }),
    writes: [...told, 'pendingCost', 'pendingSalePrice'],
    otherwise: settled,
  },
  'a decision on an earlier version': {
    run: review({ ...approve, expectedVersion: 2 }),
    writes: [],
    otherwise: is('CONFLICT_VERSION'),
  },
  'a switch of the agreement': {
    run: switchTo(1),
    writes: ['pricingModel', 'agreementEpoch', 'pendingCost', 'pendingSalePrice'],
    otherwise: stays,
    PendingReview: is('PendingRepricing'),
    Approved: is('PendingRepricing'),
  },
  'a switch of the agreement that it follows': {
    run: switchTo(0),
    writes: [],
    otherwise: unchanged,
  },
};

const either = [true, false];
const matchedOnly: readonly OfferStatus[] = [
  'PendingReview',
  'Approved',
  'Suspended',
  'PendingRepricing',
];
const approvedOnly: readonly OfferStatus[] = ['Approved', 'Suspended'];

/** Whether an offer can be so. */
function isPossible(facts: Facts): boolean {
  const { status, isMatched, wasApproved, hasPrice, isStaged, isSwitched, isEdited } = facts;
  if (status === 'PendingMatch' && isMatched) return false;
  if (matchedOnly.includes(status) && !isMatched) return false;
  if (wasApproved && (!isMatched || status === 'Draft' || status === 'PendingMatch')) return false;
  if (!wasApproved && (approvedOnly.includes(status) || isStaged || isSwitched || isEdited))
    return false;
  if (status === 'Approved' && (isSwitched || isEdited)) return false;
  if (hasPrice) return true;
  return (
    facts.pricingModel === 'PercentageOfSale' && (isSwitched || !approvedOnly.includes(status))
  );
}

const factsOf = (status: OfferStatus): readonly Facts[] =>
  (['CostPlusMargin', 'PercentageOfSale'] as const)
    .flatMap((pricingModel) => either.map((isMatched) => ({ status, pricingModel, isMatched })))
    .flatMap((facts) => either.map((hasBarcode) => ({ ...facts, hasBarcode })))
    .flatMap((facts) => either.map((wasApproved) => ({ ...facts, wasApproved })))
    .flatMap((facts) => either.map((hasPrice) => ({ ...facts, hasPrice })))
    .flatMap((facts) => either.map((isStaged) => ({ ...facts, isStaged })))
    .flatMap((facts) => either.map((isSwitched) => ({ ...facts, isSwitched })))
    .flatMap((facts) => either.map((isEdited) => ({ ...facts, isEdited })))
    .filter(isPossible);

const stopped: readonly OfferStatus[] = ['Rejected', 'Withdrawn', 'Suspended', 'PendingRepricing'];

function offerWith(facts: Facts): Offer {
  const {
    status,
    isMatched,
    hasBarcode,
    wasApproved,
    pricingModel,
    hasPrice,
    isStaged,
    isSwitched,
  } = facts;
  const isModel1 = pricingModel === 'CostPlusMargin';
  const live = hasPrice ? price(livePrice, 1500) : null;
  const staged = isStaged ? price(9000, 1350) : null;
  const given = offer({
    status,
    pricingModel,
    variantId: isMatched ? variant.id : null,
    barcode: hasBarcode ? '4006381333931' : null,
    everApproved: wasApproved,
    identityChanged: facts.isEdited,
    cost: (isModel1 ? live : null) ?? price(7000, 1050),
    salePrice: isModel1 ? price(20_000, 3000) : live,
    pendingCost: isModel1 ? staged : null,
    pendingSalePrice: isModel1 ? null : staged,
    supply: wasApproved
      ? supply({
          isPaused: isSwitched || stopped.includes(status),
          pricingModel: isModel1 === isSwitched ? 'PercentageOfSale' : 'CostPlusMargin',
        })
      : null,
  });
  return deepFrozen({ ...given, awaitingSince: isAwaited(given) ? given.createdAt : null });
}

const isAwaited = ({ status, pendingCost, pendingSalePrice }: Offer): boolean =>
  status === 'PendingMatch' ||
  status === 'PendingReview' ||
  (status === 'Approved' && (pendingCost !== null || pendingSalePrice !== null));

function outcomeOf(before: Offer, result: Result<Offer>): string {
  if (result.ok) return result.value === before ? 'unchanged' : result.value.status;
  const { code, details } = result.failure;
  if (code !== 'VALIDATION_ERRORS') return code;
  return (details['errors'] as FieldError[]).map(({ field }) => field).join();
}

/** The supply that `before` has after a command that left it in `status`. */
function supplyAfter(before: Offer, command: string, status: OfferStatus): boolean | null {
  if (status === 'Approved' && /^(approve|reinstate)/.test(command)) return false;
  if (before.supply === null) return null;
  return stopped.includes(status) || before.supply.isPaused;
}

const pendingOf = { cost: 'pendingCost', salePrice: 'pendingSalePrice' } as const;

/** A live price moves by a decision, or before there ever was one; the other model's stays, whatever comes. */
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

test('the grid is walked whole: each status as every offer that can have it', () => {
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
