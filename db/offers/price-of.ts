import type { Price } from '../../domain/vat.ts';

/** A price of a row by its three columns; null unless all have values. */
export const priceOf = (
  net: number | null,
  vat: number | null,
  enteredVatInclusive: boolean | null,
): Price | null =>
  net === null || vat === null || enteredVatInclusive === null
    ? null
    : { netHalalas: net, vatHalalas: vat, enteredVatInclusive };
