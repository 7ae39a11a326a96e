import type { Statistics, UpcomingPage } from '../http/api-types.ts';
import type { Visit } from '../http/visit.ts';
import { day, hour } from '../html/formats.ts';
import type { Part } from '../html/html.ts';
import { plot } from '../html/plot.ts';

const dayMs = 86_400_000;
const daysPast = 14;
const daysAhead = 7;

type Point = Statistics['points'][number];
type Figure = (point: Point) => number;

const waiting: Figure = ({ offersWaiting }) => offersWaiting;
const accepted: Figure = ({ approved, pricesApplied }) => approved + pricesApplied;
const refused: Figure = ({ rejected, pricesDiscarded }) => rejected + pricesDiscarded;
const delivered: Figure = (each) => each.delivered;
const failed: Figure = (each) => each.failed;
const ending = ({ count }: { readonly count: number }) => count;

const yesOrNo = (names: Readonly<Record<'yes' | 'no', string>>, yes: Figure, no: Figure) =>
  [
    [names.yes, yes],
    [names.no, no],
  ] as const;

/** What happened in the last days and hours, and which inspection windows end next. */
export async function activityPlots(visit: Visit): Promise<Part> {
  const { read, may, language, texts } = visit;
  const { plots } = texts;
  const [days, hours, due] = await Promise.all([
    read<Statistics>('/operator/v1/statistics', { unit: 'day' }),
    read<Statistics>('/operator/v1/statistics', { unit: 'hour' }),
    may('Operations') ? countDue(visit) : null,
  ]);
  const byDay = {
    points: days.points.slice(-daysPast),
    label: ({ at }: { readonly at: string }) => day(at, language),
  };
  const byHour = { points: hours.points, label: ({ at }: Point) => hour(at, language) };
  return [
    plot(
      {
        ...byDay,
        title: plots.waiting.title,
        series: [[plots.waiting.now, waiting]],
        isLevel: true,
      },
      texts,
    ),
    plot(
      { ...byDay, title: plots.decided.title, series: yesOrNo(plots.decided, accepted, refused) },
      texts,
    ),
    plot(
      {
        ...byHour,
        title: plots.attempted.title,
        series: yesOrNo(plots.attempted, delivered, failed),
      },
      texts,
    ),
    due !== null &&
      plot(
        { ...byDay, points: due, title: plots.due.title, series: [[plots.due.all, ending]] },
        texts,
      ),
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
