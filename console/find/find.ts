import { gtinOf, printedGtin } from '../../domain/offers/gtin.ts';
import { pathOfId } from '../audit/audit.ts';
import { offerTitle, variantTitle } from '../offers/offer-parts.ts';
import { readNames } from '../offers/queue.ts';
import { apiPath, html, isId, orNull, ui } from '../page.ts';
import type { Act, AddPages, api, ApiPath, Html, Part, Visit } from '../page.ts';

/** The number of results of each kind that the page shows. */
const shownMax = 5;

type Item = readonly [path: string, name: Part, note: Part];
type Kind = { readonly title: string; readonly items: readonly Item[]; readonly more: Part };

/** The first things of a list of the API, each as a link; `page` shows them all. */
async function kindOf<T>(
  visit: Visit,
  title: string,
  list: Promise<api.ListOf<T>>,
  page: string,
  itemOf: (item: T) => Item,
): Promise<Kind> {
  const found = await orNull(list);
  const items = (found?.items ?? []).map(itemOf);
  const hasMore = found !== null && found.pagination.totalCount > shownMax;
  const all = hasMore && html`${visit.texts.all}: ${ui.totalOf(visit, found)}`;
  return { title, items, more: all && html`<p>${ui.link(page, all)}</p>` };
}

/** Every kind of things that the operator may see and that a text names. */
function kindsOf(visit: Visit, text: string): Promise<readonly Kind[]> {
  const { texts, may } = visit;
  const barcode = gtinOf(text);
  const words = barcode === null ? { q: text } : { barcode };
  const first = <T>(path: ApiPath, query: ui.Query) =>
    ui.readPage<T>(visit, path, { ...query, pageSize: shownMax });
  const offers = async (query: ui.Query) => {
    const list = await first<api.QueuedOffer>(apiPath`/operator/v1/offers`, query);
    const names = await readNames(visit, list.items);
    const matchOf = ({ product }: api.QueuedOffer) => names.get(product.variantId ?? '');
    return { ...list, items: list.items.map((item) => ({ ...item, match: matchOf(item) })) };
  };
  type Found = Awaited<ReturnType<typeof offers>>['items'][number];
  const offerOf = (item: Found): Item => [
    `/console/offers/${item.id}`,
    ui.own(offerTitle(item, texts, item.match)),
    html`${ui.own(item.vendorName)} · ${texts.statuses[item.status]}`,
  ];
  const byCode = ui.withQuery('/console/all-offers', { text });
  const byWords = ui.withQuery('/console/offers', { text });
  const kinds = [
    may('Reviewer') && kindOf(visit, texts.offers.title, offers({ code: text }), byCode, offerOf),
    may('Reviewer') && kindOf(visit, texts.queue.title, offers({ q: text }), byWords, offerOf),
    kindOf(
      visit,
      texts.catalogue.title,
      first<api.Variant>(apiPath`/operator/v1/variants`, words),
      ui.withQuery('/console/catalogue', barcode === null ? words : { code: text }),
      (each) => [
        `/console/catalogue/${each.id}`,
        ui.own(variantTitle(each, texts)),
        ui.code(each.sku),
      ],
    ),
    kindOf(
      visit,
      texts.vendors.title,
      first<api.Vendor>(apiPath`/operator/v1/vendors`, { q: text }),
      ui.withQuery('/console/vendors', { q: text }),
      (each) => [`/console/vendors/${each.id}`, ui.own(each.name), ui.activeChip(visit, each)],
    ),
    may('Operations') &&
      kindOf(
        visit,
        texts.orders.title,
        first<api.ListedOrder>(apiPath`/operator/v1/orders`, { reference: text }),
        ui.withQuery('/console/orders', { reference: text }),
        ({ orderGlobalId: id, createdAt }) => [
          `/console/orders/${id}`,
          ui.code(id),
          visit.instant(createdAt),
        ],
      ),
    may('Operations') &&
      kindOf(
        visit,
        texts.returns.title,
        first<api.ListedReturn>(apiPath`/operator/v1/returns`, { returnRequestNumber: text }),
        ui.withQuery('/console/returns', { number: text }),
        ({ id, returnRequestNumber, status }) => [
          `/console/returns/${id}`,
          ui.own(returnRequestNumber ?? id),
          texts.statuses[status],
        ],
      ),
  ];
  return ui.allInOrder(kinds.filter((kind) => kind !== false));
}

const kindSection = (visit: Visit, { title, items, more }: Kind): Html => {
  const rows = items.map(([path, name, note]) => [ui.link(path, name), note]);
  return ui.section(title, [ui.rowsTable(['', visit.texts.find.about], rows), more]);
};

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
  // A barcode may be typed as it is printed; what is stored so was looked for first.
  const barcode = printedGtin(text.replaceAll(/\p{Pd}/gu, ''));
  if (found.length === 0 && barcode !== null && barcode !== text)
    return { next: ui.withQuery('/console/find', { find: barcode }) };
  const paths = new Set(found.flatMap(({ items }) => items.map(([path]) => path)));
  const [only] = paths;
  if (only !== undefined && paths.size === 1) return { next: only };
  return {
    title: texts.find.title,
    heading: html`${texts.find.title} <span class="muted">${ui.own(text)}</span>`,
    content:
      found.length === 0
        ? ui.hint(texts.find.nothing)
        : found.map((kind) => kindSection(visit, kind)),
  };
};

export const findPage: AddPages = ({ show }) => show('/console/find', find);
