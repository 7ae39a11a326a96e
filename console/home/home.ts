import { reviewKinds } from '../../domain/offers/review-flags.ts';
import { apiPath, html, ui } from '../page.ts';
import type { AddPages, api, Html, Page, Part, Texts, Visit } from '../page.ts';

const operatorApi = apiPath`/operator/v1`;
const daysPast = 14;
const daysAhead = 7;
const dayForm = { day: 'numeric', month: 'short' } as const;
const hourForm = { ...dayForm, hour: '2-digit', minute: '2-digit' } as const;

type Filter = Readonly<Record<string, string | number>>;
/** What waits: the page that shows it, and the list of the API that is counted. */
type Wait = readonly [name: string, page: string, pageFilter: Filter, list: string, filter: Filter];

/** What waits, by the roles of the operator, and what happened lately. */
async function showHome(visit: Visit, stuck: number | null): Promise<Page> {
  const { texts, may, read } = visit;
  const route = apiPath`/operator/v1/statistics`;
  const [daily, hourly] = await Promise.all([
    read<api.Statistics>(route, { unit: 'day' }),
    read<api.Statistics>(route, { unit: 'hour' }),
  ]);
  const waits = [
    ...(may('Reviewer') ? offerWaits(visit, hourly.reviewTargetHours) : []),
    ...(may('Operations') ? operationsWaits(visit) : []),
  ];
  const counts = await Promise.all(waits.map((wait) => countCard(visit, wait)));
  const plots = activityPlots(visit, daily, hourly);
  return {
    title: texts.nav.home,
    content: html`<div class="grid">
        ${counts.map(([, card]) => card)}
        ${may('Admin') && cardOf(texts.stuck.title, '/console/stuck', stuck)}
      </div>
      ${counts.every(([count]) => count === 0) && html`<p class="muted">${texts.home.nothing}</p>`}
      <div class="cards">${plots}</div>`,
  };
}

const offerWait = (name: string, filter: Filter): Wait => {
  return [name, 'offers', filter, 'offers', { awaitingDecision: 'true', ...filter }];
};

function offerWaits({ texts, language }: Visit, targetHours: number | null): readonly Wait[] {
  const { home, queue, statuses } = texts;
  const { PendingMatch: Match, PendingReview: Review } = statuses;
  const names = { ...queue.kinds, Match, Review, StagedPrice: home.staged };
  const kinds = reviewKinds.map((kind) => offerWait(names[kind], { kind }));
  if (targetHours === null) return kinds;
  const target = ui.inUnits(targetHours, 'hour', language);
  return [...kinds, offerWait(home.overTarget(target), { overTarget: 'true' })];
}

function operationsWaits({ texts }: Visit): readonly Wait[] {
  const { home, statuses } = texts;
  const inspected = { status: 'UnderInspection' };
  const forStaff = { ...inspected, requiresStaffReview: 'true' };
  const due = { dueWithinHours: 6 };
  const dead = { state: 'deadLettered' };
  const inactive = { isActive: 'false', isDeleted: 'false' };
  return [
    [home.due, 'returns', due, 'returns', due],
    [home.staff, 'returns', forStaff, 'returns', forStaff],
    [statuses.UnderInspection, 'returns', inspected, 'returns', inspected],
    [home.deadLetters, 'webhooks/deliveries', dead, 'webhook-deliveries', dead],
    [home.inactive, 'webhooks', { state: 'inactive' }, 'webhook-subscriptions', inactive],
  ];
}

/** Counts what waits, and says since when the first one does. */
async function countCard(visit: Visit, wait: Wait): Promise<[number, Html]> {
  const { texts, since } = visit;
  const [name, page, pageFilter, list, filter] = wait;
  const query = { ...filter, pageSize: 1 };
  const found = await ui.readPage<Partial<api.Offer>>(visit, operatorApi.below(list), query);
  const { totalCount } = found.pagination;
  const waitingSince = found.items[0]?.awaitingSince ?? null;
  const oldest =
    waitingSince !== null &&
    html`<span class="muted">${texts.home.oldest} ${since(waitingSince)}</span>`;
  const href = ui.withQuery(`/console/${page}`, pageFilter);
  return [totalCount, cardOf(name, href, ui.totalOf(visit, found), oldest)];
}

