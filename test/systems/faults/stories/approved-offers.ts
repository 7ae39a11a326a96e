import { seedOffers } from '../../../../bench/harness/seed.ts';
import type { Sql } from '../../../../db/core/client.ts';

/** Seeds approved offers of a vendor, each with the history that the doctor expects. */
export async function seedApprovedOffers(
  sql: Sql,
  offers: { readonly vendorId: string; readonly variantId: string; readonly count: number },
): Promise<void> {
  await seedOffers({ patientSql: sql }, offers);
  await sql`
    insert into offer_status_changes (offer_id, from_status, to_status, at)
    select id, 'PendingReview', status, created_at from offers
    where vendor_id = ${offers.vendorId}`;
}
