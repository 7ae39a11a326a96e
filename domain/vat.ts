/** A price as stored: net, VAT, and how the vendor entered it. */
export type Price = {
  readonly netHalalas: number;
  readonly vatHalalas: number;
  readonly enteredVatInclusive: boolean;
};

/** Whether two prices agree in all three parts; null agrees with null only. */
export const isEqualPrice = (one: Price | null, other: Price | null): boolean =>
  one?.netHalalas === other?.netHalalas &&
  one?.vatHalalas === other?.vatHalalas &&
  one?.enteredVatInclusive === other?.enteredVatInclusive;

/** Rounds half up; exact for allowed amounts, since all values stay below 2^53. */
const divideHalfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/**
 * The stored price of a declared amount. Entered gross: net = round(gross / (1 + rate)), and the
 * VAT is the rest, so that both add up to the amount. Entered net: VAT = round(net × rate).
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
