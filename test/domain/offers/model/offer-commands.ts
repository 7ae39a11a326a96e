import * as fc from 'fast-check';
import type { DeclaredPrice } from '../../../../domain/offers/edit-offer.ts';
import type { Variant } from '../../../../domain/offers/offer.ts';
import type { Price } from '../../../../domain/vat.ts';
import { price, variant } from '../offer-builders.ts';

// Each command has few values, so that it often repeats what is stored already.

export type DeclaredStock = {
  readonly declaredInStock: boolean;
  readonly declaredStockQuantity: number | null;
};
export type Declared = { readonly sent: DeclaredPrice['declared']; readonly stored: Price };
export type Command =
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
  | {
      readonly kind: 'reject' | 'returnToReview' | 'applyPrice' | 'discardPrice';
      readonly isLate: boolean;
    }
  | { readonly kind: 'submit' | 'withdraw' | 'suspend' | 'reinstate' }
  /**
   * The agreement changes at once. An offer stores the switch with its next change, or by `follow`.
   */
  | { readonly kind: 'switchAgreement' | 'follow' };
export type Kind = Command['kind'];

/** The reason that each decision but an approval gives. */
export const reviewReason = 'Because.';

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
export const variantOf = (variantId: string | null): Variant | null =>
  variants.find(({ id }) => id === variantId) ?? null;
export const barcodes = ['4006381333931', '04006381333931', '96385074'];

export const anyPrice = fc.constantFrom(...prices);
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
  kind: kindOf('reject', 'returnToReview', 'applyPrice', 'discardPrice'),
  isLate: anyIsLate,
});
const anyMove = fc.record({
  kind: kindOf('submit', 'submit', 'withdraw', 'suspend', 'suspend', 'reinstate', 'reinstate'),
});
const anySwitch = fc.record({ kind: kindOf('switchAgreement', 'switchAgreement', 'follow') });

/**
 * Commands that lead from Draft to Approved are more frequent, so that sequences reach every
 * status.
 */
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
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

/** Each command with a value of each kind: new, stored, staged, missing, or of the other model. */
export function eachCommand(): readonly Command[] {
  const none = { vendorSku: undefined, rawBrandName: undefined, barcode: undefined };
  const descriptions = [
    none,
    { ...none, vendorSku: 'V-2' },
    { ...none, vendorSku: null, rawBrandName: 'Brand' },
    { ...none, rawBrandName: null },
    { ...none, barcode: '96385074' },
    { ...none, vendorSku: 'V-2', barcode: '96385074' },
  ];
  const pushes = (['cost', 'salePrice'] as const).flatMap((field) =>
    [prices[0], prices[2], prices[3]].flatMap((price) => (price ? [{ field, price }] : [])),
  );
  const stocks = [5, 9].map((declaredStockQuantity) => ({
    declaredInStock: true,
    declaredStockQuantity,
  }));
  const edits = descriptions.flatMap((description) =>
    [undefined, ...pushes].flatMap((priced) =>
      [undefined, stocks[1]].map(
        (stock) => ({ kind: 'edit', ...description, priced, stock }) as const,
      ),
    ),
  );
  const decisions = [true, false].flatMap((isLate) => [
    ...[null, 'variant-1', 'variant-2', 'variant-3'].map(
      (match) => ({ kind: 'approve', match, isLate }) as const,
    ),
    ...(['reject', 'returnToReview', 'applyPrice', 'discardPrice'] as const).map(
      (kind) => ({ kind, isLate }) as const,
    ),
  ]);
  const moves = ['submit', 'withdraw', 'suspend', 'reinstate'] as const;
  return [
    ...edits,
    ...pushes.map((push) => ({ kind: 'pushPrice', ...push }) as const),
    ...stocks.map((stock) => ({ kind: 'pushStock', stock }) as const),
    ...decisions,
    ...[...moves, 'switchAgreement' as const, 'follow' as const].map((kind) => ({ kind })),
  ];
}
