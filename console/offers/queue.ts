import { isGtin } from '../../domain/offers/gtin.ts';
import { reviewFlags, reviewKinds } from '../../domain/offers/review-flags.ts';
import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { Facets, ListOf, QueuedOffer, Variant } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Act, AddPages, Page, Visit } from '../http/visit.ts';
import { flagChips, offerTitle, pricesOf } from './offer-facts.ts';

/** The filter of the queue. It is in the address of each page. */
export const filterOf = ({ value, choice }: Visit) => ({
  text: value('text'),
  kind: choice('kind', reviewKinds),
  flag: choice('flag', reviewFlags),
  vendorId: value('vendorId'),
  brand: value('brand'),
  order: choice('order', ['vendorsInTurn']),
});
type Filter = ReturnType<typeof filterOf>;

/** A filter in the words of the API. */
const queryOf = ({ text, ...filter }: Filter) => ({
  awaitingDecision: 'true',
  ...filter,
  ...(isGtin(text) ? { barcode: text } : { q: text.slice(0, 100) }),
});

/** Reads offers that wait for a decision, by default the longest waiting first. */
export const readQueue = (
  { read }: Visit,
  filter: Filter,
  page: { readonly page: number; readonly pageSize: number },
): Promise<ListOf<QueuedOffer>> => read('/operator/v1/offers', { ...queryOf(filter), ...page });

/** The matches of the offers that have no texts of their own, by their ids. */
export async function readNames({ read }: Visit, offers: readonly QueuedOffer[]) {
  const unnamed = offers.filter(({ product }) => product.rawProductName === null);
  const ids = [...new Set(unnamed.flatMap(({ product }) => product.variantId ?? []))];
  const variants = ids.map((id) => read<Variant>(`/operator/v1/variants/${id}`));
  return new Map((await Promise.all(variants)).map((variant) => [variant.id, variant]));
}

/** What was decided on the page before, with a link to it. */
export function decidedNote({ texts: { decision }, value }: Visit): Html | null {
  const { [value('done') as keyof typeof decision.done]: text } = decision.done;
  const last = value('last');
  if (text === undefined || !/^[\da-f-]{36}$/.test(last)) return null;
  return ui.doneNote(html`${text}. ${ui.link(`/console/offers/${last}`, decision.open)}`);
}

async function showQueue(visit: Visit): Promise<Page> {
  const { texts, readAll } = visit;
  const { queue, decision } = texts;
  const filter = filterOf(visit);
  const { payload: list, details } = await readAll<{
    payload: ListOf<QueuedOffer>;
    details: { facets: Facets };
  }>('/operator/v1/offers', { ...queryOf(filter), facets: 'true', ...ui.askedPage(visit) });
  const { items, pagination } = list;
  const { kind, flag, vendor, brand } = details.facets;
  const names = await readNames(visit, items);
  const first = (pagination.page - 1) * ui.pageSize + 1;
  return ui.listPage(visit, list, {
    title: queue.title,
    notice: decidedNote(visit),
    fields: [
      ui.searchField(visit, queue.search, 'text'),
      countedField(visit, queue.kind, 'kind', kind, ({ value }) => queue.kinds[value]),
      countedField(visit, queue.flag, 'flag', flag, ({ value }) => queue.flags[value]),
      countedField(visit, texts.vendor, 'vendorId', vendor, ({ name }) => name),
      countedField(visit, decision.fields.brand, 'brand', brand, ({ value }) => value),
      ui.checkField(visit, queue.inTurn, 'order', 'vendorsInTurn'),
    ],
    columns: [
      decision.fields.product,
      queue.kind,
      texts.vendor,
      [queue.price],
      queue.waiting,
      queue.flag,
    ],
    row: (offer) => {
      const at = first + items.indexOf(offer);
      const path = withQuery(`/console/offers/${offer.id}`, { ...filter, at });
      return row(visit, offer, path, names.get(offer.product.variantId ?? '') ?? null);
    },
    empty: queue.empty,
    after: pagination.totalCount > 0 && manyBar(visit, filter, pagination.totalCount),
  });
}

/** A choice among what the list has, each with its number of offers. */
const countedField = <T extends { readonly value: string; readonly count: number }>(
  visit: Visit,
  label: string,
  field: string,
  facet: readonly T[],
  nameOf: (entry: T) => string,
): Html => {
  const choices = facet.map((entry) => [entry.value, `${nameOf(entry)} (${entry.count})`] as const);
  return ui.choiceField(visit, label, field, choices);
};

function row(
  { texts, since }: Visit,
  offer: QueuedOffer,
  path: string,
  match: Variant | null,
): readonly Part[] {
  const { live, staged } = pricesOf(offer);
  const { id, kind, priceChangePercent: change, awaitingSince, flags, product } = offer;
  const title = offerTitle(offer, texts, match);
  const box = html`type="checkbox" name="offer" value="${id}" form="many" aria-label="${title}"`;
  return [
    html`<input ${box} /> ${ui.link(path, ui.own(title))}
      ${ui.muted(ui.own(product.rawBrandName ?? match?.brandName))}`,
    kind && texts.queue.kinds[kind],
    ui.own(offer.vendorName),
    staged === null || live === null
      ? ui.money(staged ?? live)
      : html`${ui.own(html`${ui.money(live)} → ${ui.money(staged)}`)}
        ${ui.muted(change !== null && ui.changeOf(change))}`,
    since(awaitingSince ?? new Date().toISOString()),
    flags.length === 0 ? null : flagChips(flags, texts),
  ];
}

export const manyActions = ['approve', 'reject', 'apply', 'discard'] as const;

/** What decides on the selected offers of the page, or on all that the filter finds. */
function manyBar({ texts, value }: Visit, filter: Filter, total: number): Html {
  const { many, decision } = texts;
  const chosen = filter.kind === 'StagedPrice' ? 'apply' : 'approve';
  const attributes = html`class="actions" action="/console/offers/many" aria-label="${many.title}"`;
  return html`<form id="many" ${attributes}>
    ${ui.hiddenFields({ ...filter, page: value('page') })}
    <label class="check" data-check-all> <input type="checkbox" /> ${many.wholePage} </label>
    <select name="action" aria-label="${many.action}">
      ${ui.options(ui.named(manyActions, decision.actions), chosen)}
    </select>
    <button name="scope" value="selected">${many.selected}</button>
    <button name="scope" value="all">${many.all(total)}</button>
    <a class="button" href="/console/review-jobs">${many.jobs}</a>
  </form>`;
}

/** Leads to the offer at the position `at` of the queue, else to the first, else to the queue. */
const openNext: Act = async (visit) => {
  const filter = filterOf(visit);
  const asked = ui.numberOf(visit.value('at'));
  const decided = { done: visit.value('done'), last: visit.value('last') };
  for (const at of new Set([asked, 1])) {
    const { items } = await readQueue(visit, filter, { page: at, pageSize: 1 });
    const [offer] = items;
    if (offer !== undefined)
      return { next: withQuery(`/console/offers/${offer.id}`, { ...filter, at, ...decided }) };
  }
  return { next: withQuery('/console/offers', { ...filter, ...decided }) };
};

export const queuePage: AddPages = ({ live, show }) => {
  live('/console/offers', showQueue);
  show('/console/offers/next', openNext);
};
