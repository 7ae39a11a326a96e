import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createOfferReader } from '../../../db/offers/offer-facts.ts';
import { addVendor } from '../support.ts';
import { test } from './offer-rows.ts';

test('returns to each read its own offer, never another vendor’s', async ({
  sql,
  vendorId,
  newOffer,
}) => {
  const offers = await Promise.all([1, 2, 3, 4].map(() => newOffer()));
  const ids = offers.map(({ id }) => id);
  const other = await addVendor(sql);
  const read = createOfferReader(sql);
  const found = await Promise.all([
    ...[...ids, ...ids].map((id) => read(vendorId, id)),
    ...[...ids, uuidv7()].map((id) => read(other, id)),
    read(vendorId, uuidv7()),
  ]);
  expect(found.map((each) => each?.offer.id ?? null)).toEqual([
    ...ids,
    ...ids,
    ...Array<null>(6).fill(null),
  ]);
});
