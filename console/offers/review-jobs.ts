import { auditLink } from '../audit/audit.ts';
import { explained } from '../http/pages.ts';
import { apiPath, change, html, ui } from '../page.ts';
import type { AddPages, api, Page, ShowPage, Visit } from '../page.ts';

const path = '/console/review-jobs';
const route = apiPath`/operator/v1/review-jobs`;
const isOpen = ({ state }: api.ReviewJob): boolean => state === 'Queued' || state === 'Running';
const titleOf = ({ texts }: Visit, { action, counts }: api.ReviewJob): string =>
  `${texts.decision.actions[action]}: ${counts.accepted}`;

/** The jobs of every operator, the newest first. */
async function showJobs(visit: Visit): Promise<Page> {
  const { many, status, operator, jobStates } = visit.texts;
  return ui.listPage(visit, await ui.readFiltered<api.ReviewJob>(visit, route, {}), {
    title: many.jobs,
    columns: [many.action, status, operator, [many.done], [many.failed]],
    row: (job) => [
      html`${ui.link(`${path}/${job.id}`, titleOf(visit, job))}
      ${ui.muted(visit.instant(job.createdAt))}`,
      jobStates[job.state],
      ui.own(job.operatorId),
      job.counts.done,
      job.counts.failed,
    ],
  });
}

/** One job with its progress, and the offers that it could not decide on. */
const showJob: ShowPage = async (visit, notice) => {
  const { texts, read, instant, id, value } = visit;
  const { many, none, reason } = texts;
  const failed = { path: apiPath`${route}/${id}/results`, filter: { failed: 'true' } };
  visit.found.listed = failed;
  const [job, results] = await ui.allInOrder([
    read<api.ReviewJob>(apiPath`${route}/${id}`),
    ui.readList<api.ReviewResult>(visit, failed.path, failed.filter),
  ]);
  const { counts } = job;
  const endedCount = counts.accepted - counts.remaining;
  const failedIds = results.items.flatMap(({ offerId }) => offerId ?? []);
  const failures = results.items.map((item) => {
    const { offerId, httpStatus, state, details, productName, vendorName } = item;
    const title = html`${ui.own(productName ?? offerId)} ${ui.muted(ui.own(vendorName))}`;
    return [
      offerId === null ? none : ui.link(`/console/offers/${offerId}`, title),
      html`${texts.failures[httpStatus as keyof typeof texts.failures]}
      ${explained(texts, { code: state, details }, instant)}`,
    ];
  });
  const again = new URLSearchParams({ action: job.action });
  for (const offerId of failedIds) again.append('offer', offerId);
  const pager = ui.pager(visit, results.pagination);
  // The page stays as it is while it asks for the confirmation.
  const asks = value('cancel') !== '';
  const cancelForm = asks
    ? ui.postButton(`${path}/${id}/cancel`, many.cancel)
    : html`<a class="button" href="${path}/${id}?cancel=true">${many.cancel}…</a>`;
  return {
    title: titleOf(visit, job),
    beside: ui.muted(auditLink(visit, id)),
    isEnded: !isOpen(job) || asks,
    notice,
    content: html`${ui.card(
      texts.jobStates[job.state],
      html`<progress
          value="${endedCount}"
          max="${counts.accepted}"
          aria-label="${many.jobs}"
        ></progress>
        ${ui.facts([
          [many.done, counts.done],
          [many.failed, counts.failed],
          [many.remaining, counts.remaining],
          [texts.operator, ui.own(job.operatorId)],
          [many.started, instant(job.createdAt)],
          [many.end, instant(job.estimatedEndAt)],
          [reason, ui.own(job.reason ?? none)],
        ])}
        ${isOpen(job) && cancelForm}`,
    )}
    ${
      counts.failed > 0 &&
      ui.section(many.failures, [
        ui.rowsTable([texts.decision.offer, reason], failures),
        pager,
        ui.exportLink(visit),
        failedIds.length > 0 &&
          html`<p>${ui.link(`/console/offers/many?${again.toString()}`, many.openAgain)}</p>`,
      ])
    }
    ${ui.link('/console/offers', texts.queue.title)}`,
  };
};

const cancel = change(({ send, id }) => send(apiPath`${route}/${id}/cancel`, {}));

export const reviewJobPages: AddPages = ({ live, show, submit }) => {
  show(path, showJobs);
  live(`${path}/:id`, showJob);
  submit(`${path}/:id/cancel`, cancel, showJob);
};
