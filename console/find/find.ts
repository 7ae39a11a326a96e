import { gtinOf } from '../../domain/offers/gtin.ts';
import { offerTitle, variantTitle } from '../offers/offer-parts.ts';
import { apiPath, html, isId, orNull, ui } from '../page.ts';
import type { Act, AddPages, api, ApiPath, Part, Visit } from '../page.ts';

/** The number of results of each kind that the page shows. */
const shownMax = 5;

type Item = { readonly path: string; readonly name: Part; readonly note: Part };
type Kind = { readonly title: string; readonly items: readonly Item[]; readonly more: Part };

/** The page of what has an id, if the operator may see it; null for an unknown id. */
async function pathOfId({ read, may }: Visit, given: string): Promise<string | null> {
  const id = given.replace(/^ord_/i, '');
  const [isReviewer, isOperations] = [may('Reviewer'), may('Operations')];
  const reads: readonly (readonly [boolean, ApiPath, string])[] = [
    [isOperations, apiPath`/operator/v1/orders/${`ord_${id}`}`, `orders/ord_${id}`],
    [isReviewer, apiPath`/operator/v1/offers/${id}`, `offers/${id}`],
    [isOperations, apiPath`/operator/v1/returns/${id}`, `returns/${id}`],
    [isOperations, apiPath`/operator/v1/webhook-deliveries/${id}`, `webhooks/deliveries/${id}`],
    [true, apiPath`/operator/v1/vendors/${id}`, `vendors/${id}`],
    [true, apiPath`/operator/v1/variants/${id}`, `catalogue/${id}`],
    [true, apiPath`/operator/v1/review-jobs/${id}`, `review-jobs/${id}`],
  ];
  for (const [isAllowed, path, page] of reads)
    if (isAllowed && (await orNull(read(path))) !== null) return `/console/${page}`;
  return null;
}

/** The first things of a list of the API, each as a link; `page` shows them all. */
async function kindOf<T>(
  visit: Visit,
  title: string,
  list: Promise<api.ListOf<T>>,
  { itemOf, page }: { readonly itemOf: (item: T) => Item; readonly page: string },
): Promise<Kind> {
  const found = await orNull(list);
  const items = (found?.items ?? []).map(itemOf);
  const hasMore = found !== null && found.pagination.totalCount > shownMax;
  return {
    title,
    items,
    more:
      hasMore &&
      html`<p>${ui.link(page, html`${visit.texts.all}: ${ui.totalOf(visit, found)}`)}</p>`,
  };
}

/** Every kind of things that the operator may see and that a text names. */
function kindsOf(visit: Visit, text: string): Promise<readonly Kind[]> {
  const { texts, may } = visit;
  const { offers, queue, catalogue, vendors, orders, returns } = texts;
  const barcode = gtinOf(text);
  const first = <T>(path: ApiPath, query: ui.Query) =>
    ui.readPage<api.ListOf<T>>(visit, path, { ...query, pageSize: shownMax });
  const readOffers = (query: ui.Query) =>
    first<api.QueuedOffer>(apiPath`/operator/v1/offers`, query);
  const offerOf = (item: api.QueuedOffer): Item => ({
    path: `/console/offers/${item.id}`,
    name: ui.own(offerTitle(item, texts)),
    note: html`${ui.own(item.vendorName)} · ${texts.statuses[item.status]}`,
  });
  const words = barcode === null ? { q: text } : { barcode };
  const kinds = [
    may('Reviewer') &&
      kindOf(visit, offers.title, readOffers({ code: text }), {
        itemOf: offerOf,
        page: ui.withQuery('/console/all-offers', { text }),
      }),
    may('Reviewer') &&
      kindOf(visit, queue.title, readOffers({ q: text }), {
        itemOf: offerOf,
        page: ui.withQuery('/console/offers', { text }),
      }),
    kindOf(visit, catalogue.title, first<api.Variant>(apiPath`/operator/v1/variants`, words), {
      itemOf: (variant) => ({
        path: `/console/catalogue/${variant.id}`,
        name: ui.own(variantTitle(variant, texts)),
        note: ui.code(variant.sku),
      }),
      page: ui.withQuery('/console/catalogue', barcode === null ? words : { code: text }),
    }),
    kindOf(visit, vendors.title, first<api.Vendor>(apiPath`/operator/v1/vendors`, { q: text }), {
      itemOf: (vendor) => ({
        path: `/console/vendors/${vendor.id}`,
        name: ui.own(vendor.name),
        note: ui.activeChip(visit, vendor),
      }),
      page: ui.withQuery('/console/vendors', { q: text }),
    }),
    may('Operations') &&
      kindOf(
        visit,
        orders.title,
        first<api.ListedOrder>(apiPath`/operator/v1/orders`, { reference: text }),
        {
          itemOf: ({ orderGlobalId, createdAt }) => ({
            path: `/console/orders/${orderGlobalId}`,
            name: ui.code(orderGlobalId),
            note: visit.instant(createdAt),
          }),
          page: ui.withQuery('/console/orders', { reference: text }),
        },
      ),
    may('Operations') &&
      kindOf(
        visit,
        returns.title,
        first<api.ListedReturn>(apiPath`/operator/v1/returns`, { returnRequestNumber: text }),
        {
          itemOf: ({ id, returnRequestNumber, status }) => ({
            path: `/console/returns/${id}`,
            name: ui.own(returnRequestNumber ?? id),
            note: texts.statuses[status],
          }),
          page: ui.withQuery('/console/returns', { number: text }),
        },
      ),
  ];
  return ui.allInOrder(kinds.filter((kind) => kind !== false));
}

/** A table whose first column names the kind. */
const kindTable = (visit: Visit, { title, items, more }: Kind): Part => [
  ui.rowsTable(
    [title, visit.texts.find.about],
    items.map(({ path, name, note }) => [ui.link(path, name), note]),
  ),
  more,
];

/** Leads to what a text names: the only thing, else a page with all things of each kind. */
const find: Act = async (visit) => {
  const { texts, value } = visit;
  // What the API takes of a text.
  const text = Array.from(value('find')).slice(0, 100).join('');
  const id = visit.digits('find');
  if (/^evt_/i.test(id) && visit.may('Operations'))
    return { next: ui.withQuery('/console/webhooks/deliveries', { eventId: id }) };
  const path = isId(id) ? await pathOfId(visit, id) : null;
  if (path !== null) return { next: path };
  const kinds = text === '' ? [] : await kindsOf(visit, text);
  const found = kinds.filter(({ items }) => items.length > 0);
  const paths = new Set(found.flatMap(({ items }) => items.map((item) => item.path)));
  const [only] = paths;
  if (only !== undefined && paths.size === 1) return { next: only };
  return {
    title: texts.find.title,
    heading: html`${texts.find.title} <span class="muted">${ui.own(text)}</span>`,
    content:
      found.length === 0
        ? ui.hint(texts.find.nothing)
        : found.map((kind) => kindTable(visit, kind)),
  };
};

export const findPage: AddPages = ({ show }) => show('/console/find', find);
