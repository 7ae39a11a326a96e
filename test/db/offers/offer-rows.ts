import { v7 as uuidv7 } from 'uuid';
import { type Offer } from '../../../domain/offers/offer.ts';
import { statusesInReview } from '../../../domain/offers/offer-status.ts';
import { offer as offerLike, supply, variant } from '../../domain/offers/offer-builders.ts';
import { addVendor, insertGivenOffer } from '../support.ts';
import { seedVariant } from '../../support/seeds/seed.ts';
import { databaseTest } from '../../support/database/database-test.ts';

export const at = new Date('2026-02-01T00:00:00.000Z');

export const now = new Date('2026-03-01T10:00:00.000Z');

/** Stores a new offer; with `hasSupply` it has a supply option of the stock that it has. */
export const test = databaseTest
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql))
  .extend('newOffer', { scope: 'file' }, async ({ sql, vendorId }) => {
    const variantId = await seedVariant(sql);
    return async (given: Partial<Offer> = {}, hasSupply = false): Promise<Offer> => {
      const status = given.status ?? 'Approved';
      const offer = offerLike({
        id: uuidv7(),
        vendorId,
        variantId,
        vendorExternalId: null,
        barcode: variant.barcode,
        status,
        awaitingSince: statusesInReview.includes(status) ? at : null,
        supply: hasSupply ? supplyLike(status !== 'Approved') : null,
        ...given,
      });
      return insertGivenOffer(sql, offer);
    };
  });

export const supplyLike = (isPaused = false) => supply({ optionId: uuidv7(), isPaused });
