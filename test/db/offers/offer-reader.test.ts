import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { createOfferReader } from '../../../db/offers/offer-facts.ts';
import { addVendor } from '../support.ts';
import { test } from './offer-rows.ts';

test('returns to each read its own offer', async ({ sql, vendorId, newOffer }) => {
  const offers = await Promise.all([1, 2, 3, 4].map(async () => newOffer()));
  const read = createOfferReader(sql);
  const found = await Promise.all([...offers, ...offers].map(({ id }) => read(vendorId, id)));
  expect(found.map((each) => each?.offer.id)).toEqual([...offers, ...offers].map(({ id }) => id));
});

test("returns null for another vendor's offer", async ({ sql, vendorId, newOffer }) => {
  const { id } = await newOffer();
  const other = await addVendor(sql);
  const read = createOfferReader(sql);
  const found = await Promise.all([
    read(vendorId, id),
    read(other, id),
    read(vendorId, uuidv7()),
    read(vendorId, id),
    read(other, id),
  ]);
  expect(found.map((each) => each?.offer.id ?? null)).toEqual([id, null, null, id, null]);
});

test('reads again after a read that fails', async ({ sql, vendorId, newOffer }) => {
  const { id } = await newOffer();
  const read = createOfferReader(sql);
  await expect(read(vendorId, 'no id')).rejects.toThrow('uuid');
  expect((await read(vendorId, id))?.offer.id).toBe(id);
});
