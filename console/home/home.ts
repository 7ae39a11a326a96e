import { reviewKinds } from '../../domain/offers/review-flags.ts';
import type { ListOf, Offer } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { html, type Html } from '../html/html.ts';
import { activityPlots } from './plots.ts';

const silenceSoonMs = 6 * 3_600_000;

type Filter = Readonly<Record<string, string>>;
/** What waits: the page that shows it, and the list of the API that is counted. */
type Wait = readonly [name: string, page: string, pageFilter: Filter, list: string, filter: Filter];

function offerWaits({ texts }: Visit): readonly Wait[] {
  const { home, queue, statuses } = texts;
  const names = {
    Match: statuses.PendingMatch,
    Review: statuses.PendingReview,
    StagedPrice: home.staged,
    IdentityEdit: queue.kinds.IdentityEdit,
  };
  return reviewKinds.map((kind) => {
    const filter = { awaitingDecision: 'true', kind };
    return [names[kind], 'offers', { kind }, 'offers', filter];
  });
}

function operationsWaits({ texts }: Visit): readonly Wait[] {
  const { home, waits, statuses } = texts;
  const inspected = { status: 'UnderInspection' };
  const forStaff = { ...inspected, requiresStaffReview: 'true' };
  const before = new Date(Date.now() + silenceSoonMs).toISOString();
  const silence = { kind: 'ReturnInspectionEnd', before };
  const dead = { state: 'deadLettered' };
  const inactive = { isActive: 'false', isDeleted: 'false' };
  return [
    [home.staff, 'returns', forStaff, 'returns', forStaff],
    [statuses.UnderInspection, 'returns', inspected, 'returns', inspected],
    [waits.silence, 'returns', inspected, 'upcoming', silence],
    [waits.deadLetters, 'webhooks/deliveries', dead, 'webhook-deliveries', dead],
    [waits.inactive, 'webhooks', { state: 'inactive' }, 'webhook-subscriptions', inactive],
  ];
}

/** Counts what waits, and says since when the first one does. */
async function countCard({ read, texts, since }: Visit, wait: Wait): Promise<[number, Html]> {
  const [name, page, pageFilter, list, filter] = wait;
  const query = { ...filter, pageSize: 1 };
  const { items, pagination } = await read<ListOf<Partial<Offer>>>(`/operator/v1/${list}`, query);
  const waitingSince = items[0]?.awaitingSince ?? null;
  return [
    pagination.totalCount,
    html`<a class="card count" href="${withQuery(`/console/${page}`, pageFilter)}">
      <span class="muted">${name}</span>
      <span class="figure">${pagination.totalCount}</span>
      ${
        waitingSince !== null &&
        html`<span class="muted">${texts.home.oldest} ${since(waitingSince)}</span>`
      }
    </a>`,
  ];
}

/** What waits, by the roles of the operator, and what happened lately. */
async function showHome(visit: Visit): Promise<Page> {
  const { texts, may } = visit;
  const waits = [
    ...(may('Reviewer') ? offerWaits(visit) : []),
    ...(may('Operations') ? operationsWaits(visit) : []),
  ];
  const [counts, plots] = await Promise.all([
    Promise.all(waits.map((wait) => countCard(visit, wait))),
    activityPlots(visit),
  ]);
  return {
    title: texts.nav.home,
    content: html`<div class="grid">${counts.map(([, card]) => card)}</div>
      ${counts.every(([count]) => count === 0) && html`<p class="muted">${texts.home.nothing}</p>`}
      <div class="cards">${plots}</div>`,
  };
}

export const homePage: AddPages = ({ live }) => live('/console', showHome);
