import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PricingModel } from '../../../../domain/accounts/agreement.ts';
import { createOffer } from '../../../../domain/offers/create-offer.ts';
import {
  editOffer,
  pushPrice,
  pushStock,
  type DeclaredPrice,
} from '../../../../domain/offers/edit-offer.ts';
import type { FieldError, Result } from '../../../../domain/errors.ts';
import { moveOffer } from '../../../../domain/offers/move-offer.ts';
import type { Offer, OfferStatus, Variant } from '../../../../domain/offers/offer.ts';
import { reviewOffer } from '../../../../domain/offers/review-offer.ts';
import {
  applyPendingSwitch,
  type AgreementInForce,
} from '../../../../domain/offers/switch-agreement.ts';
import type { Price } from '../../../../domain/vat.ts';
import {
  context,
  declaration,
  deepFrozen,
  expectValue,
  price,
  variant,
} from '../offer-builders.ts';

/** Most values are passed on as they are, and this is asked a million times. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(one, other);

/* The commands: few values each, so that they often meet what is stored already. */

type DeclaredStock = {
  readonly declaredInStock: boolean;
  readonly declaredStockQuantity: number | null;
};
type Declared = { readonly sent: DeclaredPrice['declared']; readonly stored: Price };
type Command =
  | {
      readonly kind: 'edit';
      readonly vendorSku: string | null | undefined;
      readonly rawBrandName: string | null | undefined;
      readonly barcode: string | undefined;
      readonly priced:
        { readonly field: DeclaredPrice['field']; readonly price: Declared } | undefined;
      readonly stock: DeclaredStock | undefined;
    }
  | { readonly kind: 'pushPrice'; readonly field: DeclaredPrice['field']; readonly price: Declared }
  | { readonly kind: 'pushStock'; readonly stock: DeclaredStock }
  | { readonly kind: 'approve'; readonly match: string | null; readonly isLate: boolean }
  | { readonly kind: 'reject' | 'applyPrice' | 'discardPrice'; readonly isLate: boolean }
  | { readonly kind: 'submit' | 'withdraw' | 'suspend' | 'reinstate' }
  /** The agreement changes at once; an offer is stored as following it only when it is next touched, or by `follow`. */
  | { readonly kind: 'switchAgreement' | 'follow' };
type Kind = Command['kind'];

const prices: readonly Declared[] = [
  { sent: { amountHalalas: 10_000, isVatInclusive: false }, stored: price(10_000, 1500) },
  { sent: { amountHalalas: 11_500, isVatInclusive: true }, stored: price(10_000, 1500, true) },
  { sent: { amountHalalas: 9000, isVatInclusive: false }, stored: price(9000, 1350) },
  { sent: { amountHalalas: 3, isVatInclusive: false }, stored: price(3, 0) },
  { sent: { amountHalalas: 3, isVatInclusive: true }, stored: price(3, 0, true) },
  { sent: { amountHalalas: 4, isVatInclusive: true }, stored: price(3, 1, true) },
];
const variants: readonly Variant[] = [
  variant,
  { ...variant, id: 'variant-2', barcode: null },
  { ...variant, id: 'variant-3', isActive: false },
];
const variantOf = (variantId: string | null): Variant | null =>
  variants.find(({ id }) => id === variantId) ?? null;
const barcodes = ['4006381333931', '96385074'];

const anyPrice = fc.constantFrom(...prices);
const anyField = fc.constantFrom('cost' as const, 'salePrice' as const);
const anyStock = fc.constantFrom(
  { declaredInStock: true, declaredStockQuantity: 5 },
  { declaredInStock: true, declaredStockQuantity: null },
  { declaredInStock: false, declaredStockQuantity: null },
  { declaredInStock: false, declaredStockQuantity: 0 },
);
const rarely = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const kindOf = <K extends Kind>(...kinds: readonly K[]) => fc.constantFrom(...kinds);
const anyIsLate = fc.nat(9).map((dice) => dice === 0);

