import type { Fragment } from 'postgres';
import type { Agreement } from '../../domain/accounts/agreement.ts';
import { foldName, foldText, searchedForms, wordsOf } from '../../domain/texts/fold-text.ts';
import { typedForm } from '../../domain/texts/typed-text.ts';
import type { Queryable } from '../core/client.ts';
import { columnsOf } from '../core/columns.ts';
import { switchOf } from '../core/rows.ts';
import { readNewest } from '../lists/id-page.ts';
import type { Page, PageRequest } from '../lists/page.ts';
import { ascending } from '../lists/sort-order.ts';

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

export const setVendorActive = switchOf('vendors');

/**
 * Deletes what a sandbox's vendor has made, and sends messages to its runs. The vendor stays locked
 * until the transaction ends. Throws in Production.
 */
export async function resetSandbox(sql: Queryable, vendorId: string): Promise<void> {
  await sql`select reset_sandbox(${vendorId})`;
}

/** A text of signs only has nothing that is folded, and one of invisible marks has no typed form. */
function hasInName(sql: Queryable, text: string): Fragment {
  const folded = foldText(text);
  if (folded === '') return sql`strpos(name, ${typedForm(text) || text}) > 0`;
  const isFolded = sql`strpos(fold_text(name), ${folded}) > 0`;
  const isName = sql`strpos(fold_name(name), ${foldName(text)}) > 0`;
  return sql`(${isFolded} or ${isName} or ${hasWords(sql, text)})`;
}

/** Each word of the text is in the name, without the Arabic article in either. */
const hasWords = (sql: Queryable, text: string): Fragment =>
  wordsOf(text)
    .map(searchedForms)
    .reduce<Fragment>(
      (all, forms) => sql`${all} and exists (
        select from unnest(${[...forms]}::text[]) as form where strpos(fold_text(name), form) > 0)`,
      sql`true`,
    );

/** The orders of the list of vendors. */
export const vendorOrders = ['newest', 'name'] as const;

/** Newest first, or by name; with `name` those that have it in their names, both folded. */
export async function listVendors(
  sql: Queryable,
  request: PageRequest,
  name: string | null = null,
  order: (typeof vendorOrders)[number] = 'newest',
): Promise<Page<Vendor>> {
  const page = await readNewest<VendorRow>(sql, request, vendorColumns, (parts) => ({
    ...(name !== null && { conditions: parts`and ${hasInName(parts, name)}` }),
    ...(order === 'name' && { order: ascending('fold_text(name)', 'id') }),
  }));
  return { ...page, items: page.items.map(toVendor) };
}
