import { ui, type api, type Html, type Visit } from '../page.ts';

/** The newest vendors, that of the filter, and those of things that are shown. */
export async function readVendors(
  visit: Visit,
  things: readonly { readonly vendorId: string | null }[],
) {
  const { read, value, texts } = visit;
  const { items } = await read<api.ListOf<api.Vendor>>('/operator/v1/vendors', { pageSize: 100 });
  const vendors = new Map(items.map((vendor) => [vendor.id, vendor]));
  const asked = [...things.map(({ vendorId }) => vendorId), value('vendorId') || null];
  const missing = new Set(asked.filter((id) => id !== null && !vendors.has(id)));
  const others = Array.from(missing, (id) => read<api.Vendor>(`/operator/v1/vendors/${id}`));
  for (const vendor of await Promise.all(others)) vendors.set(vendor.id, vendor);
  const all = [...vendors.values()];
  const choices = all.map(({ id, name }) => [id, name] as const);
  return {
    all,
    field: ui.choiceField(visit, texts.vendor, 'vendorId', choices),
    nameOf: (id: string | null): Html => ui.own(vendors.get(id ?? '')?.name ?? texts.none),
  };
}
export type Vendors = Awaited<ReturnType<typeof readVendors>>;
