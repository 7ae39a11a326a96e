import { isSameWord, wordsOf, type Word } from '../texts/fold-text.ts';
import { isSameGtin } from './gtin.ts';
import type { Offer, Variant } from './offer.ts';

/** What an offer and a variant have in common, the most telling first. */
export const candidateMatches = [
  'Barcode',
  'Brand',
  'ProductName',
  'Concentration',
  'SizeMl',
] as const;
export type CandidateMatch = (typeof candidateMatches)[number];

export type Candidate = { readonly variant: Variant; readonly matches: readonly CandidateMatch[] };

const includes = (words: readonly Word[], word: Word): boolean =>
  words.some((each) => isSameWord(each, word));

const isSameText = (one: readonly Word[], other: readonly Word[]): boolean =>
  one.length > 0 &&
  one.every((word) => includes(other, word)) &&
  other.every((word) => includes(one, word));

/**
 * The variants that an offer may be of, the likeliest first. A variant that has nothing in common
 * with the offer is left out. `ProductName` matches if all words of the offer's name are words of
 * the variant.
 */
export function rankCandidates(offer: Offer, variants: readonly Variant[]): readonly Candidate[] {
  const brand = wordsOf(offer.rawBrandName ?? '');
  const name = wordsOf(offer.rawProductName ?? '');
  const concentration = wordsOf(offer.rawConcentration ?? '');
  return variants
    .map((variant) => {
      const words = wordsOf(
        [variant.brandName, variant.productName, variant.concentration, variant.sku].join(' '),
      );
      const shared = name.filter((word) => includes(words, word)).length;
      const holds: Readonly<Record<CandidateMatch, boolean>> = {
        Barcode: offer.barcode !== null && isSameGtin(offer.barcode, variant.barcode),
        Brand: isSameText(brand, wordsOf(variant.brandName)),
        ProductName: name.length > 0 && shared === name.length,
        Concentration: isSameText(concentration, wordsOf(variant.concentration ?? '')),
        SizeMl: offer.rawSizeMl !== null && offer.rawSizeMl === variant.sizeMl,
      };
      const { Barcode, Brand, ProductName, Concentration, SizeMl } = holds;
      const rank = [Barcode, Brand && ProductName, shared, Brand, SizeMl, Concentration].map(
        Number,
      );
      return { variant, matches: candidateMatches.filter((match) => holds[match]), rank };
    })
    .filter(({ matches }) => matches.length > 0)
    .toSorted((one, other) => byRank(one.rank, other.rank) || bySku(one, other))
    .map(({ variant, matches }) => ({ variant, matches }));
}

/** The greater number first, from the first number that differs. */
const byRank = (one: readonly number[], other: readonly number[]): number =>
  one.map((value, index) => (other[index] ?? 0) - value).find((order) => order !== 0) ?? 0;

const bySku = (one: Candidate, other: Candidate): number =>
  one.variant.sku < other.variant.sku ? -1 : 1;
