import type { Attempt, Delivery, ListOf, Subscription } from '../http/api-types.ts';
import type { Act, ShowPage } from '../http/attempt.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Visit } from '../http/visit.ts';
import { hiddenFields, named, postButton, textField } from '../html/forms.ts';
import { html, type Html } from '../html/html.ts';
import { choiceField, listPage, readList } from '../html/list.ts';
import { card, chip, code, doneCount, doneNote, facts, link } from '../html/parts.ts';
import { muted, outerLink, own, pager } from '../html/parts.ts';
import { readVendors } from '../vendors/vendor-names.ts';
import { health, healthNames, outcome } from './subscriptions.ts';

const path = '/console/webhooks/deliveries';
const api = '/operator/v1/webhook-deliveries';
const states = ['waiting', 'deadLettered', 'succeeded'] as const;

/** The deliveries of all vendors; those of one subscription with its health and recovery. */
const showDeliveries: ShowPage = async (visit, notice) => {
  const { texts, value, instant } = visit;
  const { webhooks } = texts;
  const one = { subscriptionId: value('subscriptionId'), eventId: value('eventId') };
  const filter = { vendorId: value('vendorId'), ...one, state: visit.choice('state', states) };
  const list = await readList<Delivery>(visit, api, filter);
  const ids = list.items.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  const done = doneCount(visit);
  const choices = named(states, webhooks.deliveryStates);
  return listPage(visit, list, {
    title: webhooks.deliveries.title,
    notice: notice ?? (done !== null && doneNote(webhooks.done(done))),
    fields: [hiddenFields(one), vendors.field, choiceField(visit, texts.status, 'state', choices)],
    columns: [
      webhooks.delivery.event,
      texts.vendor,
      texts.status,
      [webhooks.delivery.attempts],
      webhooks.times.last,
      webhooks.times.next,
    ],
    row: (item) => [
      html`${link(`${path}/${item.id}`, own(item.eventType))} ${muted(instant(item.createdAt))}`,
      html`${vendors.nameOf(item.vendorId)} ${muted(code(item.subscription.url))}`,
      deliveryState(visit, item),
      item.attemptCount,
      outcome(item),
      instant(item.nextAttemptAt),
    ],
    before: one.subscriptionId !== '' && (await subscriptionCard(visit, one.subscriptionId)),
  });
};

const marks = {
  succeeded: 'good',
  deadLettered: 'bad',
  failed: 'bad',
  waiting: '',
  cancelled: '',
} as const;

/** The state, with a mark on a dead letter that was redelivered. */
const deliveryState = ({ texts: { webhooks } }: Visit, item: Delivery): Html =>
  html`${chip(webhooks.deliveryStates[item.state], marks[item.state])}
  ${item.recoveredFrom !== null && html`<span class="chip">${webhooks.dead.recovered}</span>`}`;

/** The health of one subscription, with the form that recovers its dead letters. */
async function subscriptionCard(visit: Visit, subscriptionId: string): Promise<Html | null> {
  const { texts, read, value } = visit;
  const { webhooks } = texts;
  const query = { vendorId: value('vendorId'), pageSize: 100 };
  const { items } = await read<ListOf<Subscription>>('/operator/v1/webhook-subscriptions', query);
  const item = items.find(({ id }) => id === subscriptionId);
  if (item === undefined) return null;
  const { vendorId } = item;
  const since = item.failingSince ?? new Date(Date.now() - 86_400_000).toISOString();
  const shown = health(visit, item);
  const time = html`type="datetime-local" required`;
  return card(
    code(item.url),
    html`${facts(healthNames(visit).map((name, index) => [name, shown[index]]))}
    ${
      item.isActive
        ? html`<form method="post" action="/console/webhooks/recover" class="filter">
            ${hiddenFields({ vendorId, subscriptionId })}
            ${textField(webhooks.since, 'since', since.slice(0, 16), time)}
            <button>${webhooks.recover}</button>
          </form>`
        : item.deletedAt === null && html`<p class="muted">${webhooks.mustActivate}</p>`
    }`,
  );
}

/** Recovers dead letters, and shows how many. The form has UTC, without an offset or seconds. */
const recover: Act = async ({ value, send }) => {
  const [vendorId, subscriptionId] = [value('vendorId'), value('subscriptionId')];
  const since = `${value('since')}${value('since').length === 16 ? ':00Z' : 'Z'}`;
  const { recovered: done } = await send<{ readonly recovered: number }>(`${api}/recover`, {
    subscriptionId,
    since,
  });
  return { next: withQuery(path, { vendorId, subscriptionId, done }) };
};

/** One delivery with what was sent and answered at each attempt, the newest first. */
const showDelivery: ShowPage = async (visit, notice) => {
  const { texts, read, instant, id } = visit;
  const { webhooks } = texts;
  const [item, attempts] = await Promise.all([
    read<Delivery>(`${api}/${id}`),
    readList<Attempt>(visit, `${api}/${id}/attempts`),
  ]);
  const { state, vendorId, subscriptionId, subscription, workflow } = item;
  const ofSubscription = withQuery(path, { vendorId, subscriptionId });
  const canRedeliver = state !== 'waiting' && !item.isTest && subscription.isActive;
  return {
    title: item.eventType,
    above: deliveryState(visit, item),
    heading: own(item.eventType),
    beside: outerLink(workflow.runsUrl, texts.decision.run),
    notice: notice ?? (doneCount(visit) !== null && doneNote(webhooks.redelivered)),
    content: html`${card(
      webhooks.delivery.title,
      facts([
        ['URL', link(ofSubscription, code(subscription.url))],
        [webhooks.delivery.event, code(item.eventId)],
        [texts.created, instant(item.createdAt)],
        [webhooks.dead.since, instant(item.deadLetteredAt)],
        [webhooks.dead.before, instant(item.recoveredFrom)],
        [webhooks.times.next, instant(item.nextAttemptAt)],
      ]),
    )}
    ${attempts.items.map((attempt, index) => attemptCard(visit, attempt, index === 0))}
    ${pager(visit, attempts.pagination)}`,
    ...(canRedeliver && {
      actions: postButton(`${path}/${id}/redeliver`, webhooks.delivery.redeliver),
    }),
  };
};

/** An attempt. What was sent and answered is the text of others, and stays text. */
function attemptCard({ texts, instant }: Visit, attempt: Attempt, isOpen: boolean): Html {
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
        ${own(errorSummary ?? httpStatus ?? '—')} · ${instant(attempt.sentAt)}
        ${durationMs !== null && html`· ${own(`${durationMs} ms`)}`}
      </p>
      ${part(webhooks.exchange.request, attempt.request)}
      ${part(webhooks.exchange.answer, attempt.answer)}`,
  );
}

const redeliver: Act = async ({ id, send }) => {
  await send(`${api}/${id}/redeliver`);
  return { next: `${path}/${id}?done=1` };
};

export const deliveriesPages: AddPages = ({ show, submit }) => {
  show(path, showDeliveries);
  submit('/console/webhooks/recover', recover, showDeliveries);
  show(`${path}/:id`, showDelivery);
  submit(`${path}/:id/redeliver`, redeliver, showDelivery);
};
