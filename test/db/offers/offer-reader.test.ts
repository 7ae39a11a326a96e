import { expect } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import { createOfferReader } from '../../../db/offers/offer-facts.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import { variant } from '../../domain/offers/offer-builders.ts';
import { addVendor } from '../support.ts';
import { newOffer, test } from './pushes/store-stock-fixture.ts';

test.beforeAll(async ({ sql, variantId }) => {
  await insertVariant(sql, { ...variant, id: variantId, sku: variantId });
});

/** A pool that counts the statements of its reads. */
function counting(sql: Sql) {
  let statements = 0;
  const unsafe = (...given: Parameters<Sql['unsafe']>) => {
    statements += 1;
    return sql.unsafe(...given);
  };
  return { pool: { ...sql, unsafe } as unknown as Sql, count: () => statements };
}

test('reads that arrive during three statements share one, and each gets its own offer', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const fixtures = { sql, vendorId, variantId };
  const offers = await Promise.all([1, 2, 3, 4].map(async () => newOffer(fixtures)));
  const { pool, count } = counting(sql);
  const read = createOfferReader(pool);
  const found = await Promise.all([...offers, ...offers].map(({ id }) => read(vendorId, id)));
  expect(found.map((each) => each?.offer.id)).toEqual([...offers, ...offers].map(({ id }) => id));
  expect(count()).toBe(4);
});

test("an unknown offer and another vendor's are null, whatever shares the statement", async ({
  sql,
  vendorId,
  variantId,
}) => {
  const { id } = await newOffer({ sql, vendorId, variantId });
  const stranger = await addVendor(sql);
  const read = createOfferReader(sql);
  const found = await Promise.all([
    read(vendorId, id),
    read(stranger, id),
    read(vendorId, uuidv7()),
    read(vendorId, id),
    read(stranger, id),
  ]);
  expect(found.map((each) => each?.offer.id ?? null)).toEqual([id, null, null, id, null]);
});

test('a read that fails rejects, and the next one reads again', async ({
  sql,
  vendorId,
  variantId,
}) => {
  const { id } = await newOffer({ sql, vendorId, variantId });
  const read = createOfferReader(sql);
  await expect(read(vendorId, 'no id')).rejects.toThrow('uuid');
  expect((await read(vendorId, id))?.offer.id).toBe(id);
});
