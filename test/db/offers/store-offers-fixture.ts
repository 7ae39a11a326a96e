import { v7 as uuidv7 } from 'uuid';
import type { Sql } from '../../../db/core/client.ts';
import type { FoundOffer } from '../../../db/offers/offer-row.ts';
import { upsertSupplyOption } from '../../../db/offers/supply-options.ts';
import { insertVariant } from '../../../db/offers/variants.ts';
import type { Agreement } from '../../../domain/accounts/agreement.ts';
import type { Offer } from '../../../domain/offers/offer.ts';
import { offer as offerLike, variant } from '../../domain/offers/offer-builders.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { addVendor, insertGivenOffer } from '../support.ts';

export const agreement: Agreement = { pricingModel: 'CostPlusMargin', rateBasisPoints: 2000 };
export const since = new Date('2026-02-01T00:00:00.000Z');
export const now = new Date('2026-03-01T10:00:00.000Z');
export const supplyLike = (isPaused = false) => ({
  optionId: uuidv7(),
  isPaused,
  pricingModel: 'CostPlusMargin' as const,
});

export const asFound = (offer: Offer): FoundOffer => ({
  stored: offer,
  offer,
  switchedAt: since,
  now,
  changeTime: since.toISOString(),
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
 * Gives a test `record`, the reads of what is stored, and `newOffer`. A new offer is Approved with
 * a supply option, unless the test gives other fields, and its creation leaves no history or
 * message.
 */
export const storeTest = databaseTest
  .extend('vendorId', { scope: 'file' }, ({ sql }) => addVendor(sql))
  .extend('variantId', { scope: 'file' }, async ({ sql }) => {
    const id = uuidv7();
    await insertVariant(sql, { ...variant, id, sku: id });
    return id;
  })
  .extend('record', { scope: 'file' }, ({ sql }) => readRecord(sql))
  .extend(
    'newOffer',
    { scope: 'file' },
    ({ sql, vendorId, variantId }) =>
      async (given: Partial<Offer> = {}): Promise<FoundOffer> => {
        const offer = offerLike({
          id: uuidv7(),
          vendorId,
          variantId,
          vendorExternalId: null,
          status: 'Approved',
          everApproved: true,
          awaitingSince: null,
          supply: supplyLike(),
          ...given,
        });
        await insertGivenOffer(sql, offer);
        if (offer.supply !== null) await upsertSupplyOption(sql, offer, agreement);
        await sql`delete from outbox where subject_id = ${offer.id}`;
        await sql`delete from offer_status_changes where offer_id = ${offer.id}`;
        return asFound(offer);
      },
  );