const anyEdit = fc.record({
  kind: kindOf('edit'),
  vendorSku: rarely(fc.constantFrom('V-1', 'V-2', null)),
  rawBrandName: rarely(fc.constantFrom('Brand', 'Brand', null)),
  barcode: rarely(fc.constantFrom(...barcodes)),
  priced: rarely(fc.record({ field: anyField, price: anyPrice })),
  stock: rarely(anyStock),
});
const anyPush = fc.record({ kind: kindOf('pushPrice'), field: anyField, price: anyPrice });
const anyStockPush = fc.record({ kind: kindOf('pushStock'), stock: anyStock });
const anyMatch = fc.constantFrom(null, 'variant-1', 'variant-1', 'variant-2', 'variant-3');
const anyApproval = fc.record({ kind: kindOf('approve'), match: anyMatch, isLate: anyIsLate });
const anyDecision = fc.record({
  kind: kindOf('reject', 'applyPrice', 'discardPrice'),
  isLate: anyIsLate,
});
const anyMove = fc.record({
  kind: kindOf('submit', 'submit', 'withdraw', 'suspend', 'suspend', 'reinstate', 'reinstate'),
});
const anySwitch = fc.record({ kind: kindOf('switchAgreement', 'switchAgreement', 'follow') });

/** What leads away from Draft, and to Approved, comes more often, so that sequences get far. */
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  anyEdit,
  anyEdit,
  anyPush,
  anyStockPush,
  anyApproval,
  anyApproval,
  anyDecision,
  anyMove,
  anyMove,
  anySwitch,
);

/* The model: what the specification says, and nothing of how the code says it. */

type Model = {
  readonly status: OfferStatus;
  readonly agreement: PricingModel;
  readonly variantId: string | null;
  readonly barcode: string | null;
  readonly vendorSku: string | null;
  readonly rawBrandName: string | null;
  readonly wasApproved: boolean;
  /** Its identity is another one than a reviewer approved. */
  readonly isEdited: boolean;
  readonly live: { readonly cost: Price; readonly salePrice: Price | null };
  readonly staged: Price | null;
  readonly stock: readonly [inStock: boolean, quantity: number | null];
  /** The agreement that it sells under; null, and paused, until it first sells. */
  readonly sellsUnder: PricingModel | null;
  readonly isPaused: boolean;
};
/** The model afterwards; the very same one where nothing changes; or why the command is refused. */
type Answer = Model | string;

const invalid = 'BUSINESS_OFFER_INVALID_TRANSITION';
const wrongField = 'BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT';
const fieldOf = { CostPlusMargin: 'cost', PercentageOfSale: 'salePrice' } as const;
const inReview = (model: Model): OfferStatus =>
  model.variantId === null ? 'PendingMatch' : 'PendingReview';
const stopped: readonly OfferStatus[] = ['Rejected', 'Withdrawn', 'Suspended', 'PendingRepricing'];
const to = (model: Model, status: OfferStatus): Model => ({
  ...model,
  status,
  isPaused: model.isPaused || stopped.includes(status),
});

function withPrice(model: Model, { sent, stored }: Declared, isPush: boolean): Model {
  const field = fieldOf[model.agreement];
  const live = model.live[field];
  const isLive =
    live?.netHalalas === stored.netHalalas &&
    (!sent.isVatInclusive || live.vatHalalas === stored.vatHalalas);
  if (isLive) return isPush ? { ...model, staged: null } : model;
  return model.wasApproved
    ? { ...model, staged: stored }
    : { ...model, live: { ...model.live, [field]: stored } };
}

function withStock(model: Model, { declaredInStock, declaredStockQuantity }: DeclaredStock): Model {
  const [, quantity] = model.stock;
  const kept = declaredStockQuantity ?? (quantity === 0 ? null : quantity);
  return { ...model, stock: declaredInStock ? [true, kept] : [false, 0] };
}

/** An edit or a push that makes `after` of `model`: refused, no change, or with the status that part 3 gives it. */
function judged(model: Model, after: Model, declaresPrice: boolean, isStockPush = false): Answer {
  const differs = (...fields: readonly (keyof Model)[]) =>
    fields.some((field) => !isSameValue(model[field], after[field]));
  const isDetail = differs('vendorSku', 'rawBrandName');
  const isReplaced = model.barcode !== null && differs('barcode');
  const isAnythingButStock = isDetail || differs('barcode', 'live', 'staged');
  const { status } = model;
  const isRepriced = status === 'PendingRepricing' && declaresPrice;
  if (!isAnythingButStock && !differs('stock') && !isRepriced) return model;
  if (after.barcode === null && (isDetail || status === 'Rejected' || isRepriced)) return 'Barcode';
  const isIdentity = isDetail || isReplaced;
  const edited = { ...after, isEdited: model.isEdited || (model.wasApproved && isIdentity) };
  if (status === 'Rejected' && !isStockPush) return to(edited, inReview(edited));
  return isRepriced || (status === 'Approved' && isIdentity) ? to(edited, 'PendingReview') : edited;
}

