/** VAT on declared prices (D17): the rate comes in basis points, rounding is half-up on whole halalas. */

/** A price as it is stored: net, its VAT, and how the vendor entered it. Amounts in halalas. */
export type Price = {
  readonly netHalalas: number;
  readonly vatHalalas: number;
  readonly enteredVatInclusive: boolean;
};

/** round(numerator / denominator), half-up, exact for the amounts that money allows (below 2^53). */
const divideHalfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/**
 * The stored price for a declared amount. Entered gross: net = round(gross / (1 + rate)) and the VAT is the rest,
 * so both add up to what was entered. Entered net: VAT = round(net × rate).
 */
export function priceFromDeclaration(
  amountHalalas: number,
  isVatInclusive: boolean,
  vatRateBasisPoints: number,
): Price {
  if (!isVatInclusive) {
    return {
      netHalalas: amountHalalas,
      vatHalalas: divideHalfUp(amountHalalas * vatRateBasisPoints, 10_000),
      enteredVatInclusive: false,
    };
  }
  const netHalalas = divideHalfUp(amountHalalas * 10_000, 10_000 + vatRateBasisPoints);
  return { netHalalas, vatHalalas: amountHalalas - netHalalas, enteredVatInclusive: true };
}
