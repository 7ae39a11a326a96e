import type { ListOf, Vendor } from './api-types.ts';
import type { Visit } from './visit.ts';
import { html, type Html } from '../html/html.ts';
import { vendorField } from '../html/list.ts';

/** The vendors by their ids: the newest ones, and those with the given ids. */
export async function readVendors(
  { read }: Visit,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, Vendor>> {
  const { items } = await read<ListOf<Vendor>>('/operator/v1/vendors', { pageSize: 100 });
  const vendors = new Map(items.map((vendor) => [vendor.id, vendor]));
  const missing = new Set(ids.filter((id) => id !== null && !vendors.has(id)));
  const others = Array.from(missing, (id) => read<Vendor>(`/operator/v1/vendors/${id}`));
  for (const vendor of await Promise.all(others)) vendors.set(vendor.id, vendor);
  return vendors;
}

/** The same, as a filter and by their names. */
export async function vendorNames(
  visit: Visit,
  items: readonly { readonly vendorId: string }[],
): Promise<{ readonly field: Html; readonly nameOf: (vendorId: string) => Html }> {
  const asked = visit.value('vendorId') || null;
  const vendors = await readVendors(visit, [asked, ...items.map(({ vendorId }) => vendorId)]);
  return {
    field: vendorField(visit, vendors),
    nameOf: (vendorId) => html`<bdi>${vendors.get(vendorId)?.name}</bdi>`,
  };
}
