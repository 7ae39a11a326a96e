import type { PricingModel } from '../../domain/accounts/agreement.ts';
import type { Queryable } from '../core/client.ts';

/** What a vendor keeps of itself, and what it has to know of its agreement (D55). */
export type VendorProfile = {
  readonly id: string;
  readonly name: string;
  readonly contactEmail: string | null;
  readonly pricingModel: PricingModel;
};

const columns = (sql: Queryable) => sql`id, name, contact_email, pricing_model`;

export async function findVendorProfile(
  sql: Queryable,
  vendorId: string,
): Promise<VendorProfile | null> {
  const [row] = await sql<
    VendorProfile[]
  >`select ${columns(sql)} from vendors where id = ${vendorId}`;
  return row ?? null;
}

/** The profile as it was, locked until the transaction ends against whoever would change it. */
export async function lockVendorProfile(
  sql: Queryable,
  vendorId: string,
): Promise<VendorProfile | null> {
  const [row] = await sql<VendorProfile[]>`
    select ${columns(sql)} from vendors where id = ${vendorId} for no key update`;
  return row ?? null;
}

export async function storeVendorProfile(
  sql: Queryable,
  { id, name, contactEmail }: Pick<VendorProfile, 'id' | 'name' | 'contactEmail'>,
): Promise<void> {
  await sql`update vendors set name = ${name}, contact_email = ${contactEmail} where id = ${id}`;
}
