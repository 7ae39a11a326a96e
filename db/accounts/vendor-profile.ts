import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';

const vendorProfileTypes = {
  id: 'uuid',
  name: 'text',
  contactEmail: 'text?',
  pricingModel: 'text',
} as const;

/** What a vendor enters about itself, and the pricing model of its agreement. */
export type VendorProfile = RowOf<typeof vendorProfileTypes, { pricingModel: PricingModel }>;
export const vendorProfileColumns = columnsOf<VendorProfile>('vendors', vendorProfileTypes);

/**
 * The profile of the vendor of a token: vendors are never deleted. `isLocked` until the transaction
 * ends.
 */
export async function readVendorProfile(
  sql: Queryable,
  vendorId: string,
  { isLocked = false } = {},
): Promise<VendorProfile> {
  const [profile] = await sql<[VendorProfile]>`
    select ${vendorProfileColumns.list(sql)} from vendors where id = ${vendorId}
    ${isLocked ? sql`for no key update` : sql``}`;
  return profile;
}

export async function storeVendorProfile(
  sql: Queryable,
  { id, name, contactEmail }: Pick<VendorProfile, 'id' | 'name' | 'contactEmail'>,
): Promise<void> {
  await sql`update vendors set name = ${name}, contact_email = ${contactEmail} where id = ${id}`;
}
