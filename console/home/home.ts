import { reviewKinds } from '../../domain/offers/review-flags.ts';
import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { ListOf, Offer, Statistics, UpcomingPage } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages, Page, Visit } from '../http/visit.ts';

const dayMs = 86_400_000;
const daysPast = 14;
const daysAhead = 7;
const dayForm = { day: 'numeric', month: 'short' } as const;
const hourForm = { ...dayForm, hour: '2-digit', minute: '2-digit' } as const;

/** What happened in the last days and hours, and which inspection windows end next. */
async function activityPlots(visit: Visit): Promise<Part> {
  const { read, may, language, texts } = visit;
  const { plots } = texts;
  const { waiting, decided, attempted, due } = plots;
  const [days, hours, ends] = await Promise.all([
    read<Statistics>('/operator/v1/statistics', { unit: 'day' }),
    read<Statistics>('/operator/v1/statistics', { unit: 'hour' }),
    may('Operations') ? countDue(visit) : null,
  ]);
  const names = (points: readonly { readonly at: string }[], form: Intl.DateTimeFormatOptions) =>
    points.map(({ at }) => ui.inUtc(at, language, form));
  const lately = days.points.slice(-daysPast);
  const byDay = names(lately, dayForm);
  const waited = lately.map(({ offersWaiting }) => offersWaiting);
  const yes = lately.map(({ approved, pricesApplied }) => approved + pricesApplied);
  const no = lately.map(({ rejected, pricesDiscarded }) => rejected + pricesDiscarded);
  const delivered = hours.points.map((each) => each.delivered);
  const failed = hours.points.map((each) => each.failed);
  return [
    ui.plot(plots, waiting.title, byDay, [[waiting.now, waited, waited.at(-1)]]),
    ui.plot(plots, decided.title, byDay, [
      [decided.yes, yes],
      [decided.no, no],
    ]),
    ui.plot(plots, attempted.title, names(hours.points, hourForm), [
      [attempted.yes, delivered],
      [attempted.no, failed],
    ]),
    ends &&
      ui.plot(plots, due.title, names(ends, dayForm), [[due.all, ends.map((each) => each.count)]]),
  ];
}

/** The inspection windows that end on each of the next days; an overdue one counts today. */
async function countDue({ read }: Visit) {
  const today = Math.floor(Date.now() / dayMs);
  const dayOf = (ahead: number): string => new Date((today + ahead) * dayMs).toISOString();
  const found: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { kind: 'ReturnInspectionEnd', before: dayOf(daysAhead), page, pageSize: 100 };
    const { items, pagination } = await read<UpcomingPage>('/operator/v1/upcoming', query);
    pages = pagination.totalPages;
    found.push(...items.map(({ at }) => Math.max(0, Math.floor(Date.parse(at) / dayMs) - today)));
  }
  return Array.from({ length: daysAhead }, (_, ahead) => ({
    at: dayOf(ahead),
    count: found.filter((each) => each === ahead).length,
  }));
}

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
