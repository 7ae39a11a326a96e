import { expect, test } from 'vitest';
import type { Variant } from '../../../domain/offers/offer.ts';
import { rankCandidates } from '../../../domain/offers/rank-candidates.ts';
import { offer as anyOffer, variant as anyVariant } from './offer-builders.ts';

const variant = (sku: string, given: Partial<Variant> = {}): Variant => ({
  ...anyVariant,
  id: sku,
  sku,
  brandName: 'Other',
  productName: 'Else',
  sizeMl: null,
  barcode: null,
  ...given,
});

const offer = anyOffer({
  barcode: '012345678905',
  rawBrandName: 'Maison Élan',
  rawProductName: 'Oud Royal',
  rawConcentration: 'EDP',
  rawSizeMl: 100,
});

test('ranks the same GTIN first, then brand with name, then the words of the name', () => {
  const brandName = 'MAISON ELAN';
  const ranked = rankCandidates(offer, [
    variant('nothing'),
    variant('brand', { brandName }),
    variant('name', { productName: 'Royal Oud Intense' }),
    variant('both', { brandName, productName: 'Oud, Royal' }),
    variant('all', { brandName, productName: 'Oud Royal', concentration: 'edp', sizeMl: 100 }),
    variant('gtin', { barcode: '00012345678905' }),
  ]);
  expect(ranked.map(({ variant, matches }) => [variant.sku, ...matches])).toEqual([
    ['gtin', 'Barcode'],
    ['all', 'Brand', 'ProductName', 'Concentration', 'SizeMl'],
    ['both', 'Brand', 'ProductName'],
    ['name', 'ProductName'],
    ['brand', 'Brand'],
  ]);
});

test('finds no candidate for an offer without barcode and texts', () => {
  const bare = anyOffer({ barcode: null, rawBrandName: null, rawProductName: null });
  expect(rankCandidates(bare, [variant('any')])).toEqual([]);
});
