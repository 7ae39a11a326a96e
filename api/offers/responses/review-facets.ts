import * as v from 'valibot';
import { scannedMax } from '../../../db/offers/lists/review-search.ts';
import { reviewAges } from '../../../domain/offers/review-flags.ts';
import { described } from '../../validation/described.ts';
import { field, list, titled, vendorId } from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { reviewFlag, reviewKind, vendorName } from './queued-offer.ts';

const count = field.integer('How many.', 12);
const bound = field.instantOrNull('The value of this filter; null for none.', null);

/** How many offers of a list wait, by the filters that narrow it. */
export const facetsResponse = titled('ReviewFacets', {
  counted: field.integer(
    `How many offers are counted by brand, flag and age: the ${scannedMax} that have waited longest ` +
      'at most. Without a search, vendor and kind count all.',
    12,
  ),
  overTarget: field.integerOrNull(
    'How many of these wait longer than `REVIEW_TARGET_HOURS`; null without a target.',
    3,
  ),
  vendor: list(
    titled('VendorCount', { value: vendorId, name: vendorName, count }),
    'By vendor, the most first, as the others are.',
  ),
  brand: list(
    titled('BrandCount', { value: field.text('The brand.', sample.brand), count }),
    'By brand.',
  ),
  kind: list(titled('KindCount', { value: reviewKind, count }), 'By kind.'),
  flag: list(titled('FlagCount', { value: reviewFlag, count }), 'By flag.'),
  age: list(
    titled('AgeCount', {
      value: described(v.picklist(Object.keys(reviewAges)), 'How long.', 'UpToADay'),
      awaitingFrom: bound,
      awaitingTo: bound,
      count,
    }),
    'By the time since the start of the wait, the shortest first.',
  ),
});
