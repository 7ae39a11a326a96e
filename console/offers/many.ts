import { jobItemsMax } from '../../domain/jobs/job.ts';
import { reviewJobActions, type ReviewJobAction } from '../../domain/jobs/review-job.ts';
import { apiPath, html, Refusal, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Next, Part, ShowPage, Texts, Visit } from '../page.ts';
import { flagChips, isInReview, offerTitle, pricesOf, priceText } from './offer-parts.ts';
import { filterOf, readNames, readQueue } from './queue.ts';
import { vendorLink } from '../vendors/vendor-names.ts';
import { pathOf } from './read-decision.ts';

const path = '/console/offers/many';

const actionOf = ({ choice }: Visit): ReviewJobAction =>
  choice('action', reviewJobActions) || 'approve';

/** A page of the queue has no more boxes. */
const selectedMax = ui.pageSize;

/** The selected offers, which may have moved to another page meanwhile, or all of the filter. */
async function readOffers(visit: Visit) {
  const filter = filterOf(visit);
  const isAll = visit.value('scope') === 'all';
  const kept = new Set(keptItems(visit)?.map(({ offerId }) => offerId));
  const ids = new Set(isAll ? [] : [...visit.list('offer'), ...kept]);
  if (ids.size > selectedMax)
    throw new Refusal(400, 'VALIDATION_ERRORS', { message: visit.texts.many.tooMany(selectedMax) });
  const found = new Map<string, api.QueuedOffer>();
  const first = isAll ? 1 : ui.numberOf(visit.digits('page'));
  let total: string | null = null;
  for (let page = first; found.size < jobItemsMax; page += 1) {
    const size = isAll ? 100 : ui.pageSize;
    const list = await readQueue(visit, filter, { page, pageSize: size });
    const { totalCount, totalPages } = list.pagination;
    if (isAll && (totalCount > jobItemsMax || list.isLowerBound)) total = ui.totalOf(visit, list);
    for (const offer of list.items) if (isAll || ids.has(offer.id)) found.set(offer.id, offer);
    if (!isAll || (page >= totalPages && !list.isLowerBound) || list.items.length === 0) break;
  }
  for (const id of ids) {
    if (found.has(id)) continue;
    const offer = await visit.read<api.OfferDetail>(pathOf(id));
    const { vendor, pricing } = offer;
    found.set(id, { ...offer, vendorName: vendor.name, priceChangePercent: pricing.changePercent });
  }
  const without = new Set(visit.list('without'));
  const offers = [...found.values()].slice(0, jobItemsMax).filter((offer) => {
    const isKept = kept.size === 0 || kept.has(offer.id);
    return isKept && !offer.flags.some((flag) => without.has(flag));
  });
  return { offers, total };
}

/** Why the API would refuse an action now; null if it would not. */
function refusalOf(
  action: ReviewJobAction,
  offer: api.QueuedOffer,
): keyof Texts['many']['refusals'] | null {
  if (action === 'apply' || action === 'discard')
    return pricesOf(offer).staged === null ? 'noStagedPrice' : null;
  if (!isInReview(offer)) return 'notInReview';
  if (action === 'reject') return null;
  if (offer.status === 'PendingMatch') return 'noMatch';
  return offer.flags.includes('PriceMissing') ? 'noPrice' : null;
}

/**
 * The items of a job in the form, as short as they can be. An offer that is not shown now is
 * decided on as it was in the form before, so that no change goes unseen.
 */
function packed(visit: Visit, offers: readonly api.QueuedOffer[], shown: readonly string[]) {
  const kept = new Map(keptItems(visit)?.map((item) => [item.offerId, item.expectedVersion]));
  for (const id of shown) kept.delete(id);
  return offers.map(({ id, reviewVersion }) => `${id}.${kept.get(id) ?? reviewVersion}`).join('_');
}

/** The items of the form without those whose boxes were unticked; null without a form. */
function keptItems({ value, list }: Visit) {
  if (value('items') === '') return null;
  const ticked = new Set(list('ticked'));
  const unticked = new Set(
    value('shown')
      .split('_')
      .filter((id) => !ticked.has(id)),
  );
  return value('items')
    .split('_')
    .map((item) => {
      const [offerId = '', version] = item.split('.');
      return { offerId, expectedVersion: Number(version) };
    })
    .filter(({ offerId }) => !unticked.has(offerId));
}

