import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf, type RowOf } from '../core/columns.ts';
import { firstOf } from '../core/rows.ts';

const vendorProfileTypes = {
  id: 'uuid',
  name: 'text',
  contactEmail: 'text?',
  pricingModel: 'text',
} as const;

/** What a vendor enters about itself, and the pricing model of its agreement. */
export type VendorProfile = RowOf<typeof vendorProfileTypes, { pricingModel: PricingModel }>;
export const vendorProfileColumns = columnsOf<VendorProfile>('vendors', vendorProfileTypes);

const selectProfile = (sql: Queryable, vendorId: string) => sql`
  select ${vendorProfileColumns.list(sql)} from vendors where id = ${vendorId}`;

export const findVendorProfile = (
  sql: Queryable,
  vendorId: string,
): Promise<VendorProfile | null> => firstOf(sql<VendorProfile[]>`${selectProfile(sql, vendorId)}`);

/** Locks the profile until the transaction ends. */
export const lockVendorProfile = (
  sql: Queryable,
  vendorId: string,
): Promise<VendorProfile | null> =>
  firstOf(sql<VendorProfile[]>`${selectProfile(sql, vendorId)} for no key update`);

export async function storeVendorProfile(
  sql: Queryable,
  { id, name, contactEmail }: Pick<VendorProfile, 'id' | 'name' | 'contactEmail'>,
): Promise<void> {
  await sql`update vendors set name = ${name}, contact_email = ${contactEmail} where id = ${id}`;
}
