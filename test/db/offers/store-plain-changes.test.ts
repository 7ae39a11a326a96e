import { expect } from 'vitest';
import { findAnyOffer } from '../../../db/offers/offers.ts';
import { storeOffers } from '../../../db/offers/store-offers.ts';
import { asFound, next, now, storeTest as test } from './store-offers-fixture.ts';

const price = { netHalalas: 5000, vatHalalas: 750, enteredVatInclusive: true };

test('a change of the row alone is stored the same by itself and among others', async ({
  sql,
  newOffer,
  record,
}) => {
  const [alone, among, other] = [await newOffer(), await newOffer(), await newOffer()];
  const given = {
    vendorSku: 'A\\"\'%_😀',
    rawBrandName: null,
    rawSizeMl: 7,
    pendingCost: price,
    salePrice: null,
    reviewedAt: now,
    judgedVersion: 9,
  };
  const changes = [alone, among, other].map((found) => ({ found, after: next(found, given) }));
  const restOf = async (id: string) => {
    const [{ offer: _offer, ...rest } = {}] = await record.everythingOf(id);
    return rest;
  };
  const before = await Promise.all(changes.map(({ after }) => restOf(after.id)));
  expect(await storeOffers(sql, changes.slice(0, 1))).toBe(1);
  expect(await storeOffers(sql, changes.slice(1))).toBe(2);
  for (const { after } of changes) expect(await findAnyOffer(sql, after.id)).toEqual(after);
  expect(await Promise.all(changes.map(({ after }) => restOf(after.id)))).toEqual(before);
});

test('any set of changed columns is stored, also beyond the number of prepared sets', async ({
  sql,
  newOffer,
}) => {
  const fields = [
    'vendorSku',
    'barcode',
    'rawBrandName',
    'rawProductName',
    'rawConcentration',
    'rawDescription',
    'reviewReason',
  ] as const;
  let found = await newOffer();
  for (let set = 0; set < 2 ** fields.length; set += 1) {
    const changed = fields.filter((_, bit) => (set & (1 << bit)) !== 0);
    const given = Object.fromEntries(changed.map((field) => [field, `${field} ${set}`]));
    const after = next(found, given);
    expect(await storeOffers(sql, [{ found, after }])).toBe(1);
    expect(await findAnyOffer(sql, after.id)).toEqual(after);
    found = asFound(after);
  }
});