/** What an action would do to many offers, and the form that confirms it. */
const showPreview: ShowPage = async (visit, notice) => {
  const { texts } = visit;
  const { many, decision } = texts;
  const action = actionOf(visit);
  const { offers, total } = await readOffers(visit);
  const decided = offers.filter((offer) => refusalOf(action, offer) === null);
  const refused = offers.filter((offer) => refusalOf(action, offer) !== null);
  const shownRefused = refused.slice(0, ui.pageSize);
  const refusedRows = (await namedBy(visit, shownRefused)).map(([offer, name]) => {
    const refusal = refusalOf(action, offer);
    return [name, refusal && many.refusals[refusal]];
  });
  return {
    title: `${decision.actions[action]}: ${decided.length}`,
    notice,
    content: [
      ui.factsCard(texts.preview, [
        [many.count, decided.length],
        [many.oldest(jobItemsMax), total !== null && many.of(total)],
        [many.leftOut, refused.length],
        ...extremes(visit, decided),
      ]),
      decided.length > 0 && (await confirmForm(visit, action, decided)),
      refused.length > 0 &&
        ui.section(
          many.leftOut,
          ui.rowsTable([decision.fields.product, texts.reason], refusedRows),
        ),
    ],
  };
};

/** Each offer with the text that leads to it. */
async function namedBy(visit: Visit, offers: readonly api.QueuedOffer[]) {
  const names = await readNames(visit, offers);
  return offers.map((offer) => {
    const title = offerTitle(offer, visit.texts, names.get(offer.product.variantId ?? ''));
    const name = html`${ui.link(`/console/offers/${offer.id}`, ui.own(title))}
    ${ui.muted(vendorLink(offer.vendorId, offer.vendorName))}`;
    return [offer, name, title] as const;
  });
}

/** The lowest and the highest price, and the largest changes of a price. */
function extremes(
  { texts: { many } }: Visit,
  offers: readonly api.QueuedOffer[],
): readonly ui.Fact[] {
  const prices = offers.flatMap((offer) => pricesOf(offer).staged ?? pricesOf(offer).live ?? []);
  const changes = offers.flatMap(({ priceChangePercent: change }) => change ?? []);
  const [rise, fall] = [Math.max(0, ...changes), Math.min(0, ...changes)];
  return [
    [many.lowest, prices.length > 0 && ui.money(Math.min(...prices))],
    [many.highest, prices.length > 0 && ui.money(Math.max(...prices))],
    [many.rise, rise > 0 && ui.changeOf(rise)],
    [many.fall, fall < 0 && ui.changeOf(fall)],
  ];
}

/** A button of the form that shows the preview again, without what it names. */
const again = (name: string, value: string | number, text: Part): Html =>
  html`<button name="${name}" value="${value}" formnovalidate>${text}</button>`;

const countsOf = <T extends string>(names: readonly T[]): readonly (readonly [T, number])[] =>
  [
    ...names.reduce(
      (counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1),
      new Map<T, number>(),
    ),
  ].sort(([, a], [, b]) => b - a);

/** The most vendors that the preview names with their counts. */
const vendorsMax = 20;

