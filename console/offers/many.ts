import type { OfferDetail, QueuedOffer, ReviewJob } from '../http/api-types.ts';
import { attempt } from '../http/attempt.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { numberOf, type Next, type Page, type Visit } from '../http/visit.ts';
import { changeOf, money } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { pageSize } from '../html/list.ts';
import { card, facts, failureNote, hiddenFields, rowsTable } from '../html/parts.ts';
import type { Texts } from '../texts/texts.ts';
import { isInReview, offerTitle, pricesOf } from './offer-facts.ts';
import { filterOf, readNames, readQueue } from './queue.ts';
import { pathOf } from './read-decision.ts';

type Action = keyof Texts['many']['actions'];
const actions: readonly Action[] = ['approve', 'reject', 'apply', 'discard'];
const actionOf = ({ value }: Visit): Action =>
  actions.find((action) => action === value('action')) ?? 'approve';

/** The most decisions of a review job. */
const itemsMax = 10_000;
/** A form with so many ids and versions. */
const formBytesMax = 512 * 1024;
/** So many offers are listed. */
const shownMax = 20;

/** The selected offers, which may have moved to another page meanwhile, or all of the filter. */
async function readOffers(visit: Visit, ids: readonly string[]): Promise<readonly QueuedOffer[]> {
  const filter = filterOf(visit);
  const isAll = visit.value('scope') === 'all';
  const found = new Map<string, QueuedOffer>();
  const first = isAll ? 1 : numberOf(visit.value('page'));
  for (let page = first; found.size < itemsMax; page += 1) {
    const size = isAll ? 100 : pageSize;
    const { items, pagination } = await readQueue(visit, filter, { page, pageSize: size });
    for (const offer of items) if (isAll || ids.includes(offer.id)) found.set(offer.id, offer);
    if (!isAll || page >= pagination.totalPages) break;
  }
  const missing = isAll ? [] : ids.filter((id) => !found.has(id));
  for (const id of missing) {
    const offer = await visit.read<OfferDetail>(pathOf(id));
    const { vendor, pricing } = offer;
    found.set(id, { ...offer, vendorName: vendor.name, priceChangePercent: pricing.changePercent });
  }
  return [...found.values()].slice(0, itemsMax);
}

/** Why the API would refuse an action now; null if it would not. */
function refusalOf(action: Action, offer: QueuedOffer): keyof Texts['many']['refusals'] | null {
  if (action === 'apply' || action === 'discard')
    return pricesOf(offer).staged === null ? 'noStagedPrice' : null;
  if (!isInReview(offer)) return 'notInReview';
  if (action === 'reject') return null;
  if (offer.status === 'PendingMatch') return 'noMatch';
  return offer.flags.includes('PriceMissing') ? 'noPrice' : null;
}

type Item = { readonly offerId: string; readonly expectedVersion: number };

/** The items of a job in the form, as short as they can be. */
const packed = (offers: readonly QueuedOffer[]): string =>
  offers.map(({ id, reviewVersion }) => `${id}.${reviewVersion}`).join('_');

const itemsOf = ({ value }: Visit): readonly Item[] =>
  value('items') === ''
    ? []
    : value('items')
        .split('_')
        .map((item) => {
          const [offerId = '', version] = item.split('.');
          return { offerId, expectedVersion: Number(version) };
        });

