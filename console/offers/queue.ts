import { jobItemsMax } from '../../domain/jobs/job.ts';
import { reviewJobActions } from '../../domain/jobs/review-job.ts';
import { printedGtin } from '../../domain/offers/gtin.ts';
import { reviewAges, reviewFlags, reviewKinds } from '../../domain/offers/review-flags.ts';
import { readVariants } from '../catalogue/catalogue.ts';
import { apiPath, html, isId, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Page, Visit } from '../page.ts';
import { readVendors, vendorLink } from '../vendors/vendor-names.ts';
import {
  auditNames,
  flagChips,
  offerTitle,
  pricesOf,
  priceText,
  viewerChip,
} from './offer-parts.ts';

/** The filter of the queue. It is in the address of each page. */
export const filterOf = ({ value, choice }: Visit) => ({
  text: value('text'),
  kind: choice('kind', reviewKinds),
  flag: choice('flag', reviewFlags),
  vendorId: value('vendorId'),
  brand: value('brand'),
  age: choice('age', Object.keys(reviewAges) as (keyof typeof reviewAges)[]),
  order: choice('order', ['vendorsInTurn']),
  overTarget: choice('overTarget', ['true']),
});
type Filter = ReturnType<typeof filterOf>;

/** The filter and the position of the queue, which links and forms of a decision keep. */
export const contextOf = (visit: Visit) => ({ ...filterOf(visit), at: visit.value('at') });

/** The instant that number of days ago; null at present, and for no bound. */
const daysAgo = (days: number | null): string | null =>
  days === 0 || days === null ? null : new Date(Date.now() - days * 86_400_000).toISOString();

/** A filter in the words of the API. */
const queryOf = ({ text, age, ...filter }: Filter) => ({
  awaitingDecision: 'true',
  ...filter,
  awaitingFrom: age && daysAgo(reviewAges[age][1]),
  awaitingTo: age && daysAgo(reviewAges[age][0]),
  ...wordsOrBarcode(text.slice(0, 100)),
});

/** What a person searches for, in the words of the API. */
export function wordsOrBarcode(
  text: string,
): { readonly q: string } | { readonly barcode: string } {
  const barcode = printedGtin(text);
  return barcode === null ? { q: text } : { barcode };
}

/** Reads offers that wait for a decision, by default the longest waiting first. */
export const readQueue = (
  visit: Visit,
  filter: Filter,
  page: { readonly page: number; readonly pageSize: number },
): Promise<api.ListOf<api.QueuedOffer>> =>
  ui.readPage(visit, apiPath`/operator/v1/offers`, { ...queryOf(filter), ...page });

/** The matches of the offers that have no texts of their own, by their ids. */
export const readNames = (visit: Visit, offers: readonly api.QueuedOffer[]) =>
  readVariants(
    visit,
    offers.flatMap(({ product }) =>
      product.rawProductName === null ? (product.variantId ?? []) : [],
    ),
  );

/** What was decided on the page before, with what takes it back or leads to it. */
export async function decidedNote(visit: Visit): Promise<Html | null> {
  const { texts, claimed, id } = visit;
  const { decision } = texts;
  if (isId(claimed('overtaken'))) return overtakenNote(visit, claimed('overtaken'));
  const names = Object.keys(auditNames) as (keyof typeof auditNames)[];
  const done = names.find((each) => each === claimed('done'));
  const last = claimed('last');
  if (done === undefined || !isId(last)) return null;
  const context = contextOf(visit);
  const path = `/console/offers/${last}`;
  const link = last !== id && ui.link(ui.withQuery(path, context), decision.open);
  const fields = {
    ...context,
    expectedVersion: claimed('version'),
    reviewedAt: claimed('decidedAt'),
  };
  const undo = html`${decision.actions.undo} <kbd>u</kbd>`;
  return ui.note(
    html`${decision.done[auditNames[done]]}. ${link}
    ${undoable.has(done) && ui.postButton(`${path}/undo`, undo, fields, 'u')}`,
  );
}

const undoable: ReadonlySet<string> = new Set([
  'reject',
  'pending-price/apply',
  'pending-price/discard',
]);

/** Who decided before this form was sent, what, and when: another operator, or this one. */
async function overtakenNote(visit: Visit, subjectId: string): Promise<Html | null> {
  const { read, texts, instant, operator } = visit;
  const query = { subjectId, pageSize: 1 };
  const [entry] = (await read<api.ListOf<api.AuditEntry>>(apiPath`/operator/v1/audit`, query))
    .items;
  if (entry === undefined) return null;
  const { done, overtaken, alreadyDecided, open } = texts.decision;
  const isOwn = entry.operatorId === operator.operatorId;
  const name = done[entry.action as keyof typeof done] ?? entry.action;
  const { reason = null } = (entry.after ?? {}) as { readonly reason?: string | null };
  return ui.note(
    html`${isOwn ? alreadyDecided : overtaken} <b>${name}</b> · ${ui.own(entry.operatorId)} ·
      ${instant(entry.at)} ${reason !== null && html`<br />${ui.own(reason)}`}
      ${ui.link(ui.withQuery(`/console/offers/${subjectId}`, contextOf(visit)), open)}`,
    isOwn ? 'good' : 'warn',
  );
}

