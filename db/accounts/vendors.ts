import type { Fragment } from 'postgres';
import type { Agreement } from '../../domain/accounts/agreement.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';

export type Vendor = {
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly agreement: Agreement;
};

type VendorRow = Omit<Vendor, 'agreement'> & Agreement;

export const vendorColumns = columnsOf<VendorRow>('vendors', {
  id: 'uuid',
  name: 'text',
  isActive: 'boolean',
  pricingModel: 'text',
  rateBasisPoints: 'integer',
});

const toVendor = ({ pricingModel, rateBasisPoints, ...vendor }: VendorRow): Vendor => ({
  ...vendor,
  agreement: { pricingModel, rateBasisPoints },
});

export async function insertVendor(sql: Queryable, vendor: Vendor): Promise<void> {
  const row = { ...vendor, ...vendor.agreement };
  await sql`insert into vendors ${sql(row, ...vendorColumns.keys)}`;
}

async function readVendor(sql: Queryable, id: string, lock: Fragment): Promise<Vendor | null> {
  const [row] = await sql<VendorRow[]>`
    select ${vendorColumns.list(sql)} from vendors where id = ${id} ${lock}`;
  return row === undefined ? null : toVendor(row);
}

export const findVendor = (sql: Queryable, id: string): Promise<Vendor | null> =>
  readVendor(sql, id, sql``);

/**
 * Locks the row against other changes until the transaction ends; rows that refer to it may still
 * be written. Commands on a vendor's credentials, active subscriptions and clock follow each other
 * by this lock.
 */
export const lockVendor = (sql: Queryable, id: string): Promise<Vendor | null> =>
  readVendor(sql, id, sql`for no key update`);

export async function setVendorActive(
  sql: Queryable,
  id: string,
  isActive: boolean,
): Promise<void> {
  await sql`update vendors set is_active = ${isActive} where id = ${id}`;
}

/** Newest first; with `name` those that have it in their names, in any letter case. */
export async function listVendors(
  sql: Queryable,
  request: PageRequest,
  name: string | null = null,
): Promise<Page<Vendor>> {
  const page = await readNewest<VendorRow>(sql, request, vendorColumns, (parts) =>
    name === null ? {} : { conditions: parts`and strpos(lower(name), lower(${name}::text)) > 0` },
  );
  return { ...page, items: page.items.map(toVendor) };
}
