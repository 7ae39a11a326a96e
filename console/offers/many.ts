import { html, ui } from '../page.ts';
import type { Act, AddPages, api, Html, ShowPage, Texts, Visit } from '../page.ts';
import { isInReview, offerTitle, pricesOf } from './offer-facts.ts';
import { filterOf, manyActions, readNames, readQueue } from './queue.ts';
import { pathOf } from './read-decision.ts';

type Action = (typeof manyActions)[number];
const actionOf = ({ choice }: Visit): Action => choice('action', manyActions) || 'approve';

/** The most decisions of a review job. */
const itemsMax = 10_000;
const formBytesMax = 512 * 1024;
/** So many offers are listed. */
const shownMax = 20;

/** The selected offers, which may have moved to another page meanwhile, or all of the filter. */
async function readOffers(visit: Visit): Promise<readonly api.QueuedOffer[]> {
  const filter = filterOf(visit);
  const isAll = visit.value('scope') === 'all';
  const ids = [...visit.list('offer'), ...itemsOf(visit).map(({ offerId }) => offerId)];
  const found = new Map<string, api.QueuedOffer>();
  const first = isAll ? 1 : ui.numberOf(visit.value('page'));
  for (let page = first; found.size < itemsMax; page += 1) {
    const size = isAll ? 100 : ui.pageSize;
    const { items, pagination } = await readQueue(visit, filter, { page, pageSize: size });
    for (const offer of items) if (isAll || ids.includes(offer.id)) found.set(offer.id, offer);
    if (!isAll || page >= pagination.totalPages) break;
  }
  const missing = isAll ? [] : ids.filter((id) => !found.has(id));
  for (const id of missing) {
    const offer = await visit.read<api.OfferDetail>(pathOf(encodeURIComponent(id)));
    const { vendor, pricing } = offer;
    found.set(id, { ...offer, vendorName: vendor.name, priceChangePercent: pricing.changePercent });
  }
  return [...found.values()].slice(0, itemsMax);
}

/** Why the API would refuse an action now; null if it would not. */
function refusalOf(action: Action, offer: api.QueuedOffer): keyof Texts['many']['refusals'] | null {
  if (action === 'apply' || action === 'discard')
    return pricesOf(offer).staged === null ? 'noStagedPrice' : null;
  if (!isInReview(offer)) return 'notInReview';
  if (action === 'reject') return null;
  if (offer.status === 'PendingMatch') return 'noMatch';
  return offer.flags.includes('PriceMissing') ? 'noPrice' : null;
}

/** The items of a job in the form, as short as they can be. */
const packed = (offers: readonly api.QueuedOffer[]): string =>
  offers.map(({ id, reviewVersion }) => `${id}.${reviewVersion}`).join('_');

const itemsOf = ({ value }: Visit) =>
  (value('items') || null)?.split('_').map((item) => {
    const [offerId = '', version] = item.split('.');
    return { offerId, expectedVersion: Number(version) };
  }) ?? [];

/** What an action would do to many offers, and the form that confirms it. */
const showPreview: ShowPage = async (visit, notice) => {
  const { texts } = visit;
  const { many, decision, queue } = texts;
  const action = actionOf(visit);
  const offers = await readOffers(visit);
  const decided = offers.filter((offer) => refusalOf(action, offer) === null);
  const refused = offers.filter((offer) => refusalOf(action, offer) !== null);
  const changes = decided.flatMap(({ priceChangePercent: change }) => change ?? []);
  const range: readonly ui.Fact[] = [
    [many.smallest, ui.changeOf(Math.min(...changes))],
    [many.largest, ui.changeOf(Math.max(...changes))],
  ];
  // The largest changes first.
  const shown = decided
    .toSorted((a, b) => Math.abs(b.priceChangePercent ?? 0) - Math.abs(a.priceChangePercent ?? 0))
    .slice(0, shownMax);
  const shownRefused = refused.slice(0, shownMax);
  const names = await readNames(visit, [...shown, ...shownRefused]);
  const named = (offer: api.QueuedOffer): Html => {
    const title = offerTitle(offer, texts, names.get(offer.product.variantId ?? ''));
    return html`${ui.link(`/console/offers/${offer.id}`, ui.own(title))}
    ${ui.muted(ui.own(offer.vendorName))}`;
  };
  const rows = shown.map((offer) => {
    const { live, staged } = pricesOf(offer);
    const { priceChangePercent: change } = offer;
    return [named(offer), ui.money(staged ?? live), change === null ? null : ui.changeOf(change)];
  });
  const refusedRows = shownRefused.map((offer) => {
    const refusal = refusalOf(action, offer);
    return [named(offer), refusal && many.refusals[refusal]];
  });
  const { product } = decision.fields;
  return {
    title: `${decision.actions[action]}: ${decided.length}`,
    notice,
    content: [
      ui.factsCard(texts.preview, [
        [many.count, decided.length],
        [many.leftOut, refused.length],
        ...(changes.length === 0 ? [] : range),
      ]),
      decided.length > 0 && confirmForm(visit, action, decided),
      refused.length > 0 &&
        ui.section(many.leftOut, ui.rowsTable([product, texts.reason], refusedRows)),
      shown.length > 0 &&
        ui.section(
          many.offers(shown.length, decided.length),
          ui.rowsTable([product, [queue.price], [queue.change]], rows),
        ),
    ],
  };
};

function confirmForm(visit: Visit, action: Action, offers: readonly api.QueuedOffer[]): Html {
  const { texts, value } = visit;
  const { many, decision } = texts;
  const reason =
    action !== 'approve' &&
    ui.longField(decision.reasonForVendor, 'reason', value('reason'), action === 'reject');
  const count = html`inputmode="numeric" autocomplete="off" required pattern="${offers.length}"`;
  return html`<form method="post" action="/console/offers/many" class="card stack">
    ${ui.hiddenFields({ ...filterOf(visit), page: value('page'), scope: value('scope') })}
    ${ui.hiddenFields({ action, items: packed(offers) })} ${reason}
    ${ui.textField(many.confirm(offers.length), 'count', '', count)}
    <button class="primary">${decision.actions[action]}</button>
  </form>`;
}

/** Starts the review job if the number was typed that the preview has shown. */
const startJob: Act = async (visit) => {
  const { value, send, texts } = visit;
  const items = itemsOf(visit);
  if (Number(value('count')) !== items.length) {
    const notice = ui.failureNote(texts.many.wrongCount(items.length));
    return { ...(await showPreview(visit, notice)), status: 400 };
  }
  const action = actionOf(visit);
  const reason = action === 'approve' ? null : value('reason') || null;
  const { id } = await send<api.ReviewJob>('/operator/v1/review-jobs', { action, reason, items });
  return { next: `/console/review-jobs/${id}` };
};

export const manyPages: AddPages = ({ show, submit }) => {
  const path = '/console/offers/many';
  show(path, async (visit) => {
    const isEmpty = visit.value('scope') !== 'all' && visit.list('offer').length === 0;
    const query = { ...filterOf(visit), page: visit.value('page') };
    return isEmpty ? { next: ui.withQuery('/console/offers', query) } : showPreview(visit);
  });
  submit(path, startJob, showPreview, formBytesMax);
};
