import type { Html } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { ListOf, Vendor } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';

/** The newest vendors, that of the filter, and those with the given ids. */
export async function readVendors(visit: Visit, ids: readonly (string | null)[]) {
  const { read, value, texts } = visit;
  const { items } = await read<ListOf<Vendor>>('/operator/v1/vendors', { pageSize: 100 });
  const vendors = new Map(items.map((vendor) => [vendor.id, vendor]));
  const asked = [...ids, value('vendorId') || null];
  const missing = new Set(asked.filter((id) => id !== null && !vendors.has(id)));
  const others = Array.from(missing, (id) => read<Vendor>(`/operator/v1/vendors/${id}`));
  for (const vendor of await Promise.all(others)) vendors.set(vendor.id, vendor);
  const all = [...vendors.values()];
  const choices = all.map(({ id, name }) => [id, name] as const);
  return {
    all,
    field: ui.choiceField(visit, texts.vendor, 'vendorId', choices),
    nameOf: (id: string | null): Html => ui.own(vendors.get(id ?? '')?.name ?? texts.none),
  };
}
