import type { NewOffer, Offer } from 'vendor-gateway-client';
import type { Columns, CsvRow } from '../core/csv.ts';
import type { RowFailure } from '../core/failures.ts';
import { differenceOf, type Difference } from './offer-difference.ts';

/** The columns: the fields of create-offer. */
export const offerColumns = {
  vendorExternalId: 'id',
  variantId: 'id',
  vendorSku: 'id',
  barcode: 'barcode',
  rawBrandName: 'text',
  rawProductName: 'text',
  rawConcentration: 'text',
  rawDescription: 'text',
  rawSizeMl: 'integer',
  cost: 'money',
  costIsVatInclusive: 'boolean',
  salePrice: 'money',
  salePriceIsVatInclusive: 'boolean',
  declaredInStock: 'boolean',
  declaredStockQuantity: 'integer',
  saveAsDraft: 'boolean',
} as const satisfies Record<keyof NewOffer, Columns[string]>;

type Named = { readonly row: number; readonly vendorExternalId: string };
/** What to do with one row. */
export type Step = Named &
  (
    | { readonly action: 'create'; readonly body: NewOffer }
    | { readonly action: 'update'; readonly offerId: string; readonly difference: Difference }
    | { readonly action: 'skip'; readonly offerId: string }
  );
export type Plan = { readonly steps: readonly Step[]; readonly failures: readonly RowFailure[] };

const refusal = (row: number, code: string, message: string): RowFailure => ({
  row,
  reasons: [{ field: 'vendorExternalId', code, message }],
});

/** Compares the rows with the stored offers, by `vendorExternalId`. */
export function planImport(rows: readonly CsvRow[], stored: ReadonlyMap<string, Offer>): Plan {
  const steps: Step[] = [];
  const failures: RowFailure[] = [];
  const rowsById = new Map<string, number>();
  for (const { row, values, reasons } of rows) {
    const id = values['vendorExternalId'];
    if (reasons.length > 0) {
      failures.push({ row, reasons });
      continue;
    }
    if (typeof id !== 'string') {
      failures.push(refusal(row, 'required', 'is required, because it names the offer'));
      continue;
    }
    const earlier = rowsById.get(id);
    if (earlier !== undefined) {
      failures.push(refusal(row, 'repeated', `is that of row ${earlier} already`));
      continue;
    }
    rowsById.set(id, row);
    // The gateway checks what a row lacks.
    steps.push(stepOf({ row, vendorExternalId: id }, values as NewOffer, stored.get(id)));
  }
  return { steps, failures };
}

function stepOf(named: Named, body: NewOffer, offer: Offer | undefined): Step {
  if (offer === undefined) return { ...named, action: 'create', body };
  const difference = differenceOf(body, offer);
  return difference === null
    ? { ...named, action: 'skip', offerId: offer.id }
    : { ...named, action: 'update', offerId: offer.id, difference };
}
