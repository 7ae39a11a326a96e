import { apiPath, html, isId, orNull, ui, type api, type Html, type Visit } from '../page.ts';

type Things = readonly { readonly vendorId: string | null }[];
const vendorsMax = 100;

/** Adds the vendors of things that are shown, by their ids; not one that does not exist. */
async function readKnown(
  { read }: Visit,
  ids: readonly string[],
  vendors: Map<string, api.Vendor>,
): Promise<void> {
  const missing = new Set(ids.filter((id) => isId(id) && !vendors.has(id)));
  const found = await Promise.all(
    Array.from(missing, (id) => orNull(read<api.Vendor>(apiPath`/operator/v1/vendors/${id}`))),
  );
  for (const vendor of found) if (vendor !== null) vendors.set(vendor.id, vendor);
}

/** The name of a vendor, which leads to its page. */
export const vendorLink = (id: string, name: string): Html =>
  ui.link(`/console/vendors/${id}`, ui.own(name));

const namesOf =
  ({ texts }: Visit, vendors: ReadonlyMap<string, api.Vendor>) =>
  (id: string | null): Html => {
    const vendor = vendors.get(id ?? '');
    return vendor === undefined ? ui.own(texts.none) : vendorLink(vendor.id, vendor.name);
  };

/** Names the vendors of things that are shown, each as a link. */
export async function readVendorNames(visit: Visit, things: Things) {
  const vendors = new Map<string, api.Vendor>();
  await readKnown(
    visit,
    things.flatMap(({ vendorId }) => vendorId ?? []),
    vendors,
  );
  return { nameOf: namesOf(visit, vendors) };
}

/**
 * The vendors that a page lets choose, by name: all of them or, where there are more than a list
 * has, the names that a search finds. The names of the filter and of shown things are known.
 */
export async function readVendors(visit: Visit, things: Things) {
  const { value, texts } = visit;
  const query = { q: value('vendorName'), order: 'name', pageSize: vendorsMax };
  const list = apiPath`/operator/v1/vendors`;
  const reading = ui.readPage<api.Vendor>(visit, list, query);
  const found = await ui.orRefused(visit, reading, ui.emptyList, 'vendorName');
  const { totalCount } = found.pagination;
  const vendors = new Map(found.items.map((vendor) => [vendor.id, vendor]));
  const shown = things.flatMap(({ vendorId }) => vendorId ?? []);
  await readKnown(visit, [...shown, value('vendorId')], vendors);
  const chosen = vendors.get(value('vendorId'));
  const choosable = new Set(chosen === undefined ? found.items : [chosen, ...found.items]);
  const choices = Array.from(choosable, ({ id, name }) => [id, name] as const);
  const isSearched = query.q !== '' || totalCount > vendorsMax;
  const more =
    totalCount > vendorsMax &&
    html`<span class="muted">${texts.firstOf(vendorsMax, totalCount)}</span>`;
  const search =
    isSearched && html`${ui.searchField(visit, texts.findVendor, 'vendorName', '')} ${more}`;
  return {
    /** The vendor of the filter or of a sent form, and those that the search finds. */
    choosable: [...choosable],
    /** The search alone, where there are too many vendors for a choice. */
    search,
    field: html`${ui.choiceField(visit, texts.vendor, 'vendorId', choices)} ${search}`,
    nameOf: namesOf(visit, vendors),
  };
}
export type Vendors = Awaited<ReturnType<typeof readVendors>>;