const cardOf = (name: string, href: string, count: number | string | null, more?: Part): Html =>
  html`<a class="card count" href="${href}">
    <span class="muted">${name}</span>
    <span class="figure">${count ?? '–'}</span>
    ${more}
  </a>`;

/** What happened in the last days and hours, and which inspection windows end next. */
function activityPlots(visit: Visit, daily: api.Statistics, hourly: api.Statistics): Part {
  const { may, language, texts } = visit;
  const zone = visit.zone ?? 'UTC';
  const { plots } = texts;
  const { points: days } = daily;
  const { points: hours } = hourly;
  const ends = may('Operations') && endsByDay(hourly, language, zone);
  const names = (points: readonly { readonly at: string }[], form: Intl.DateTimeFormatOptions) =>
    points.map(({ at }) => ui.inZone(at, language, form, zone));
  const lately = days.slice(-daysPast);
  const byDay = lately.map(({ at }) => ui.inZone(at, language, dayForm, 'UTC'));
  const waited = lately.map(({ offersWaiting }) => offersWaiting);
  const medians = lately.map(({ medianWaitMs }) => inHours(medianWaitMs));
  const p90s = lately.map(({ p90WaitMs }) => inHours(p90WaitMs));
  return [
    ui.plot(plots, ['waiting', plots.waiting], byDay, [[plots.now, waited, waited.at(-1)]]),
    ui.plot(plots, ['decided', plots.decided], byDay, [
      [plots.approved, lately.map(({ approved, pricesApplied }) => approved + pricesApplied)],
      [plots.rejected, lately.map(({ rejected, pricesDiscarded }) => rejected + pricesDiscarded)],
    ]),
    ui.plot(
      plots,
      ['waits', plots.waits],
      byDay,
      [
        [plots.median, medians, latest(medians, texts)],
        [plots.p90, p90s, latest(p90s, texts)],
      ],
      false,
    ),
    ui.plot(plots, ['attempted', plots.attempted(zone)], names(hours, hourForm), [
      [plots.delivered, hours.map(({ delivered }) => delivered)],
      [plots.failed, hours.map(({ failed }) => failed)],
    ]),
    ends &&
      ui.plot(plots, ['due', plots.due(zone)], [...ends.keys()], [[plots.all, [...ends.values()]]]),
  ];
}

/** Hours with one decimal digit. */
const inHours = (ms: number | null): number | null =>
  ms === null ? null : Math.round(ms / 360_000) / 10;

const latest = (values: readonly (number | null)[], { plots }: Texts): string | null => {
  const hours = values.findLast((value) => value !== null) ?? null;
  return hours === null ? null : plots.latest(hours);
};

/**
 * The inspection windows that end on each of the next days of a zone; an overdue one counts today.
 */
function endsByDay({ inspectionEnds }: api.Statistics, language: Visit['language'], zone: string) {
  const dayOf = (iso: string): string => ui.inZone(iso, language, dayForm, zone);
  const counts = new Map<string, number>();
  // Steps of half a day leave out no day.
  for (let ahead = 0; counts.size < daysAhead; ahead += 1)
    counts.set(dayOf(new Date(Date.now() + ahead * 3_600_000 * 12).toISOString()), 0);
  for (const { at, count } of inspectionEnds) {
    const day = dayOf(at);
    if (counts.has(day)) counts.set(day, (counts.get(day) ?? 0) + count);
  }
  return counts;
}

const examinedEveryMs = 600_000;

export const homePage: AddPages = ({ live }) => {
  // What the doctor found last. It takes up to ten seconds, so that no page waits for it.
  let stuck: number | null = null;
  let nextMs = 0;
  const examine = async (visit: Visit): Promise<void> => {
    try {
      const { checks, isClean } = await visit.read<api.DoctorReport>(apiPath`/operator/v1/doctor`);
      const found = checks.reduce((all, check) => all + check.found, 0);
      // Checks that did not end have counted nothing.
      stuck = found === 0 && !isClean ? null : found;
    } catch {
      stuck = null;
    }
  };
  live('/console', (visit) => {
    if (visit.may('Admin') && performance.now() >= nextMs) {
      nextMs = performance.now() + examinedEveryMs;
      void examine(visit);
    }
    return showHome(visit, stuck);
  });
};