function edited(model: Model, command: Extract<Command, { kind: 'edit' }>): Answer {
  const { vendorSku, rawBrandName, barcode, priced, stock } = command;
  if (priced !== undefined && priced.field !== fieldOf[model.agreement]) return wrongField;
  const isNameless = rawBrandName === null && model.variantId === null;
  const described: Model = {
    ...model,
    ...(vendorSku === undefined ? {} : { vendorSku }),
    ...(rawBrandName === undefined || isNameless ? {} : { rawBrandName }),
    ...(barcode === undefined ? {} : { barcode }),
  };
  const repriced = priced === undefined ? described : withPrice(described, priced.price, false);
  const after = stock === undefined ? repriced : withStock(repriced, stock);
  const answer = judged(model, after, priced !== undefined);
  if (!isNameless) return answer;
  return answer === 'Barcode' ? 'RawBrandName,Barcode' : 'RawBrandName';
}

function approved(model: Model, match: string | null): Answer {
  if (model.status !== 'PendingMatch' && model.status !== 'PendingReview') return invalid;
  const found = variantOf(match ?? model.variantId);
  if (found?.isActive !== true) return 'VariantId';
  const field = fieldOf[model.agreement];
  const livePrice = model.staged ?? model.live[field];
  if (livePrice === null) return 'BUSINESS_OFFER_PRICE_REQUIRED';
  return {
    ...model,
    status: 'Approved',
    variantId: found.id,
    barcode: model.barcode ?? found.barcode,
    wasApproved: true,
    isEdited: false,
    live: { ...model.live, [field]: livePrice },
    staged: null,
    sellsUnder: model.agreement,
    isPaused: false,
  };
}

function settled(model: Model, isApplied: boolean): Answer {
  if (model.staged === null) return 'BUSINESS_OFFER_NO_PENDING_PRICE';
  if (!isApplied) return { ...model, staged: null };
  const live = { ...model.live, [fieldOf[model.agreement]]: model.staged };
  return { ...model, live, staged: null, sellsUnder: model.agreement };
}

function reinstated(model: Model): Answer {
  if (model.status !== 'Suspended') return invalid;
  if (model.sellsUnder !== model.agreement) return to(model, 'PendingRepricing');
  if (model.isEdited) return to(model, 'PendingReview');
  return { ...model, status: 'Approved', isPaused: false };
}

function answerOf(model: Model, command: Command): Answer {
  const { status } = model;
  if ('isLate' in command && command.isLate) return 'CONFLICT_VERSION';
  switch (command.kind) {
    case 'edit':
      return edited(model, command);
    case 'pushPrice':
      if (command.field !== fieldOf[model.agreement]) return wrongField;
      return judged(model, withPrice(model, command.price, true), true);
    case 'pushStock':
      return judged(model, withStock(model, command.stock), false, true);
    case 'submit':
      return status === 'Draft' || status === 'Withdrawn' ? to(model, inReview(model)) : invalid;
    case 'withdraw':
      return status === 'Withdrawn' ? invalid : to(model, 'Withdrawn');
    case 'suspend':
      return status === 'Approved' ? to(model, 'Suspended') : invalid;
    case 'reinstate':
      return reinstated(model);
    case 'approve':
      return approved(model, command.match);
    case 'reject':
      return ['Draft', 'PendingMatch', 'PendingReview'].includes(status)
        ? to(model, 'Rejected')
        : invalid;
    case 'applyPrice':
    case 'discardPrice':
      return settled(model, command.kind === 'applyPrice');
    case 'switchAgreement': {
      const agreement =
        model.agreement === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
      const isRepriced = status === 'Approved' || status === 'PendingReview';
      return to({ ...model, agreement, staged: null }, isRepriced ? 'PendingRepricing' : status);
    }
    case 'follow':
      return model;
  }
}

/** What of an offer the model knows. */
const modelOf = (offer: Offer): Model => ({
  status: offer.status,
  agreement: offer.pricingModel,
  variantId: offer.variantId,
  barcode: offer.barcode,
  vendorSku: offer.vendorSku,
  rawBrandName: offer.rawBrandName,
  wasApproved: offer.everApproved,
  isEdited: offer.identityChanged,
  live: { cost: offer.cost, salePrice: offer.salePrice },
  staged: offer.pricingModel === 'CostPlusMargin' ? offer.pendingCost : offer.pendingSalePrice,
  stock: [offer.declaredInStock, offer.declaredStockQuantity],
  sellsUnder: offer.supply?.pricingModel ?? null,
  isPaused: offer.supply?.isPaused ?? true,
});

/* The code under test, with a record in memory. */

type World = { readonly stored: Offer; readonly agreement: AgreementInForce };