/** What an action would do to many offers, and the form that confirms it. */
async function showPreview(
  visit: Visit,
  { ids, notice = null }: { readonly ids: readonly string[]; readonly notice?: Html | null },
): Promise<Page> {
  const { texts, value } = visit;
  const { many } = texts;
  const action = actionOf(visit);
  const offers = await readOffers(visit, ids);
  const decided = offers.filter((offer) => refusalOf(action, offer) === null);
  const refusals = offers.flatMap((offer) => {
    const refusal = refusalOf(action, offer);
    return refusal === null ? [] : [{ offer, refusal }];
  });
  const changes = decided.flatMap(({ priceChangePercent: change }) => change ?? []);
  const title = `${many.actions[action]}: ${decided.length}`;
  const [least, most] = [Math.min(...changes), Math.max(...changes)];
  // The largest changes first.
  const shown = decided
    .toSorted((a, b) => Math.abs(b.priceChangePercent ?? 0) - Math.abs(a.priceChangePercent ?? 0))
    .slice(0, shownMax);
  const shownRefusals = refusals.slice(0, shownMax);
  const named = [...shown, ...shownRefusals.map(({ offer }) => offer)];
  const names = await readNames(visit, named);
  const link = (offer: QueuedOffer): Html => {
    const title = offerTitle(offer, texts, names.get(offer.product.variantId ?? ''));
    return html`<a href="/console/offers/${offer.id}"><bdi>${title}</bdi></a>
      <div class="muted"><bdi>${offer.vendorName}</bdi></div>`;
  };
  return {
    title,
    body: html`${notice}
      <div class="head"><h1>${title}</h1></div>
      <div class="stack">
        ${card(
          many.preview,
          facts([
            [many.count, decided.length],
            [many.leftOut, refusals.length],
            ...(changes.length === 0
              ? []
              : ([
                  [many.smallest, changeOf(least)],
                  [many.largest, changeOf(most)],
                ] as const)),
          ]),
        )}
        ${
          decided.length > 0 &&
          html`<form method="post" action="/console/offers/many" class="card stack">
            ${hiddenFields({ ...filterOf(visit), page: value('page'), scope: value('scope') })}
            ${hiddenFields({ action, items: packed(decided) })}
            ${
              action !== 'approve' &&
              html`<label>
                ${texts.decision.reasonForVendor}
                <textarea
                  name="reason"
                  rows="2"
                  maxlength="4000"
                  ${action === 'reject' && html`required`}
                >
${value('reason')}</textarea>
              </label>`
            }
            <label>
              ${many.confirm(decided.length)}
              <input
                name="count"
                inputmode="numeric"
                autocomplete="off"
                required
                pattern="${decided.length}"
              />
            </label>
            <button class="primary">${many.actions[action]}</button>
          </form>`
        }
        ${
          refusals.length > 0 &&
          html`<h2>${many.leftOut}</h2>
            ${rowsTable(
              [texts.queue.product, texts.reason],
              shownRefusals.map(({ offer, refusal }) => [link(offer), many.refusals[refusal]]),
              '',
            )}`
        }
        ${
          shown.length > 0 &&
          html`<h2>${many.offers(shown.length, decided.length)}</h2>
            ${rowsTable(
              [texts.queue.product, [texts.queue.price], [texts.queue.change]],
              shown.map((offer) => {
                const { live, staged } = pricesOf(offer);
                const { priceChangePercent: change } = offer;
                return [
                  link(offer),
                  money(staged ?? live),
                  change === null ? null : changeOf(change),
                ];
              }),
              '',
            )}`
        }
      </div>`,
  };
}

/** Starts the review job if the number was typed that the preview has shown. */
async function startJob(visit: Visit): Promise<Page | Next> {
  const { value, send, texts } = visit;
  const items = itemsOf(visit);
  const preview = (notice: Html): Promise<Page> =>
    showPreview(visit, { ids: items.map(({ offerId }) => offerId), notice });
  if (Number(value('count')) !== items.length) {
    const notice = failureNote(texts.many.wrongCount(items.length));
    return { ...(await preview(notice)), status: 400 };
  }
  const action = actionOf(visit);
  const reason = action === 'approve' ? null : value('reason') || null;
  const start = async (): Promise<Next> => {
    const { id } = await send<ReviewJob>('/operator/v1/review-jobs', { action, reason, items });
    return { next: `/console/review-jobs/${id}` };
  };
  return attempt(visit, start, preview);
}

/** Decides on many offers of the queue: a preview, then a review job. */
export const manyPages: AddPages = ({ show, submit }) => {
  show('/console/offers/many', async (visit) => {
    const ids = visit.list('offer');
    const isEmpty = visit.value('scope') !== 'all' && ids.length === 0;
    return isEmpty
      ? { next: withQuery('/console/offers', { ...filterOf(visit), page: visit.value('page') }) }
      : showPreview(visit, { ids });
  });
  submit('/console/offers/many', startJob, formBytesMax);
};
