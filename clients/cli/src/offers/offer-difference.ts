import type { NewOffer, Offer, VendorClient } from 'vendor-gateway-client';

type Update = Parameters<VendorClient['offers']['update']>[1];
type Stock = Parameters<VendorClient['offers']['pushStock']>[1];
type PriceField = 'cost' | 'salePrice';

/** What makes a stored offer equal to a row. */
export type Difference = {
  readonly update: Update | null;
  readonly stock: Stock | null;
  /** The live price is declared again, but another one is staged: only a push discards that. */
  readonly takenBack: {
    readonly field: PriceField;
    readonly amount: number;
    readonly isVatInclusive: boolean;
  } | null;
};

const productFields = [
  'vendorSku',
  'barcode',
  'rawBrandName',
  'rawProductName',
  'rawConcentration',
  'rawDescription',
  'rawSizeMl',
] as const;

/** A GTIN is the same one with other leading zeros, which spreadsheets drop. */
const withoutLeadingZeros = (barcode: string): string => barcode.replace(/^0+(?=\d)/, '');

function isEqualField(name: (typeof productFields)[number], row: NewOffer, offer: Offer): boolean {
  const declared = row[name];
  const stored = offer.product[name];
  if (name !== 'barcode' || typeof declared !== 'string' || typeof stored !== 'string')
    return declared === stored;
  return withoutLeadingZeros(declared) === withoutLeadingZeros(stored);
}

const halalas = (sar: number): number => Math.round(sar * 100);

/** The live and the staged amount, as the vendor declares them: with VAT or without it. */
function storedAmounts(offer: Offer, field: PriceField, isVatInclusive: boolean) {
  const { cost, price } = offer;
  const [live, vat, pending, pendingVat] =
    field === 'cost'
      ? [cost.amount, cost.inputVat, cost.pending?.amount, cost.pending?.inputVat]
      : [price.amount, price.vat, price.pending?.amount, price.pending?.vat];
  const declared = (net: number | null | undefined, tax: number | null | undefined) =>
    net === null || net === undefined
      ? null
      : halalas(net) + (isVatInclusive ? halalas(tax ?? 0) : 0);
  return { live: declared(live, vat), pending: declared(pending, pendingVat) };
}

function priceDifference(
  row: NewOffer,
  offer: Offer,
): { readonly update: Update; readonly takenBack: Difference['takenBack'] } {
  // The other price field is refused in an update.
  const field = offer.pricingModel.name === 'PercentageOfSale' ? 'salePrice' : 'cost';
  const amount = row[field] ?? null;
  const isVatInclusive = row[`${field}IsVatInclusive`] ?? null;
  if (amount === null) return { update: {}, takenBack: null };
  const { live, pending } = storedAmounts(offer, field, isVatInclusive === true);
  const declared = halalas(amount);
  if (declared === (pending ?? live)) return { update: {}, takenBack: null };
  if (declared === live)
    return { update: {}, takenBack: { field, amount, isVatInclusive: isVatInclusive === true } };
  const flag = isVatInclusive === null ? {} : { [`${field}IsVatInclusive`]: isVatInclusive };
  return { update: { [field]: amount, ...flag }, takenBack: null };
}

function stockDifference(row: NewOffer, { stock }: Offer): Stock | null {
  const quantity = row.declaredStockQuantity ?? null;
  const declaredInStock = row.declaredInStock ?? (quantity === null ? null : quantity > 0);
  if (declaredInStock === null) return null;
  const isEqual =
    declaredInStock === stock.declaredInStock &&
    (quantity === null || quantity === stock.declaredQuantity);
  if (isEqual) return null;
  return { declaredInStock, ...(quantity === null ? {} : { declaredStockQuantity: quantity }) };
}

/** What differs; null if nothing does. A field that the row leaves out is not compared. */
export function differenceOf(row: NewOffer, offer: Offer): Difference | null {
  const product = Object.fromEntries(
    productFields
      .filter((name) => row[name] !== undefined && !isEqualField(name, row, offer))
      .map((name) => [name, row[name]]),
  );
  const { update: price, takenBack } = priceDifference(row, offer);
  const update: Update = { ...product, ...price };
  const stock = stockDifference(row, offer);
  const isUpdated = Object.keys(update).length > 0;
  if (!isUpdated && stock === null && takenBack === null) return null;
  return { update: isUpdated ? update : null, stock, takenBack };
}

/** The names of the fields that differ. */
export const changedFields = ({ update, stock, takenBack }: Difference): readonly string[] => [
  ...Object.keys(update ?? {}),
  ...Object.keys(stock ?? {}),
  ...(takenBack === null ? [] : [takenBack.field]),
];