/** The most vendors that the facet has. */
const facetValuesMax = 100;

const noFacets: api.Facets = {
  counted: 0,
  overTarget: null,
  kind: [],
  flag: [],
  vendor: [],
  brand: [],
  age: [],
};

async function showQueue(visit: Visit): Promise<Page> {
  const { texts, readAll } = visit;
  const { queue, decision } = texts;
  const { product, brand: brandName } = decision.fields;
  const filter = filterOf(visit);
  const path = apiPath`/operator/v1/offers`;
  visit.found.listed = { path, filter: queryOf(filter) };
  const query = { ...queryOf(filter), facets: 'true', ...ui.askedPage(visit) };
  const { payload, details } = await ui.orRefused(
    visit,
    readAll<api.ListOf<api.QueuedOffer>, { facets: api.Facets; totalIsLowerBound?: true }>(
      path,
      query,
    ),
    { payload: ui.emptyList, details: { facets: noFacets } },
  );
  const isLowerBound = 'totalIsLowerBound' in details;
  const list = { ...payload, isLowerBound };
  const { items, pagination } = list;
  const { kind, flag, vendor, brand, age, counted: looked, overTarget } = details.facets;
  const isPartlyCounted = looked < pagination.totalCount || isLowerBound;
  const brands = counted(brand, ({ value }) => value);
  // The facet has the vendors with the most of the counted offers: a search finds the others.
  const isWhole =
    !isPartlyCounted && vendor.length < facetValuesMax && visit.value('vendorName') === '';
  const isChosen = filter.vendorId === '' || vendor.some(({ value }) => value === filter.vendorId);
  const vendorField =
    isWhole && isChosen
      ? ui.choiceField(
          visit,
          texts.vendor,
          'vendorId',
          counted(
            vendor.toSorted((a, b) => a.name.localeCompare(b.name, visit.language)),
            ({ name }) => name,
          ),
        )
      : (await readVendors(visit, [])).field;
  const kinds = counted(kind, ({ value }) => queue.kinds[value]);
  const ages = counted(age, ({ value }) => queue.ages[value as keyof typeof queue.ages]);
  const flags = counted(flag, ({ value }) => queue.flags[value]);
  const names = await readNames(visit, items);
  const first = (pagination.page - 1) * ui.pageSize + 1;
  return ui.listPage(visit, list, {
    title: queue.title,
    notice: await decidedNote(visit),
    fields: [
      ui.searchField(visit, queue.search, 'text'),
      ui.choiceField(visit, queue.kind, 'kind', kinds),
      ui.choiceField(visit, queue.flag, 'flag', flags),
      vendorField,
      ui.choiceField(visit, brandName, 'brand', brands),
      ui.choiceField(visit, queue.waiting, 'age', ages),
      ui.checkField(visit, queue.inTurn, 'order', 'vendorsInTurn'),
      overTarget !== null &&
        ui.checkField(visit, queue.overTarget(overTarget), 'overTarget', 'true'),
    ],
    columns: [product, queue.kind, texts.vendor, [queue.price], queue.waiting, queue.flag],
    row: (offer) => {
      const at = first + items.indexOf(offer);
      const path = ui.withQuery(`/console/offers/${offer.id}`, { ...filter, at });
      return row(visit, offer, path, names.get(offer.product.variantId ?? ''));
    },
    empty: queue.empty,
    before: isPartlyCounted && ui.hint(queue.countedFirst(looked)),
    after: pagination.totalCount > 0 && manyBar(visit, filter, list),
  });
}

/** Choices among what the list has, each with its number of offers. */
const counted = <T extends { readonly value: string; readonly count: number }>(
  facet: readonly T[],
  nameOf: (entry: T) => string,
): ui.Choices => facet.map((entry) => [entry.value, `${nameOf(entry)} (${entry.count})`]);

function row(visit: Visit, offer: api.QueuedOffer, path: string, match?: api.Variant) {
  const { live, staged } = pricesOf(offer);
  const { texts, since } = visit;
  const { id, kind, priceChangePercent: change, awaitingSince, flags, product, viewers } = offer;
  const title = offerTitle(offer, texts, match);
  const box = html`type="checkbox" name="offer" value="${id}" form="many" aria-label="${title}"
  ${ui.unrestored}`;
  return [
    html`<input ${box} /> ${ui.link(path, ui.own(title))}
      ${ui.muted(ui.own(product.rawBrandName ?? match?.brandName))}`,
    kind && texts.queue.kinds[kind],
    vendorLink(offer.vendorId, offer.vendorName),
    staged === null || live === null
      ? priceText(offer)
      : html`${priceText(offer)} ${ui.muted(change !== null && ui.changeOf(change))}`,
    awaitingSince &&
      (offer.isOverTarget
        ? ui.chip(html`${since(awaitingSince)} · ${texts.queue.late}`, 'warn')
        : since(awaitingSince)),
    flags.length + viewers.length === 0
      ? null
      : [flagChips(flags, texts), viewers.map((each) => viewerChip(visit, each))],
  ];
}