/** The form that decides; before that, its buttons leave offers out or show others of them. */
async function confirmForm(
  visit: Visit,
  action: ReviewJobAction,
  offers: readonly api.QueuedOffer[],
): Promise<Html> {
  const { texts, value, typed, digits } = visit;
  const { many, decision, queue, vendor } = texts;
  const reason =
    action !== 'approve' &&
    ui.longField(visit, decision.reasonForVendor, 'reason', action === 'reject');
  // It confirms the offers that were shown; the other buttons show others.
  const typedCount = value('start') === '' ? '' : typed('count');
  const count = html`inputmode="numeric" autocomplete="off" required`;
  const flags = countsOf(offers.flatMap((offer) => offer.flags)).map(([flag, number]) => [
    flagChips([flag], texts),
    number,
    again('without', flag, many.leaveOut),
  ]);
  const vendors = countsOf(offers.map(({ vendorName }) => vendorName));
  // The largest changes first.
  const sorted = offers.toSorted(
    (a, b) => Math.abs(b.priceChangePercent ?? 0) - Math.abs(a.priceChangePercent ?? 0),
  );
  const parts = Math.ceil(offers.length / ui.pageSize);
  const part = Math.min(parts, ui.numberOf(digits('part')));
  const shown = sorted.slice((part - 1) * ui.pageSize, part * ui.pageSize);
  const shownIds = shown.map(({ id }) => id);
  const rows = (await namedBy(visit, shown)).map(([offer, name, title]) => {
    const { declaredQuantity, declaredInStock } = offer.stock;
    const box = html`type="checkbox" name="ticked" value="${offer.id}" checked ${ui.unrestored}`;
    return [
      html`<input ${box} aria-label="${title}" /> ${name}`,
      priceText(offer),
      offer.priceChangePercent === null ? null : ui.changeOf(offer.priceChangePercent),
      declaredInStock ? (declaredQuantity ?? many.inStock) : decision.outOfStock,
      offer.flags.length === 0 ? null : flagChips(offer.flags, texts),
    ];
  });
  const columns = [
    decision.fields.product,
    [queue.price],
    [queue.change],
    [many.stock],
    queue.flag,
  ] as const;
  const form = ui.inForm(visit, path);
  return html`<form method="post" action="${path}" class="stack">
    ${ui.hiddenFields({ ...filterOf(visit), page: value('page'), scope: value('scope') })}
    ${ui.hiddenFields({ action, items: packed(visit, offers, shownIds), key: ui.formKey(form) })}
    ${ui.hiddenFields({ part, shown: shownIds.join('_') })}
    <div class="card stack">
      ${reason} ${ui.textField(visit, many.confirm(offers.length), 'count', typedCount, count)}
      <div>
        <button class="primary" name="start" value="true">${decision.actions[action]}</button>
      </div>
    </div>
    ${flags.length > 0 && ui.section(queue.flag, ui.rowsTable([queue.flag, [texts.offers.title], ''], flags))}
    ${
      vendors.length > 1 &&
      ui.card(vendor, [
        ui.facts(vendors.slice(0, vendorsMax).map(([name, number]) => [ui.own(name), number])),
        vendors.length > vendorsMax && ui.hint(texts.firstOf(vendorsMax, vendors.length)),
      ])
    }
    ${ui.section(many.offers, [
      ui.hint(many.untick),
      ui.rowsTable(columns, rows),
      html`<div class="pager">
        ${part > 1 && again('part', part - 1, texts.previous)}
        ${parts > 1 && html`<span class="muted">${texts.pageOf(part, parts)}</span>`}
        ${part < parts && again('part', part + 1, texts.following)}
        ${again('again', 'true', many.again)}
      </div>`,
    ])}
  </form>`;
}

/** Leads from a preview without offers to the page of the queue. */
const toQueue = (visit: Visit): Next => ({
  next: ui.withQuery('/console/offers', { ...filterOf(visit), page: visit.value('page') }),
});

/** Starts the review job if the number was typed that the preview has shown. */
const startJob: Act = async (visit) => {
  const { value, digits, send, texts } = visit;
  const items = keptItems(visit) ?? [];
  if (items.length === 0) return toQueue(visit);
  // Its other buttons show the preview again.
  if (value('start') === '') return showPreview(visit);
  if (digits('count') !== String(items.length)) {
    const text = texts.many.wrongCount(items.length);
    visit.faults.set('count', text);
    const notice = ui.failureNote(text);
    return { ...(await showPreview(visit, notice)), status: 400 };
  }
  const action = actionOf(visit);
  const reason = action === 'approve' ? null : value('reason') || null;
  const { id } = await send<api.ReviewJob>(apiPath`/operator/v1/review-jobs`, {
    action,
    reason,
    items,
  });
  return { next: `/console/review-jobs/${id}` };
};

export const manyPages: AddPages = ({ show, submit }) => {
  show(path, async (visit) => {
    const isEmpty = visit.value('scope') !== 'all' && visit.list('offer').length === 0;
    return isEmpty ? toQueue(visit) : showPreview(visit);
  });
  submit(path, startJob, showPreview);
};
