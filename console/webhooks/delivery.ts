import type { Attempt, Delivery } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { formOf } from '../http/attempt.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { readList } from '../html/list.ts';
import { card, doneNote, facts, pager, postButton } from '../html/parts.ts';
import { deliveryState } from './deliveries.ts';

const pathOf = (id: string): string => `/operator/v1/webhook-deliveries/${encodeURIComponent(id)}`;
const path = '/console/webhooks/deliveries';

/** One delivery with what was sent and answered at each attempt, the newest first. */
async function showDelivery(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, read, language } = visit;
  const { webhooks } = texts;
  const api = pathOf(visit.value('id'));
  const [item, attempts] = await Promise.all([
    read<Delivery>(api),
    readList<Attempt>(visit, `${api}/attempts`, {}),
  ]);
  const { id, state, vendorId, subscriptionId, subscription, workflow } = item;
  const ofSubscription = withQuery(path, { vendorId, subscriptionId });
  return {
    title: item.eventType,
    body: html`${notice ?? doneNote(visit, () => webhooks.redelivered)}
      <div class="head">
        <div>
          ${deliveryState(visit, item)}
          <h1><bdi>${item.eventType}</bdi></h1>
        </div>
        <a href="${workflow.runsUrl}" rel="noreferrer noopener" target="_blank">
          ${texts.decision.run}
        </a>
      </div>
      <div class="stack">
        ${card(
          webhooks.delivery.title,
          facts([
            [
              'URL',
              html`<a href="${ofSubscription}"><bdi class="id">${subscription.url}</bdi></a>`,
            ],
            [webhooks.delivery.event, html`<bdi class="id">${item.eventId}</bdi>`],
            [texts.created, instant(item.createdAt, language)],
            [webhooks.dead.since, instant(item.deadLetteredAt, language)],
            [webhooks.dead.before, instant(item.recoveredFrom, language)],
            [webhooks.times.next, instant(item.nextAttemptAt, language)],
          ]),
        )}
        ${attempts.items.map((attempt, index) => attemptCard(visit, attempt, index === 0))}
      </div>
      ${pager(visit, attempts.pagination, (page) => withQuery(`${path}/${id}`, { page }))}
      ${
        state !== 'waiting' &&
        !item.isTest &&
        subscription.isActive &&
        html`<div class="actions">
          ${postButton(`${path}/${id}/redeliver`, webhooks.delivery.redeliver)}
        </div>`
      }`,
  };
}

/** An attempt. What was sent and answered is the text of others, and stays text. */
function attemptCard({ texts, language }: Visit, attempt: Attempt, isOpen: boolean): Html {
  const { webhooks } = texts;
  const { errorSummary, httpStatus, durationMs } = attempt;
  const part = (name: string, sent: Attempt['request'] | Attempt['answer']): Html | null =>
    sent &&
    html`<details ${isOpen && html`open`}>
      <summary>${name}</summary>
      <pre dir="ltr">
${sent.headers.map((each) => `${each.name}: ${each.value}\n`)}
${sent.body ?? webhooks.exchange.noText}</pre>
    </details>`;
  return card(
    webhooks.attempt(attempt.attemptNumber),
    html`<p>
        <bdi>${errorSummary ?? httpStatus ?? '—'}</bdi> · ${instant(attempt.sentAt, language)}
        ${durationMs !== null && html`· <bdi>${durationMs} ms</bdi>`}
      </p>
      ${part(webhooks.exchange.request, attempt.request)}
      ${part(webhooks.exchange.answer, attempt.answer)}`,
  );
}

const redeliver = formOf(showDelivery, async ({ value, send }) => {
  await send(`${pathOf(value('id'))}/redeliver`);
  return { next: `${path}/${encodeURIComponent(value('id'))}?done=1` };
});

export const deliveryPages: AddPages = ({ show, submit }) => {
  show(`${path}/:id`, showDelivery);
  submit(`${path}/:id/redeliver`, redeliver);
};
