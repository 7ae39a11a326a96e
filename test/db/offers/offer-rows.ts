import { v7 as uuidv7 } from 'uuid';
import { type Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { type Offer } from '../../../domain/offers/offer.ts';
import { statusesInReview } from '../../../domain/offers/offer-status.ts';
import { offer as offerLike, supply, variant } from '../../domain/offers/offer-builders.ts';
import { addVendor, insertGivenOffer } from '../support.ts';
import { costPlus } from '../../support/api/actors.ts';
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

export const asFound = (offer: Offer): FoundOffer => ({
  stored: offer,
  offer,
  agreement: costPlus,
  switchedAt: at,
  now,
  changeTime: at.toISOString(),
});

/** The next version of a found offer. */
export const next = ({ offer }: FoundOffer, given: Partial<Offer> = {}): Offer => ({
  ...offer,
  version: offer.version + 1,
  changedAt: now,
  ...given,
});

const readRecord = (sql: Sql) => ({
  historyOf: (id: string) => sql`
    select from_status, to_status, reason, at from offer_status_changes
    where offer_id = ${id} order by id`,
  messagesTo: (id: string) => sql`select kind, payload from outbox where subject_id = ${id}`,
  supplyOf: async (id: string) =>
    (
      await sql`
        select is_paused, stock_quantity, in_stock, updated_at, net
        from supply_options where offer_id = ${id}`
    )[0],
  everythingOf: (id: string) => sql`
    select (select to_jsonb(o) from offers o where id = ${id}) as offer,
      (select to_jsonb(s) from supply_options s where offer_id = ${id}) as supply,
      (select jsonb_agg(h) from offer_status_changes h where offer_id = ${id}) as history,
      (select jsonb_agg(m) from outbox m where subject_id = ${id}) as messages`,
});

/**
 * Gives a test `record`, the reads of what is stored, and `newFound`. A new offer is Approved with
 * a supply option, unless the test gives other fields, and its creation leaves no history or
 * message.
 */
export const storeTest = test
  .extend('record', { scope: 'file' }, ({ sql }) => readRecord(sql))
  .extend(
    'newFound',
    { scope: 'file' },
    ({ sql, newOffer }) =>
      async (given: Partial<Offer> = {}): Promise<FoundOffer> => {
        const { supply = supplyLike() } = given;
        const fields = { everApproved: true, awaitingSince: null, ...given, supply };
        const offer = await newOffer(fields, supply !== null);
        await sql`delete from outbox where subject_id = ${offer.id}`;
        await sql`delete from offer_status_changes where offer_id = ${offer.id}`;
        return asFound(offer);
      },
  );
