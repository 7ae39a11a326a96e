import { isGtin } from '../../domain/offers/gtin.ts';
import { reviewFlags, reviewKinds } from '../../domain/offers/review-flags.ts';
import type { Facets, ListOf, QueuedOffer, Variant } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { numberOf, type Next, type Page, type Visit } from '../http/visit.ts';
import { changeOf, money, span } from '../html/formats.ts';
import { html, type Html, type Part } from '../html/html.ts';
import {
  askedPage,
  checkField,
  choiceField,
  listPage,
  pageSize,
  searchField,
} from '../html/list.ts';
import { doneNotice, hiddenFields } from '../html/parts.ts';
import { flagChips, offerTitle, pricesOf } from './offer-facts.ts';

/** The filter of the queue. It is in the address of each page. */
export const filterOf = ({ value }: Visit) => ({
  text: value('text'),
  kind: reviewKinds.find((kind) => kind === value('kind')) ?? '',
  flag: reviewFlags.find((flag) => flag === value('flag')) ?? '',
  vendorId: value('vendorId'),
  brand: value('brand'),
  order: value('order') === 'vendorsInTurn' ? 'vendorsInTurn' : '',
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

async function showQueue(visit: Visit): Promise<Page> {
  const { texts, readAll } = visit;
  const { queue } = texts;
  const filter = filterOf(visit);
  const { payload: list, details } = await readAll<{
    payload: ListOf<QueuedOffer>;
    details: { facets: Facets };
  }>('/operator/v1/offers', {
    ...queryOf(filter),
    facets: 'true',
    ...askedPage(visit),
  });
  const { items, pagination } = list;
  const { facets } = details;
  const names = await readNames(visit, items);
  const first = (pagination.page - 1) * pageSize + 1;
  return listPage(visit, list, {
    title: queue.title,
    path: '/console/offers',
    filter,
    fields: [
      searchField(visit, queue.search, 'text'),
      countedField(visit, queue.kind, 'kind', facets.kind, (kind) => queue.kinds[kind]),
      countedField(visit, queue.flag, 'flag', facets.flag, (flag) => queue.flags[flag]),
      countedField(visit, texts.vendor, 'vendorId', facets.vendor, (_, { name }) => name),
      countedField(visit, queue.brand, 'brand', facets.brand, (brand) => brand),
      checkField(visit, queue.inTurn, 'order', 'vendorsInTurn'),
    ],
    columns: [queue.product, queue.kind, texts.vendor, [queue.price], queue.waiting, queue.flag],
    row: (offer) =>
      row(visit, offer, {
        name: names.get(offer.product.variantId ?? '') ?? null,
        link: withQuery(`/console/offers/${offer.id}`, {
          ...filter,
          at: first + items.indexOf(offer),
        }),
      }),
    empty: queue.empty,
    before: doneNotice(visit),
    after: pagination.totalCount === 0 ? null : manyBar(visit, filter, pagination.totalCount),
  });
}

/** A choice among what the list has, each with its number of offers. */
const countedField = <T extends { readonly value: string; readonly count: number }>(
  visit: Visit,
  label: string,
  field: string,
  facet: readonly T[],
  nameOf: (value: T['value'], entry: T) => string,
): Html =>
  choiceField(
    visit,
    label,
    field,
    facet.map((entry) => [entry.value, `${nameOf(entry.value, entry)} (${entry.count})`] as const),
  );

function row(
  { texts, language }: Visit,
  offer: QueuedOffer,
  { name, link }: { readonly name: Variant | null; readonly link: string },
): readonly Part[] {
  const { queue } = texts;
  const { live, staged } = pricesOf(offer);
  const { kind, priceChangePercent: change } = offer;
  const title = offerTitle(offer, texts, name);
  const waited = offer.awaitingSince === null ? 0 : Date.now() - Date.parse(offer.awaitingSince);
  return [
    html`<input
        type="checkbox"
        name="offer"
        value="${offer.id}"
        form="many"
        aria-label="${title}"
      />
      <a href="${link}"><bdi>${title}</bdi></a>
      <div class="muted"><bdi>${offer.product.rawBrandName ?? name?.brandName}</bdi></div>`,
    kind && queue.kinds[kind],
    html`<bdi>${offer.vendorName}</bdi>`,
    staged === null || live === null
      ? money(staged ?? live)
      : html`<bdi>${money(live)} → ${money(staged)}</bdi>
          <div class="muted">${change !== null && changeOf(change)}</div>`,
    span(waited, language),
    offer.flags.length === 0 ? null : flagChips(offer.flags, texts),
  ];
}

/** What decides on the selected offers of the page, or on all that the filter finds. */
function manyBar({ texts, value }: Visit, filter: Filter, total: number): Html {
  const { many } = texts;
  const chosen = filter.kind === 'StagedPrice' ? 'apply' : 'approve';
  return html`<form
    id="many"
    class="actions"
    action="/console/offers/many"
    aria-label="${many.title}"
  >
    ${hiddenFields({ ...filter, page: value('page') })}
    <label class="check" data-check-all> <input type="checkbox" /> ${many.wholePage} </label>
    <select name="action" aria-label="${many.action}">
      ${Object.entries(many.actions).map(
        ([action, name]) =>
          html`<option value="${action}" ${action === chosen && html`selected`}>${name}</option>`,
      )}
    </select>
    <button name="scope" value="selected">${many.selected}</button>
    <button name="scope" value="all">${many.all(total)}</button>
    <a class="button" href="/console/review-jobs">${many.jobs}</a>
  </form>`;
}

/** Leads to the offer at the position `at` of the queue, else to the first, else to the queue. */
async function openNext(visit: Visit): Promise<Next> {
  const filter = filterOf(visit);
  const asked = numberOf(visit.value('at'));
  const decided = { done: visit.value('done'), last: visit.value('last') };
  for (const at of new Set([asked, 1])) {
    const { items } = await readQueue(visit, filter, { page: at, pageSize: 1 });
    const [offer] = items;
    if (offer !== undefined)
      return { next: withQuery(`/console/offers/${offer.id}`, { ...filter, at, ...decided }) };
  }
  return { next: withQuery('/console/offers', { ...filter, ...decided }) };
}

/** The review queue, and the way from one of its offers to the next. */
export const queuePage: AddPages = ({ live, show }) => {
  live('/console/offers', showQueue);
  show('/console/offers/next', openNext);
};
