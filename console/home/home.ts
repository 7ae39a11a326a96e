import { reviewKinds } from '../../domain/offers/review-flags.ts';
import { html, ui } from '../page.ts';
import type { AddPages, api, Html, Page, Part, Visit } from '../page.ts';

const dayMs = 86_400_000;
const daysPast = 14;
const daysAhead = 7;
const dayForm = { day: 'numeric', month: 'short' } as const;
const hourForm = { ...dayForm, hour: '2-digit', minute: '2-digit' } as const;

type Filter = Readonly<Record<string, string>>;
/** What waits: the page that shows it, and the list of the API that is counted. */
type Wait = readonly [name: string, page: string, pageFilter: Filter, list: string, filter: Filter];

/** What waits, by the roles of the operator, and what happened lately. */
async function showHome(visit: Visit, stuck: number | null): Promise<Page> {
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
    content: html`<div class="grid">
        ${counts.map(([, card]) => card)}
        ${may('Admin') && cardOf(texts.stuck.title, '/console/stuck?run=true', stuck)}
      </div>
      ${counts.every(([count]) => count === 0) && html`<p class="muted">${texts.home.nothing}</p>`}
      <div class="cards">${plots}</div>`,
  };
}

function offerWaits({ texts }: Visit): readonly Wait[] {
  const { home, queue, statuses } = texts;
  const { PendingMatch: Match, PendingReview: Review } = statuses;
  const names = { ...queue.kinds, Match, Review, StagedPrice: home.staged };
  return reviewKinds.map((kind) => {
    const filter = { awaitingDecision: 'true', kind };
    return [names[kind], 'offers', { kind }, 'offers', filter];
  });
}

function operationsWaits({ texts }: Visit): readonly Wait[] {
  const { home, statuses } = texts;
  const inspected = { status: 'UnderInspection' };
  const forStaff = { ...inspected, requiresStaffReview: 'true' };
  const before = new Date(Date.now() + 6 * 3_600_000).toISOString();
  const silence = { kind: 'ReturnInspectionEnd', before };
  const dead = { state: 'deadLettered' };
  const inactive = { isActive: 'false', isDeleted: 'false' };
  return [
    [home.staff, 'returns', forStaff, 'returns', forStaff],
    [statuses.UnderInspection, 'returns', inspected, 'returns', inspected],
    [home.silence, 'returns', inspected, 'upcoming', silence],
    [home.deadLetters, 'webhooks/deliveries', dead, 'webhook-deliveries', dead],
    [home.inactive, 'webhooks', { state: 'inactive' }, 'webhook-subscriptions', inactive],
  ];
}

/** Counts what waits, and says since when the first one does. */
async function countCard({ read, texts, since }: Visit, wait: Wait): Promise<[number, Html]> {
  const [name, page, pageFilter, list, filter] = wait;
  const query = { ...filter, pageSize: 1 };
  const found = await read<api.ListOf<Partial<api.Offer>>>(`/operator/v1/${list}`, query);
  const { totalCount } = found.pagination;
  const waitingSince = found.items[0]?.awaitingSince ?? null;
  const oldest =
    waitingSince !== null &&
    html`<span class="muted">${texts.home.oldest} ${since(waitingSince)}</span>`;
  const href = ui.withQuery(`/console/${page}`, pageFilter);
  return [totalCount, cardOf(name, href, totalCount, oldest)];
}

const cardOf = (name: string, href: string, count: number | null, more?: Part): Html =>
  html`<a class="card count" href="${href}">
    <span class="muted">${name}</span>
    <span class="figure">${count ?? '–'}</span>
    ${more}
  </a>`;

/** What happened in the last days and hours, and which inspection windows end next. */
async function activityPlots(visit: Visit): Promise<Part> {
  const { read, may, language, texts } = visit;
  const { plots } = texts;
  const [{ points: days }, { points: hours }, ends] = await Promise.all([
    read<api.Statistics>('/operator/v1/statistics', { unit: 'day' }),
    read<api.Statistics>('/operator/v1/statistics', { unit: 'hour' }),
    may('Operations') ? countDue(visit) : null,
  ]);
  const names = (points: readonly { readonly at: string }[], form: Intl.DateTimeFormatOptions) =>
    points.map(({ at }) => ui.inUtc(at, language, form));
  const lately = days.slice(-daysPast);
  const byDay = names(lately, dayForm);
  const waited = lately.map(({ offersWaiting }) => offersWaiting);
  return [
    ui.plot(plots, plots.waiting, byDay, [[plots.now, waited, waited.at(-1)]]),
    ui.plot(plots, plots.decided, byDay, [
      [plots.approved, lately.map(({ approved, pricesApplied }) => approved + pricesApplied)],
      [plots.rejected, lately.map(({ rejected, pricesDiscarded }) => rejected + pricesDiscarded)],
    ]),
    ui.plot(plots, plots.attempted, names(hours, hourForm), [
      [plots.delivered, hours.map(({ delivered }) => delivered)],
      [plots.failed, hours.map(({ failed }) => failed)],
    ]),
    ends &&
      ui.plot(plots, plots.due, names(ends, dayForm), [
        [plots.all, ends.map(({ count }) => count)],
      ]),
  ];
}

/** The inspection windows that end on each of the next days; an overdue one counts today. */
async function countDue({ read }: Visit) {
  const today = Math.floor(Date.now() / dayMs);
  const dayOf = (ahead: number): string => new Date((today + ahead) * dayMs).toISOString();
  const found: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { kind: 'ReturnInspectionEnd', before: dayOf(daysAhead), page, pageSize: 100 };
    const { items, pagination } = await read<api.UpcomingPage>('/operator/v1/upcoming', query);
    pages = pagination.totalPages;
    found.push(...items.map(({ at }) => Math.max(0, Math.floor(Date.parse(at) / dayMs) - today)));
  }
  return Array.from({ length: daysAhead }, (_, ahead) => ({
    at: dayOf(ahead),
    count: found.filter((each) => each === ahead).length,
  }));
}

const examinedEveryMs = 600_000;

export const homePage: AddPages = ({ live }) => {
  // What the doctor found last. It takes up to ten seconds, so that no page waits for it.
  let stuck: number | null = null;
  let nextMs = 0;
  live('/console', (visit) => {
    if (visit.may('Admin') && performance.now() >= nextMs) {
      nextMs = performance.now() + examinedEveryMs;
      void visit.read<api.DoctorReport>('/operator/v1/doctor').then(
        ({ checks }) => (stuck = checks.reduce((all, check) => all + check.found, 0)),
        () => (stuck = null),
      );
    }
    return showHome(visit, stuck);
  });
};
