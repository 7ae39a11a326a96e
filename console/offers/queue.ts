import type { ListOf, Offer, Vendor } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { readVendors } from '../http/read-vendors.ts';
import { numberOf, type Next, type Page, type Visit } from '../http/visit.ts';
import { change, money, span } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { doneNotice, options, pager } from '../html/parts.ts';
import { flagsOf, offerTitle, pricesOf } from './offer-facts.ts';

const pageSize = 50;

export const queueKinds = ['PendingMatch', 'PendingReview', 'Approved'] as const;
const kindOf = { PendingMatch: 'Match', PendingReview: 'Review', Approved: 'StagedPrice' } as const;

/** The filter of the queue, in the words of the API. It is in the address of each page. */
export const filterOf = ({ value }: Visit) => ({
  status: queueKinds.find((kind) => kind === value('status')) ?? '',
  vendorId: value('vendorId'),
  brand: value('brand'),
});
type Filter = ReturnType<typeof filterOf>;

/** Reads offers that wait for a decision, the longest waiting first. */
export const readQueue = (
  { read }: Visit,
  filter: Filter,
  page: { readonly page: number; readonly pageSize: number },
): Promise<ListOf<Offer>> =>
  read('/operator/v1/offers', { awaitingDecision: 'true', ...filter, ...page });

async function showQueue(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const filter = filterOf(visit);
  const page = numberOf(value('page'));
  const { items, pagination } = await readQueue(visit, filter, { page, pageSize });
  const vendors = await readVendors(
    visit,
    items.map(({ vendorId }) => vendorId),
  );
  const { queue } = texts;
  const first = (pagination.page - 1) * pageSize + 1;
  return {
    title: queue.title,
    body: html`${doneNotice(visit)}
      <div class="head">
        <h1>${queue.title} <span class="muted">${pagination.totalCount}</span></h1>
        ${filterForm(visit, filter, vendors)}
      </div>
      ${
        items.length === 0
          ? html`<p class="card muted">${queue.empty}</p>`
          : html`<div class="card scroll">
              <table class="rows">
                <thead>
                  <tr>
                    <th>${queue.product}</th>
                    <th>${queue.kind}</th>
                    <th>${texts.vendor}</th>
                    <th class="num">${queue.price}</th>
                    <th class="num">${queue.change}</th>
                    <th>${queue.waiting}</th>
                    <td></td>
                  </tr>
                </thead>
                <tbody>
                  ${items.map((offer, index) =>
                    row(visit, offer, {
                      vendor: vendors.get(offer.vendorId)?.name ?? '',
                      link: withQuery(`/console/offers/${offer.id}`, {
                        ...filter,
                        at: first + index,
                      }),
                    }),
                  )}
                </tbody>
              </table>
            </div>`
      }
      ${pager(visit, pagination, (to) => withQuery('/console/offers', { ...filter, page: to }))}`,
  };
}

function filterForm({ texts }: Visit, filter: Filter, vendors: ReadonlyMap<string, Vendor>): Html {
  const { queue } = texts;
  const kinds = queueKinds.map((kind) => [kind, queue.kinds[kindOf[kind]]] as const);
  const names = Array.from(vendors.values(), ({ id, name }) => [id, name] as const);
  return html`<form class="filter" role="search">
    <label
      >${queue.kind}<select name="status">
        ${options(kinds, filter.status, texts)}
      </select></label
    >
    <label>
      ${texts.vendor}<select name="vendorId">
        ${options(names, filter.vendorId, texts)}
      </select>
    </label>
    <label>
      ${queue.brand} <kbd>/</kbd><input type="search" name="brand" value="${filter.brand}" />
    </label>
    <button>${texts.filter}</button>
  </form>`;
}

function row(
  { texts, language }: Visit,
  offer: Offer,
  { vendor, link }: { readonly vendor: string; readonly link: string },
): Html {
  const { queue } = texts;
  const { live, staged } = pricesOf(offer);
  const changed = staged === null ? null : change(live, staged);
  const kind = queueKinds.find((each) => each === offer.status) ?? 'Approved';
  const waited = offer.awaitingSince === null ? 0 : Date.now() - Date.parse(offer.awaitingSince);
  return html`<tr data-row>
    <td class="lead">
      <a href="${link}"><bdi>${offerTitle(offer, texts)}</bdi></a>
      <div class="muted"><bdi>${offer.product.rawBrandName}</bdi></div>
    </td>
    <td data-label="${queue.kind}">${queue.kinds[kindOf[kind]]}</td>
    <td data-label="${texts.vendor}"><bdi>${vendor}</bdi></td>
    <td class="num" data-label="${queue.price}">
      ${
        staged === null || live === null
          ? money(staged ?? live)
          : html`<bdi>${money(live)} → ${money(staged)}</bdi>`
      }
    </td>
    ${
      changed === null
        ? html`<td></td>`
        : html`<td class="num muted" data-label="${queue.change}">${changed}</td>`
    }
    <td class="muted" data-label="${queue.waiting}">${span(waited, language)}</td>
    <td>${flagsOf(offer, texts)}</td>
  </tr>`;
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
