import { v7 as uuidv7 } from 'uuid';
import { createAgreementActivities } from '../../../activities/agreement-switch.ts';
import type { Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { findOwnOffer } from '../../../db/offers/offers.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import { offer as offerLike, supply, variant } from '../../domain/offers/offer-builders.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { addVendor, insertGivenOffer } from '../support.ts';

export const variantId = uuidv7();

/** A database with the variant of every offer, and a vendor of each test. */
export const agreementTest = databaseTest
  .extend('variantRow', { scope: 'file', auto: true }, ({ sql }) =>
    insertVariant(sql, { ...variant, id: variantId, sku: variantId }, null),
  )
  .extend('vendorId', ({ sql }) => addVendor(sql));

export function newOffer(sql: Sql, vendorId: string, given: Partial<Offer> = {}): Promise<Offer> {
  const id = uuidv7();
  const own = { id, vendorId, variantId, vendorExternalId: id, version: 1 };
  return insertGivenOffer(sql, offerLike({ ...own, ...given }));
}

export const liveOffer = (sql: Sql, vendorId: string, given: Partial<Offer> = {}) =>
  newOffer(sql, vendorId, {
    status: 'Approved',
    everApproved: true,
    awaitingSince: null,
    supply: supply({ optionId: uuidv7() }),
    ...given,
  });

export const follow = (sql: Sql, vendorId: string, limit = 100) =>
  createAgreementActivities({ sql }).applyAgreementBatch({ vendorId, limit });

export const found = async (sql: Sql, offer: Offer): Promise<FoundOffer> => {
  const look = await findOwnOffer(sql, offer.vendorId, offer.id);
  if (look === null) throw new Error('no offer');
  return look;
};

export const present = async (sql: Sql, offer: Offer): Promise<Offer> =>
  (await found(sql, offer)).offer;

export const statusChangesOf = (sql: Sql, { id }: Offer) => sql<
  { fromStatus: string; toStatus: string; at: Date }[]
>`
  select from_status, to_status, at from offer_status_changes where offer_id = ${id} order by id`;
