import { isGtin } from '../../domain/offers/gtin.ts';
import { reviewAges, reviewFlags, reviewKinds } from '../../domain/offers/review-flags.ts';
import { html, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Page, Visit } from '../page.ts';
import { auditNames, flagChips, offerTitle, pricesOf } from './offer-facts.ts';

/** The filter of the queue. It is in the address of each page. */
export const filterOf = ({ value, choice }: Visit) => ({
  text: value('text'),
  kind: choice('kind', reviewKinds),
  flag: choice('flag', reviewFlags),
  vendorId: value('vendorId'),
  brand: value('brand'),
  age: choice('age', Object.keys(reviewAges) as (keyof typeof reviewAges)[]),
  order: choice('order', ['vendorsInTurn']),
});
type Filter = ReturnType<typeof filterOf>;

/** The instant so many days ago; null at present, and for no bound. */
const daysAgo = (days: number | null): string | null =>
  days === 0 || days === null ? null : new Date(Date.now() - days * 86_400_000).toISOString();

/** A filter in the words of the API. */
const queryOf = ({ text, age, ...filter }: Filter) => ({
  awaitingDecision: 'true',
  ...filter,
  awaitingFrom: age && daysAgo(reviewAges[age][1]),
  awaitingTo: age && daysAgo(reviewAges[age][0]),
  ...(isGtin(text) ? { barcode: text } : { q: text.slice(0, 100) }),
});

/** Reads offers that wait for a decision, by default the longest waiting first. */
export const readQueue = (
  { read }: Visit,
  filter: Filter,
  page: { readonly page: number; readonly pageSize: number },
): Promise<api.ListOf<api.QueuedOffer>> =>
  read('/operator/v1/offers', { ...queryOf(filter), ...page });

/** The matches of the offers that have no texts of their own, by their ids. */
export async function readNames({ read }: Visit, offers: readonly api.QueuedOffer[]) {
  const unnamed = offers.filter(({ product }) => product.rawProductName === null);
  const ids = [...new Set(unnamed.flatMap(({ product }) => product.variantId ?? []))];
  const variants = ids.map((id) => read<api.Variant>(`/operator/v1/variants/${id}`));
  return new Map((await Promise.all(variants)).map((variant) => [variant.id, variant]));
}

/** What was decided on the page before, with a link to an offer that is another. */
export function decidedNote({ texts: { decision }, value, choice, id }: Visit): Html | null {
  const done = choice('done', Object.keys(auditNames) as (keyof typeof auditNames)[]);
  const last = value('last');
  if (done === '' || !/^[\da-f-]{36}$/.test(last)) return null;
  const link = last !== id && ui.link(`/console/offers/${last}`, decision.open);
  return ui.note(html`${decision.done[auditNames[done]]}. ${link}`);
}

async function showQueue(visit: Visit): Promise<Page> {
  const { texts, readAll } = visit;
  const { queue, decision } = texts;
  const { product, brand: brandName } = decision.fields;
  const filter = filterOf(visit);
  const { payload: list, details } = await readAll<
    api.ListOf<api.QueuedOffer>,
    { facets: api.Facets }
  >('/operator/v1/offers', { ...queryOf(filter), facets: 'true', ...ui.askedPage(visit) });
  const { items, pagination } = list;
  const { kind, flag, vendor, brand, age } = details.facets;
  const brands = counted(brand, ({ value }) => value);
  const vendors = counted(vendor, ({ name }) => name);
  const kinds = counted(kind, ({ value }) => queue.kinds[value]);
  const ages = counted(age, ({ value }) => queue.ages[value as keyof typeof queue.ages]);
  const flags = counted(flag, ({ value }) => queue.flags[value]);
  const names = await readNames(visit, items);
  const first = (pagination.page - 1) * ui.pageSize + 1;
  return ui.listPage(visit, list, {
    title: queue.title,
    notice: decidedNote(visit),
    fields: [
      ui.searchField(visit, queue.search, 'text'),
      ui.choiceField(visit, queue.kind, 'kind', kinds),
      ui.choiceField(visit, queue.flag, 'flag', flags),
      ui.choiceField(visit, texts.vendor, 'vendorId', vendors),
      ui.choiceField(visit, brandName, 'brand', brands),
      ui.choiceField(visit, queue.waiting, 'age', ages),
      ui.checkField(visit, queue.inTurn, 'order', 'vendorsInTurn'),
    ],
    columns: [product, queue.kind, texts.vendor, [queue.price], queue.waiting, queue.flag],
    row: (offer) => {
      const at = first + items.indexOf(offer);
      const path = ui.withQuery(`/console/offers/${offer.id}`, { ...filter, at });
      return row(visit, offer, path, names.get(offer.product.variantId ?? ''));
    },
    empty: queue.empty,
    after: pagination.totalCount > 0 && manyBar(visit, filter, pagination.totalCount),
  });
}

/** Choices among what the list has, each with its number of offers. */
const counted = <T extends { readonly value: string; readonly count: number }>(
  facet: readonly T[],
  nameOf: (entry: T) => string,
): ui.Choices => facet.map((entry) => [entry.value, `${nameOf(entry)} (${entry.count})`]);

function row({ texts, since }: Visit, offer: api.QueuedOffer, path: string, match?: api.Variant) {
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
    awaitingSince && since(awaitingSince),
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
    const [offer] = (await readQueue(visit, filter, { page: at, pageSize: 1 })).items;
    if (offer !== undefined)
      return { next: ui.withQuery(`/console/offers/${offer.id}`, { ...filter, at, ...decided }) };
  }
  return { next: ui.withQuery('/console/offers', { ...filter, ...decided }) };
};

export const queuePage: AddPages = ({ live, show }) => {
  live('/console/offers', showQueue);
  show('/console/offers/next', openNext);
};
