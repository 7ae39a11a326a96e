import type { ListOf, Offer, Return } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { span } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { queueKinds } from '../offers/queue.ts';

type Count = {
  readonly name: string;
  readonly total: number;
  readonly link: string;
  /** Since when the first one waits; null if none does. */
  readonly since: string | null;
};

async function countOffers({ read, texts: { home } }: Visit): Promise<readonly Count[]> {
  const names = { PendingMatch: home.match, PendingReview: home.review, Approved: home.staged };
  const reads = queueKinds.map(async (status) => {
    const query = { awaitingDecision: 'true', status, pageSize: 1 };
    const { items, pagination } = await read<ListOf<Offer>>('/operator/v1/offers', query);
    return {
      name: names[status],
      total: pagination.totalCount,
      link: withQuery('/console/offers', { status }),
      since: items[0]?.awaitingSince ?? null,
    };
  });
  return Promise.all(reads);
}

async function countReturns({ read, texts: { home } }: Visit): Promise<readonly Count[]> {
  const filters = [
    [home.staff, { status: 'UnderInspection', requiresStaffReview: 'true' }],
    [home.inspection, { status: 'UnderInspection' }],
  ] as const;
  const reads = filters.map(async ([name, filter]) => {
    const query = { ...filter, pageSize: 1 };
    const { pagination } = await read<ListOf<Return>>('/operator/v1/returns', query);
    const link = withQuery('/console/returns', filter);
    return { name, total: pagination.totalCount, link, since: null };
  });
  return Promise.all(reads);
}

/** What waits, by the roles of the operator. */
async function showHome(visit: Visit): Promise<Page> {
  const { texts, may } = visit;
  const counts = await Promise.all([
    may('Reviewer') ? countOffers(visit) : [],
    may('Operations') ? countReturns(visit) : [],
  ]);
  return {
    title: texts.nav.home,
    body: html`<div class="head"><h1>${texts.nav.home}</h1></div>
      <div class="grid">${counts.flat().map((count) => card(visit, count))}</div>
      ${
        counts.flat().every(({ total }) => total === 0) &&
        html`<p class="muted">${texts.home.nothing}</p>`
      }`,
  };
}

const card = ({ texts, language }: Visit, { name, total, link, since }: Count): Html =>
  html`<a class="card count" href="${link}">
    <span class="muted">${name}</span>
    <span class="figure">${total}</span>
    ${
      since !== null &&
      html`<span class="muted">
        ${texts.home.oldest} ${span(Date.now() - Date.parse(since), language)}
      </span>`
    }
  </a>`;

export const homePage: AddPages = ({ live }) => live('/console', showHome);
