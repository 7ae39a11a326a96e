import { reviewKinds } from '../../domain/offers/review-flags.ts';
import type { ListOf, Offer } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { span } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { activityPlots } from './plots.ts';

const silenceSoonMs = 6 * 3_600_000;

type Count = {
  readonly name: string;
  readonly total: number;
  readonly link: string;
  /** Since when the first one waits; null if none does. */
  readonly since: string | null;
};

/** Counts the items of a list of the API; `link` is the page that shows them. */
async function count(
  { read }: Visit,
  name: string,
  link: string,
  [list, query]: readonly [list: string, query: Readonly<Record<string, string>>],
): Promise<Count> {
  const { items, pagination } = await read<ListOf<Partial<Offer>>>(`/operator/v1/${list}`, {
    ...query,
    pageSize: 1,
  });
  return { name, link, total: pagination.totalCount, since: items[0]?.awaitingSince ?? null };
}

function countOffers(visit: Visit): readonly Promise<Count>[] {
  const { home, queue } = visit.texts;
  const names = {
    Match: home.match,
    Review: home.review,
    StagedPrice: home.staged,
    IdentityEdit: queue.kinds.IdentityEdit,
  };
  return reviewKinds.map((kind) =>
    count(visit, names[kind], withQuery('/console/offers', { kind }), [
      'offers',
      { awaitingDecision: 'true', kind },
    ]),
  );
}

const returnsBy = (filter: Readonly<Record<string, string>>): string =>
  withQuery('/console/returns', filter);

function countOperations(visit: Visit): readonly Promise<Count>[] {
  const { home, waits } = visit.texts;
  const inspected = { status: 'UnderInspection' };
  const forStaff = { ...inspected, requiresStaffReview: 'true' };
  const before = new Date(Date.now() + silenceSoonMs).toISOString();
  const dead = { state: 'deadLettered' };
  return [
    count(visit, home.staff, returnsBy(forStaff), ['returns', forStaff]),
    count(visit, home.inspection, returnsBy(inspected), ['returns', inspected]),
    count(visit, waits.silence, returnsBy(inspected), [
      'upcoming',
      { kind: 'ReturnInspectionEnd', before },
    ]),
    count(visit, waits.deadLetters, withQuery('/console/webhooks/deliveries', dead), [
      'webhook-deliveries',
      dead,
    ]),
    count(visit, waits.inactive, '/console/webhooks?state=inactive', [
      'webhook-subscriptions',
      { isActive: 'false', isDeleted: 'false' },
    ]),
  ];
}

/** What waits, by the roles of the operator, and what happened lately. */
async function showHome(visit: Visit): Promise<Page> {
  const { texts, may } = visit;
  const [counts, plots] = await Promise.all([
    Promise.all([
      ...(may('Reviewer') ? countOffers(visit) : []),
      ...(may('Operations') ? countOperations(visit) : []),
    ]),
    activityPlots(visit),
  ]);
  return {
    title: texts.nav.home,
    body: html`<div class="head"><h1>${texts.nav.home}</h1></div>
      <div class="grid">${counts.map((each) => countCard(visit, each))}</div>
      ${counts.every(({ total }) => total === 0) && html`<p class="muted">${texts.home.nothing}</p>`}
      <div class="cards">${plots}</div>`,
  };
}

const countCard = ({ texts, language }: Visit, { name, total, link, since }: Count): Html =>
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
