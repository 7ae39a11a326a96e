import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { Attempt, Delivery, ListOf, Subscription } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { Act, AddPages, Page, ShowPage, Visit } from '../http/visit.ts';
import { readVendors } from '../vendors/vendor-names.ts';

const states = ['active', 'inactive', 'deleted'] as const;

const deliveriesOf = ({ id: subscriptionId, vendorId }: Subscription): string =>
  withQuery('/console/webhooks/deliveries', { vendorId, subscriptionId });

/** The subscriptions of all vendors, or of one, with their failures. */
async function showSubscriptions(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { webhooks } = texts;
  const state = visit.choice('state', states);
  const list = await ui.readList<Subscription>(visit, '/operator/v1/webhook-subscriptions', {
    vendorId: value('vendorId'),
    isDeleted: String(state === 'deleted'),
    isActive: state === 'active' ? 'true' : state === 'inactive' ? 'false' : '',
  });
  const ids = list.items.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  return ui.listPage(visit, list, {
    title: webhooks.title,
    fields: [
      vendors.field,
      ui.choiceField(visit, texts.status, 'state', Object.entries(texts.states)),
    ],
    columns: ['URL', texts.vendor, ...healthNames(visit)],
    row: (item) => [
      ui.link(deliveriesOf(item), ui.code(item.url)),
      vendors.nameOf(item.vendorId),
      ...health(visit, item),
    ],
    empty: webhooks.empty,
    after: ui.link('/console/webhooks/deliveries', webhooks.deliveries.all),
  });
}

const healthNames = ({ texts: { status, webhooks } }: Visit): readonly string[] => [
  status,
  webhooks.times.failingSince,
  webhooks.times.last,
  webhooks.deadLetters,
];

function health({ texts, instant }: Visit, item: Subscription): readonly Part[] {
  const { states: names, webhooks } = texts;
  const { isActive, inactiveReason, deletedAt, unrecovered } = item;
  const state = isActive ? 'active' : deletedAt === null ? 'inactive' : 'deleted';
  const reason =
    webhooks.reasons[inactiveReason as keyof typeof webhooks.reasons] ?? inactiveReason;
  return [
    html`${ui.chip(names[state], isActive ? 'good' : 'bad')} ${ui.muted(ui.own(reason))}`,
    instant(item.failingSince),
    html`${outcome(item)} ${ui.muted(instant(item.lastDeliveryAt))}`,
    html`${item.deadLetters}
    ${unrecovered > 0 && ui.chip(webhooks.unrecovered(unrecovered), 'warn')}`,
  ];
}

/** The error of a latest attempt, or its status. */
export const outcome = ({
  lastErrorSummary,
  lastHttpStatus,
}: Pick<Subscription, 'lastErrorSummary' | 'lastHttpStatus'>): Html =>
  ui.own(lastErrorSummary ?? lastHttpStatus ?? '—');

const path = '/console/webhooks/deliveries';
const api = '/operator/v1/webhook-deliveries';
const deliveryStates = ['waiting', 'deadLettered', 'succeeded'] as const;

/** The deliveries of all vendors; those of one subscription with its health and recovery. */
const showDeliveries: ShowPage = async (visit, notice) => {
  const { texts, value, instant } = visit;
  const { webhooks } = texts;
  const one = { subscriptionId: value('subscriptionId'), eventId: value('eventId') };
  const filter = {
    vendorId: value('vendorId'),
    ...one,
    state: visit.choice('state', deliveryStates),
  };
  const list = await ui.readList<Delivery>(visit, api, filter);
  const ids = list.items.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  const done = ui.doneCount(visit);
  const choices = ui.named(deliveryStates, webhooks.deliveryStates);
  return ui.listPage(visit, list, {
    title: webhooks.deliveries.title,
    notice: notice ?? (done !== null && ui.doneNote(webhooks.done(done))),
    fields: [
      ui.hiddenFields(one),
      vendors.field,
      ui.choiceField(visit, texts.status, 'state', choices),
    ],
    columns: [
      webhooks.delivery.event,
      texts.vendor,
      texts.status,
      [webhooks.delivery.attempts],
      webhooks.times.last,
      webhooks.times.next,
    ],
    row: (item) => [
      html`${ui.link(`${path}/${item.id}`, ui.own(item.eventType))}
      ${ui.muted(instant(item.createdAt))}`,
      html`${vendors.nameOf(item.vendorId)} ${ui.muted(ui.code(item.subscription.url))}`,
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
  html`${ui.chip(webhooks.deliveryStates[item.state], marks[item.state])}
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
  return ui.card(
    ui.code(item.url),
    html`${ui.facts(healthNames(visit).map((name, index) => [name, shown[index]]))}
    ${
      item.isActive
        ? html`<form method="post" action="/console/webhooks/recover" class="filter">
            ${ui.hiddenFields({ vendorId, subscriptionId })}
            ${ui.textField(webhooks.since, 'since', since.slice(0, 16), time)}
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
    ui.readList<Attempt>(visit, `${api}/${id}/attempts`),
  ]);
  const { state, vendorId, subscriptionId, subscription, workflow } = item;
  const ofSubscription = withQuery(path, { vendorId, subscriptionId });
  const canRedeliver = state !== 'waiting' && !item.isTest && subscription.isActive;
  return {
    title: item.eventType,
    above: deliveryState(visit, item),
    heading: ui.own(item.eventType),
    beside: ui.outerLink(workflow.runsUrl, texts.decision.run),
    notice: notice ?? (ui.doneCount(visit) !== null && ui.doneNote(webhooks.redelivered)),
    content: html`${ui.card(
      webhooks.delivery.title,
      ui.facts([
        ['URL', ui.link(ofSubscription, ui.code(subscription.url))],
        [webhooks.delivery.event, ui.code(item.eventId)],
        [texts.created, instant(item.createdAt)],
        [webhooks.dead.since, instant(item.deadLetteredAt)],
        [webhooks.dead.before, instant(item.recoveredFrom)],
        [webhooks.times.next, instant(item.nextAttemptAt)],
      ]),
    )}
    ${attempts.items.map((attempt, index) => attemptCard(visit, attempt, index === 0))}
    ${ui.pager(visit, attempts.pagination)}`,
    ...(canRedeliver && {
      actions: ui.postButton(`${path}/${id}/redeliver`, webhooks.delivery.redeliver),
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
  return ui.card(
    webhooks.attempt(attempt.attemptNumber),
    html`<p>
        ${ui.own(errorSummary ?? httpStatus ?? '—')} · ${instant(attempt.sentAt)}
        ${durationMs !== null && html`· ${ui.own(`${durationMs} ms`)}`}
      </p>
      ${part(webhooks.exchange.request, attempt.request)}
      ${part(webhooks.exchange.answer, attempt.answer)}`,
  );
}

const redeliver: Act = async ({ id, send }) => {
  await send(`${api}/${id}/redeliver`);
  return { next: `${path}/${id}?done=1` };
};

export const webhookPages: AddPages = ({ show, submit }) => {
  show('/console/webhooks', showSubscriptions);
  show(path, showDeliveries);
  submit('/console/webhooks/recover', recover, showDeliveries);
  show(`${path}/:id`, showDelivery);
  submit(`${path}/:id/redeliver`, redeliver, showDelivery);
};