/** What decides on the selected offers of the page, or on all that the filter finds. */
function manyBar(visit: Visit, filter: Filter, list: api.ListOf<api.QueuedOffer>): Html {
  const { texts, value } = visit;
  const { many, decision } = texts;
  const isCut = list.pagination.totalCount > jobItemsMax || list.isLowerBound === true;
  const chosen = filter.kind === 'StagedPrice' ? 'apply' : 'approve';
  const attributes = html`class="actions" action="/console/offers/many" aria-label="${many.title}"`;
  return html`<form id="many" ${attributes}>
    ${ui.hiddenFields({ ...filter, page: value('page') })}
    <label class="check" data-check-all>
      <input type="checkbox" ${ui.unrestored} /> ${many.wholePage}
    </label>
    <select name="action" ${ui.unrestored} aria-label="${many.action}">
      ${ui.options(ui.named(reviewJobActions, decision.actions), chosen)}
    </select>
    <button name="scope" value="selected">${many.selected}</button>
    <button name="scope" value="all">
      ${many.all(ui.totalOf(visit, list), isCut ? jobItemsMax : null)}
    </button>
    <a class="button" href="/console/review-jobs">${many.jobs}</a>
  </form>`;
}

/** The offers on one page that are searched for one that no other operator has open. */
const lookedMax = 20;

/** A page of the queue, each offer with its position. */
async function readPlaced(visit: Visit, filter: Filter, page: number) {
  const { items } = await readQueue(visit, filter, { page, pageSize: lookedMax });
  return items.map((offer, index) => ({ ...offer, at: (page - 1) * lookedMax + index + 1 }));
}
type Placed = Awaited<ReturnType<typeof readPlaced>>[number];

/** The first offer that no other operator has open. It is read, so that others skip it. */
async function firstFree(
  { read, operator }: Visit,
  offers: readonly Placed[],
): Promise<Placed | null> {
  for (const found of offers) {
    if (found.viewers.some(({ operatorId }) => operatorId !== operator.operatorId)) continue;
    const offer = await read<api.OfferDetail>(apiPath`/operator/v1/offers/${found.id}`);
    if (offer.viewers.length === 0 && offer.awaitingDecision) return found;
  }
  return null;
}

/**
 * The offer at a position of the queue, or the next one that no other operator has open; the one at
 * the position, else the first, if each of them is open.
 */
async function nextOffer(visit: Visit, filter: Filter, asked: number): Promise<Placed | null> {
  const first = Math.floor((asked - 1) / lookedMax) + 1;
  const open: Placed[] = [];
  for (const page of [first, first + 1]) {
    const listed = (await readPlaced(visit, filter, page)).filter(({ at }) => at >= asked);
    const free = await firstFree(visit, listed);
    if (free !== null) return free;
    open.push(...listed);
  }
  // The others come before the position.
  return open[0] ?? (asked > 1 ? nextOffer(visit, filter, 1) : null);
}

/**
 * The first offer of each vendor, beginning with the vendor that follows the one of the last
 * decision: that one's next offer may wait longest. Empty if only one vendor's offers wait.
 */
function inTurnAfter(offers: readonly Placed[], decided: string): readonly Placed[] {
  const firsts = new Map(offers.toReversed().map((offer) => [offer.vendorId, offer]));
  const vendorIds = [...firsts.keys()].toSorted();
  const later = vendorIds.filter((id) => id > decided);
  const turns = [...later, ...vendorIds.filter((id) => id <= decided)];
  return turns.length < 2 ? [] : turns.flatMap((id) => firsts.get(id) ?? []);
}

/** Leads to the offer at the position `at` of the queue, else to the first, else to the queue. */
const openNext: Act = async (visit) => {
  const filter = filterOf(visit);
  const asked = ui.numberOf(visit.digits('at'));
  const names = ['done', 'last', 'version', 'decidedAt', 'overtaken'];
  const decided = Object.fromEntries(names.map((name) => [name, visit.value(name)]));
  const after = visit.value('after');
  const turns = after === '' ? [] : inTurnAfter(await readPlaced(visit, filter, 1), after);
  const found = (await firstFree(visit, turns)) ?? (await nextOffer(visit, filter, asked));
  if (found !== null) {
    const { id, at } = found;
    return { next: ui.withQuery(`/console/offers/${id}`, { ...filter, at, ...decided }) };
  }
  return { next: ui.withQuery('/console/offers', { ...filter, ...decided }) };
};

export const queuePage: AddPages = ({ live, show }) => {
  live('/console/offers', showQueue);
  show('/console/offers/next', openNext);
};
