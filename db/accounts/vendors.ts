import type { Agreement, PricingModel } from '../../domain/accounts/agreement.ts';
import type { Queryable } from '../core/client.ts';
import { offsetOf, type Page, type PageRequest } from '../lists/page.ts';

export type Vendor = {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly agreement: Agreement;
};

type VendorRow = {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly pricingModel: PricingModel;
  readonly rateBasisPoints: number;
};

/** By name, here as everywhere: a column that a later version adds must not change a prepared statement's answer. */
const columns = (sql: Queryable) => sql`id, name, is_active, pricing_model, rate_basis_points`;

const toVendor = ({ id, name, isActive, pricingModel, rateBasisPoints }: VendorRow): Vendor => ({
  id,
  name,
  isActive,
  agreement: { pricingModel, rateBasisPoints },
});

export async function insertVendor(sql: Queryable, vendor: Vendor): Promise<void> {
  const { id, name, isActive, agreement } = vendor;
  await sql`
    insert into vendors (id, name, is_active, pricing_model, rate_basis_points)
    values (${id}, ${name}, ${isActive}, ${agreement.pricingModel}, ${agreement.rateBasisPoints})`;
}

export async function findVendor(sql: Queryable, id: string): Promise<Vendor | null> {
  const [row] = await sql<VendorRow[]>`select ${columns(sql)} from vendors where id = ${id}`;
  return row === undefined ? null : toVendor(row);
}

/** Locks the row until the transaction ends, against whoever would change it; rows that refer to it may still be written. */
export async function lockVendor(sql: Queryable, id: string): Promise<Vendor | null> {
  const [row] = await sql<VendorRow[]>`
    select ${columns(sql)} from vendors where id = ${id} for no key update`;
  return row === undefined ? null : toVendor(row);
}

export async function setVendorActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`update vendors set is_active = ${isActive} where id = ${id}`;
}

export async function listVendors(sql: Queryable, request: PageRequest): Promise<Page<Vendor>> {
  const [rows, [count]] = await Promise.all([
    sql<VendorRow[]>`
      select ${columns(sql)} from vendors order by created_at desc, id desc
      limit ${request.pageSize} offset ${offsetOf(request)}`,
    sql<[{ total: number }]>`select count(*)::int as total from vendors`,
  ]);
  return { items: rows.map(toVendor), totalCount: count.total };
}
