import type { ReviewJob, ReviewResult } from '../http/api-types.ts';
import { explained, formOf } from '../http/attempt.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { listPage, readList } from '../html/list.ts';
import { card, facts, pager, postButton, rowsTable } from '../html/parts.ts';

const path = '/console/review-jobs';
const pathOf = ({ value }: Visit): string =>
  `/operator/v1/review-jobs/${encodeURIComponent(value('id'))}`;
const isOpen = ({ state }: ReviewJob): boolean => state === 'Queued' || state === 'Running';

/** The jobs of every operator, the newest first. */
async function showJobs(visit: Visit): Promise<Page> {
  const { many } = visit.texts;
  return listPage(visit, await readList<ReviewJob>(visit, '/operator/v1/review-jobs', {}), {
    title: many.jobs,
    path,
    filter: {},
    columns: [many.action, visit.texts.status, many.operator, [many.done], [many.failed]],
    row: ({ id, action, state, operatorId, createdAt, counts }) => [
      html`<a href="${path}/${id}">${many.actions[action]}: ${counts.accepted}</a>
        <div class="muted">${instant(createdAt, visit.language)}</div>`,
      many.states[state],
      html`<bdi>${operatorId}</bdi>`,
      counts.done,
      counts.failed,
    ],
    empty: many.noJobs,
  });
}

/** One job with its progress, and the offers that it could not decide on. */
async function showJob(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, read, language } = visit;
  const { many } = texts;
  const api = pathOf(visit);
  const [job, results] = await Promise.all([
    read<ReviewJob>(api),
    readList<ReviewResult>(visit, `${api}/results`, { failed: 'true' }),
  ]);
  const { counts, estimatedEndAt, reason } = job;
  const title = `${many.actions[job.action]}: ${counts.accepted}`;
  const run = counts.accepted - counts.remaining;
  return {
    title,
    refreshSeconds: isOpen(job) ? 2 : null,
    body: html`${notice}
      <div class="head"><h1>${title}</h1></div>
      <div class="stack">
        ${card(
          many.states[job.state],
          html`<progress
              value="${run}"
              max="${counts.accepted}"
              aria-label="${many.jobs}"
            ></progress>
            ${facts([
              [many.done, counts.done],
              [many.failed, counts.failed],
              [many.remaining, counts.remaining],
              [many.operator, html`<bdi>${job.operatorId}</bdi>`],
              [many.started, instant(job.createdAt, language)],
              [many.end, estimatedEndAt === null ? texts.none : instant(estimatedEndAt, language)],
              [texts.reason, html`<bdi>${reason ?? texts.none}</bdi>`],
            ])}
            ${isOpen(job) && postButton(`${path}/${job.id}/cancel`, many.cancel)}`,
        )}
        ${
          counts.failed > 0 &&
          html`<h2>${many.failures}</h2>
            ${rowsTable(
              [texts.queue.product, texts.reason],
              results.items.map(({ offerId, state, details }) => [
                offerId === null
                  ? texts.none
                  : html`<a href="/console/offers/${offerId}"><bdi class="id">${offerId}</bdi></a>`,
                explained({ code: state, details }),
              ]),
              '',
            )}
            ${pager(visit, results.pagination, (page) => withQuery(`${path}/${job.id}`, { page }))}`
        }
        <p><a href="/console/offers">${texts.queue.title}</a></p>
      </div>`,
  };
}

const cancelJob = formOf(showJob, async (visit) => {
  const { id } = await visit.send<ReviewJob>(`${pathOf(visit)}/cancel`, {});
  return { next: `${path}/${id}` };
});

export const reviewJobPages: AddPages = ({ show, submit }) => {
  show(path, showJobs);
  show(`${path}/:id`, showJob);
  submit(`${path}/:id/cancel`, cancelJob);
};