const seenIn = ({ stored, agreement }: World): Offer =>
  deepFrozen(applyPendingSwitch(stored, agreement));

function run(offer: Offer, command: Command, now: Date): Result<Offer> {
  const context = { vatRateBasisPoints: 1500, now };
  const reason = 'Because.';
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
      const { match, isLate } = command;
      const expectedVersion = offer.version - (isLate ? 1 : 0);
      const found = variantOf(match ?? offer.variantId);
      const context = {
        variant: found,
        newSupplyOptionId: `option-of-version-${offer.version}`,
        now,
      };
      return reviewOffer(offer, { action: 'approve', variantId: match, expectedVersion }, context);
    }
    case 'reject':
    case 'applyPrice':
    case 'discardPrice': {
      const expectedVersion = offer.version - (command.isLate ? 1 : 0);
      const context = { variant: null, newSupplyOptionId: 'never', now };
      return reviewOffer(offer, { action: command.kind, reason, expectedVersion }, context);
    }
    case 'switchAgreement':
    case 'follow':
      return { ok: true, value: offer };
  }
}

/** `before` is what the command saw; `result`, what became of it. */
function worldAfter(
  world: World,
  command: Command,
  before: Offer,
  result: Result<Offer>,
  now: Date,
): World {
  const { stored, agreement } = world;
  if (command.kind === 'switchAgreement') {
    const pricingModel =
      agreement.pricingModel === 'CostPlusMargin' ? 'PercentageOfSale' : 'CostPlusMargin';
    return { stored, agreement: { pricingModel, epoch: agreement.epoch + 1, changedAt: now } };
  }
  if (command.kind === 'follow') return { stored: before, agreement };
  // What changes nothing is not stored, as in the database.
  return result.ok && result.value !== before
    ? { stored: deepFrozen(result.value), agreement }
    : world;
}

function codeOf<T>(result: Result<T>): string | null {
  if (result.ok) return null;
  const { code, details } = result.failure;
  if (code !== 'VALIDATION_ERRORS') return code;
  return (details['errors'] as FieldError[]).map(({ field }) => field).join();
}

/* What holds after every command. */

function hold(what: string, isHeld: boolean): void {
  if (!isHeld) throw new Error(`broken: ${what}`);
}

const isAwaited = ({ status, pendingCost, pendingSalePrice }: Offer): boolean =>
  status === 'PendingMatch' ||
  status === 'PendingReview' ||
  (status === 'Approved' && (pendingCost !== null || pendingSalePrice !== null));

/** Everything but how often and when it was changed. */
const contentOf = ({ version: _version, changedAt: _changedAt, ...content }: Offer) => content;

function holdInvariants(before: Offer, after: Offer, kind: Kind): void {
  const isSame = (field: keyof Offer) => isSameValue(before[field], after[field]);
  const wasPaused = before.supply?.isPaused ?? true;
  hold(
    'a live price of an offer once approved moves by a decision only',
    !before.everApproved ||
      kind === 'approve' ||
      kind === 'applyPrice' ||
      (isSame('cost') && isSame('salePrice')),
  );
  hold('stock moves no status', kind !== 'pushStock' || isSame('status'));
  hold('a match changes by approval only', kind === 'approve' || isSame('variantId'));
  hold(
    'only a reviewer or a reinstating operator makes an offer live',
    after.status !== 'Approved' || isSame('status') || kind === 'approve' || kind === 'reinstate',
  );
  hold(
    'only they let its supply sell',
    !wasPaused || (after.supply?.isPaused ?? true) || kind === 'approve' || kind === 'reinstate',
  );
  hold(
    'what is stopped does not sell',
    !stopped.includes(after.status) || (after.supply?.isPaused ?? true),
  );
  hold('what is live is what was approved', after.status !== 'Approved' || !after.identityChanged);
  hold('what is live sells', after.status !== 'Approved' || after.supply?.isPaused === false);
  hold(
    'what was approved has one supply option',
    before.supply === null || isSameOption(before, after),
  );
  hold(
    'nothing is staged that was never approved',
    after.everApproved || (after.pendingCost === null && after.pendingSalePrice === null),
  );
  hold('an approval is history', !before.everApproved || after.everApproved);
  hold(
    'a reviewer is awaited exactly when one is to decide',
    (after.awaitingSince !== null) === isAwaited(after),
  );
  hold(
    'a place in the queue is kept',
    before.awaitingSince === null || after.awaitingSince === null || isSame('awaitingSince'),
  );
  hold(
    'who owns it never changes',
    isSame('id') && isSame('vendorId') && isSame('source') && isSame('createdAt'),
  );
}

