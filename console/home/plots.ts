import type { Statistics, UpcomingPage } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { inUtc } from '../html/formats.ts';
import type { Part } from '../html/html.ts';
import { plot } from '../html/plot.ts';

const dayMs = 86_400_000;
const daysPast = 14;
const daysAhead = 7;
const dayForm = { day: 'numeric', month: 'short' } as const;
const hourForm = { ...dayForm, hour: '2-digit', minute: '2-digit' } as const;

/** What happened in the last days and hours, and which inspection windows end next. */
export async function activityPlots(visit: Visit): Promise<Part> {
  const { read, may, language, texts } = visit;
  const { plots } = texts;
  const { waiting, decided, attempted, due } = plots;
  const [days, hours, ends] = await Promise.all([
    read<Statistics>('/operator/v1/statistics', { unit: 'day' }),
    read<Statistics>('/operator/v1/statistics', { unit: 'hour' }),
    may('Operations') ? countDue(visit) : null,
  ]);
  const names = (points: readonly { readonly at: string }[], form: Intl.DateTimeFormatOptions) =>
    points.map(({ at }) => inUtc(at, language, form));
  const lately = days.points.slice(-daysPast);
  const byDay = names(lately, dayForm);
  const waited = lately.map(({ offersWaiting }) => offersWaiting);
  const yes = lately.map(({ approved, pricesApplied }) => approved + pricesApplied);
  const no = lately.map(({ rejected, pricesDiscarded }) => rejected + pricesDiscarded);
  const delivered = hours.points.map((each) => each.delivered);
  const failed = hours.points.map((each) => each.failed);
  return [
    plot(plots, waiting.title, byDay, [[waiting.now, waited, waited.at(-1)]]),
    plot(plots, decided.title, byDay, [
      [decided.yes, yes],
      [decided.no, no],
    ]),
    plot(plots, attempted.title, names(hours.points, hourForm), [
      [attempted.yes, delivered],
      [attempted.no, failed],
    ]),
    ends &&
      plot(plots, due.title, names(ends, dayForm), [[due.all, ends.map((each) => each.count)]]),
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