const isSameOption = (before: Offer, after: Offer): boolean =>
  before.supply?.optionId === after.supply?.optionId;

/** A change counts one version and says when; nothing else does. */
function holdVersion(before: Offer, after: Offer, at: Date): void {
  const isChanged = !isSameValue(contentOf(before), contentOf(after));
  const isCounted = after.version === before.version + 1;
  hold('a version is a change', isChanged ? isCounted : isSameValue(after, before));
  hold('a change says when', !isChanged || after.changedAt.getTime() === at.getTime());
}

/* The sequences. */

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

function begin({ pricingModel, cost, salePrice, ...declared }: Beginning): World {
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
  const stored = deepFrozen(expectValue(created));
  const { saveAsDraft } = declared;
  hold(
    'a draft is saved, all else enters review',
    stored.status === (saveAsDraft ? 'Draft' : inReview(modelOf(stored))),
  );
  hold('what is no draft awaits a reviewer', (stored.awaitingSince !== null) === !saveAsDraft);
  return { stored, agreement: { pricingModel, epoch: 0, changedAt: start } };
}

/** Plays the commands on the code and on the model; notes each move of a status. */
function play(beginning: Beginning, commands: readonly Command[], moves: Set<string>): void {
  let world = begin(beginning);
  let model = modelOf(world.stored);
  for (const [index, command] of commands.entries()) {
    const now = new Date(start.getTime() + 1000 * (index + 1));
    const before = seenIn(world);
    const result = run(before, command, now);
    const answer = answerOf(model, command);
    const refusal = typeof answer === 'string' ? answer : null;
    hold(
      `${command.kind} is answered ${refusal ?? 'ok'}, not ${codeOf(result)}`,
      codeOf(result) === refusal,
    );
    const isNoChange = result.ok && result.value === before;
    if (refusal === null && command.kind !== 'switchAgreement') {
      hold(
        `${command.kind} changes or does not as the model says`,
        isNoChange === (answer === model),
      );
    }
    if (typeof answer !== 'string') model = answer;

    const next = worldAfter(world, command, before, result, now);
    const after = seenIn(next);
    hold('what was refused changed nothing', refusal === null || next === world);
    hold(`${after.status} is ${model.status}`, after.status === model.status);
    hold('all else is as the model has it', isSameValue(modelOf(after), model));
    holdInvariants(before, after, command.kind);
    holdVersion(before, after, now);
    if (before.status !== after.status)
      moves.add(`${command.kind}: ${before.status} → ${after.status}`);
    world = next;
  }
}

/** Part 3, row by row, with D23, D28 and D30: every move there is, by what makes it. */
const specifiedMoves = [
  'approve: PendingMatch → Approved',
  'approve: PendingReview → Approved',
  'edit: Approved → PendingReview',
  'edit: PendingRepricing → PendingReview',
  'edit: Rejected → PendingMatch',
  'edit: Rejected → PendingReview',
  'pushPrice: PendingRepricing → PendingReview',
  'pushPrice: Rejected → PendingMatch',
  'pushPrice: Rejected → PendingReview',
  'reinstate: Suspended → Approved',
  'reinstate: Suspended → PendingRepricing',
  'reinstate: Suspended → PendingReview',
  'reject: Draft → Rejected',
  'reject: PendingMatch → Rejected',
  'reject: PendingReview → Rejected',
  'submit: Draft → PendingMatch',
  'submit: Draft → PendingReview',
  'submit: Withdrawn → PendingMatch',
  'submit: Withdrawn → PendingReview',
  'suspend: Approved → Suspended',
  'switchAgreement: Approved → PendingRepricing',
  'switchAgreement: PendingReview → PendingRepricing',
  'withdraw: Approved → Withdrawn',
  'withdraw: Draft → Withdrawn',
  'withdraw: PendingMatch → Withdrawn',
  'withdraw: PendingRepricing → Withdrawn',
  'withdraw: PendingReview → Withdrawn',
  'withdraw: Rejected → Withdrawn',
  'withdraw: Suspended → Withdrawn',
];

test('after any sequence of commands the offer is where the specification has it, and no rule is broken', () => {
  const moves = new Set<string>();
  const sequence = fc.array(anyCommand, { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(anyBeginning, sequence, (beginning, commands) => {
      play(beginning, commands, moves);
    }),
    { numRuns: 4000 },
  );
  // Not one of them was left out, so the sequences went everywhere.
  expect([...moves].sort()).toEqual(specifiedMoves);
});
