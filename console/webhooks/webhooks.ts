import { eventTypes } from '../../domain/webhooks/events.ts';
import { auditLink } from '../audit/audit.ts';
import { apiPath, html, orNull, ui } from '../page.ts';
import type { Act, AddPages, api, Html, Page, Part, ShowPage, Visit } from '../page.ts';
import { readVendorNames, readVendors } from '../vendors/vendor-names.ts';

const path = '/console/webhooks/deliveries';
const subscriptions = apiPath`/operator/v1/webhook-subscriptions`;
const deliveries = apiPath`/operator/v1/webhook-deliveries`;

const ofSubscription = (vendorId: string, subscriptionId: string, done?: number): string =>
  ui.withQuery(path, { vendorId, subscriptionId, done });

/** The subscriptions of all vendors, or of one, with their failures. */
async function showSubscriptions(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { webhooks } = texts;
  const state = visit.choice('state', ['active', 'inactive', 'deleted']);
  const list = await ui.readFiltered<api.Subscription>(visit, subscriptions, {
    vendorId: value('vendorId'),
    isDeleted: String(state === 'deleted'),
    isActive: state === 'active' ? 'true' : state === 'inactive' ? 'false' : '',
  });
  const states = Object.entries(texts.states);
  const vendors = await readVendors(visit, list.items);
  return ui.listPage(visit, list, {
    title: webhooks.title,
    fields: [vendors.field, ui.choiceField(visit, texts.status, 'state', states)],
    columns: ['URL', texts.vendor, ...healthNames(visit)],
    row: (item) => [
      ui.link(ofSubscription(item.vendorId, item.id), ui.code(item.url)),
      vendors.nameOf(item.vendorId),
      ...health(visit, item),
    ],
    empty: webhooks.empty,
    after: ui.link(path, webhooks.allDeliveries),
  });
}

const healthNames = ({ texts: { status, webhooks } }: Visit) =>
  [status, webhooks.failingSince, webhooks.last, webhooks.deadLetters] as const;

function health(visit: Visit, item: api.Subscription): readonly Part[] {
  const { texts, instant } = visit;
  const { states: names, webhooks } = texts;
  const { isActive, inactiveReason, deletedAt, unrecovered } = item;
  const state = isActive ? 'active' : deletedAt === null ? 'inactive' : 'deleted';
  const reason = webhooks.reason(inactiveReason ?? '');
  return [
    html`${ui.chip(names[state], isActive ? 'good' : 'bad')}
    ${reason !== '' && ui.muted(ui.own(reason))}`,
    instant(item.failingSince),
    html`${latest(visit, item)} ${ui.muted(instant(item.lastDeliveryAt))}`,
    html`${item.deadLetters}
    ${unrecovered > 0 && ui.chip(webhooks.unrecovered(unrecovered), 'warn')}`,
  ];
}

/** The error of an attempt, or its status. */
const outcome = ({ texts }: Visit, errorSummary: string | null, httpStatus: number | null): Html =>
  errorSummary === null
    ? ui.own(httpStatus ?? '—')
    : html`${texts.codes.attemptFailure(errorSummary)} ${ui.muted(ui.own(errorSummary))}`;
const latest = (
  visit: Visit,
  { lastErrorSummary, lastHttpStatus }: api.Subscription | api.Delivery,
): Html => outcome(visit, lastErrorSummary, lastHttpStatus);

const deliveryStates = ['waiting', 'deadLettered', 'succeeded'] as const;

/** The deliveries of all vendors, or of one subscription with its health and recovery. */
const showDeliveries: ShowPage = async (visit, notice) => {
  const { texts, value, instant } = visit;
  const { webhooks } = texts;
  const { event, attempts, last, next } = webhooks;
  const one = { subscriptionId: value('subscriptionId'), eventId: value('eventId') };
  const filter = {
    vendorId: value('vendorId'),
    state: visit.choice('state', deliveryStates),
    eventType: visit.choice('eventType', eventTypes),
  };
  const list = await ui.readFiltered<api.Delivery>(visit, deliveries, { ...filter, ...one });
  const vendors = await readVendors(visit, list.items);
  const choices = ui.named(deliveryStates, webhooks.deliveryStates);
  const types = eventTypes.map((type) => [type, type] as const);
  return ui.listPage(visit, list, {
    title: webhooks.deliveries,
    notice: notice ?? ui.doneNote(visit, webhooks.done),
    fields: [
      ui.hiddenFields(one),
      vendors.field,
      ui.choiceField(visit, texts.status, 'state', choices),
      ui.choiceField(visit, event, 'eventType', types),
    ],
    columns: [event, texts.vendor, texts.status, [attempts], last, next],
    row: (item) => [
      html`${ui.link(`${path}/${item.id}`, ui.own(item.eventType))}
      ${ui.muted(instant(item.createdAt))}`,
      html`${vendors.nameOf(item.vendorId)} ${ui.muted(ui.code(item.subscription.url))}`,
      deliveryState(visit, item),
      item.attemptCount,
      latest(visit, item),
      instant(item.nextAttemptAt),
    ],
    before: one.subscriptionId !== '' && (await subscriptionCard(visit, one.subscriptionId, list)),
  });
};

/** The state, with a mark on a dead letter that was redelivered. */
function deliveryState({ texts: { webhooks } }: Visit, { state, recoveredFrom }: api.Delivery) {
  const isBad = state === 'deadLettered' || state === 'failed';
  const mark = state === 'succeeded' ? 'good' : isBad && 'bad';
  return html`${ui.chip(webhooks.deliveryStates[state], mark)}
  ${recoveredFrom !== null && ui.chip(webhooks.recovered)}`;
}

/**
 * The health of one subscription, with the form that recovers its dead letters. A link that does
 * not name its vendor leaves that to its deliveries, because all vendors have too many
 * subscriptions.
 */
async function subscriptionCard(
  visit: Visit,
  subscriptionId: string,
  listed: api.ListOf<api.Delivery>,
): Promise<Html | null> {
  const { texts, value } = visit;
  const { webhooks } = texts;
  const query = { vendorId: value('vendorId') || listed.items[0]?.vendorId };
  if (query.vendorId === undefined) return null;
  const { items } = await ui.readWhole<api.Subscription>(visit, subscriptions, query);
  const item = items.find(({ id }) => id === subscriptionId);
  if (item === undefined) return null;
  const since = item.failingSince ?? new Date(Date.now() - 86_400_000).toISOString();
  const shown = health(visit, item);
  const time = html`type="datetime-local" required`;
  return ui.card(
    ui.code(item.url),
    html`${ui.facts(healthNames(visit).map((name, index) => [name, shown[index]]))}
    ${
      item.isActive
        ? html`<form method="post" action="/console/webhooks/recover" class="filter">
            ${ui.hiddenFields({ vendorId: item.vendorId, subscriptionId })}
            ${ui.textField(visit, webhooks.since, 'since', visit.typed('since') || since.slice(0, 16), time)}
            <button>${webhooks.recover}</button>
          </form>`
        : item.deletedAt === null && ui.hint(webhooks.mustActivate)
    }`,
  );
}

/** Recovers dead letters, and shows how many. The form has UTC, without an offset or seconds. */
const recover: Act = async ({ value, send }) => {
  const [vendorId, subscriptionId] = [value('vendorId'), value('subscriptionId')];
  const since = `${value('since')}${value('since').length === 16 ? ':00Z' : 'Z'}`;
  const body = { subscriptionId, since };
  const { recovered } = await send<{ readonly recovered: number }>(
    apiPath`${deliveries}/recover`,
    body,
  );
  return { next: ofSubscription(vendorId, subscriptionId, recovered) };
};

/** One delivery with what was sent and answered at each attempt, the newest first. */
const showDelivery: ShowPage = async (visit, notice) => {
  const { texts, read, instant, id } = visit;
  const { webhooks } = texts;
  const [item, attempts] = await ui.allInOrder([
    read<api.Delivery>(apiPath`${deliveries}/${id}`),
    ui.readList<api.Attempt>(visit, apiPath`${deliveries}/${id}/attempts`),
  ]);
  const { nameOf } = await readVendorNames(visit, [item]);
  const { state, vendorId, subscriptionId, subscription, workflow } = item;
  const canRedeliver = state !== 'waiting' && !item.isTest && subscription.isActive;
  return {
    title: item.eventType,
    above: deliveryState(visit, item),
    beside: ui.muted(
      html`${auditLink(visit, id)} · ${ui.outerLink(workflow.runsUrl, texts.decision.run)}`,
    ),
    notice: notice ?? ui.doneNote(visit, () => webhooks.redelivered),
    content: html`${ui.factsCard(webhooks.delivery, [
      ['URL', ui.link(ofSubscription(vendorId, subscriptionId), ui.code(subscription.url))],
      [texts.vendor, nameOf(vendorId)],
      [
        webhooks.event,
        ui.link(ui.withQuery(path, { eventId: item.eventId }), ui.code(item.eventId)),
      ],
      [texts.created, instant(item.createdAt)],
      [webhooks.deadSince, instant(item.deadLetteredAt)],
      [webhooks.wasDead, instant(item.recoveredFrom)],
      [webhooks.next, instant(item.nextAttemptAt)],
    ])}
    ${attempts.items.map((attempt, index) => attemptCard(visit, attempt, index === 0))}
    ${ui.pager(visit, attempts.pagination)}`,
    actions: canRedeliver && ui.postButton(`${path}/${id}/redeliver`, webhooks.redeliver),
  };
};

/** An attempt. What was sent and answered is the text of others, and stays text. */
function attemptCard(visit: Visit, attempt: api.Attempt, isOpen: boolean): Html {
  const { texts, instant, language } = visit;
  const { webhooks } = texts;
  const { errorSummary, httpStatus, durationMs } = attempt;
  const part = (
    name: string,
    sent: api.Attempt['request'] | api.Attempt['answer'],
    textOf = (text: string): string => text,
  ): Html | null =>
    sent &&
    html`<details ${isOpen && html`open`}>
      <summary>${name}</summary>
      <pre dir="ltr">
${sent.headers.map((each) => `${each.name}: ${each.value}\n`)}
${sent.body === null ? webhooks.noText : textOf(sent.body)}</pre>
    </details>`;
  const took = durationMs !== null && html`· ${ui.inUnits(durationMs, 'millisecond', language)}`;
  return ui.card(
    webhooks.attempt(attempt.attemptNumber),
    html`${outcome(visit, errorSummary, httpStatus)}
    ${ui.muted(html`${instant(attempt.sentAt)} ${took}`)}
    ${part(webhooks.request, attempt.request, indented)} ${part(webhooks.answer, attempt.answer)}`,
  );
}

/** JSON of this gateway with a line for each value; a text that was cut as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const redeliver: Act = async ({ id, send }) => {
  // A form that was sent twice finds a delivery that is about to be sent.
  await orNull(
    send(apiPath`${deliveries}/${id}/redeliver`),
    ({ details }) => 'reason' in details && details.reason === 'WAITING',
  );
  return { next: `${path}/${id}?done=1` };
};

export const webhookPages: AddPages = ({ show, submit }) => {
  show('/console/webhooks', showSubscriptions);
  show(path, showDeliveries);
  show('/console/webhooks/recover', showDeliveries);
  submit('/console/webhooks/recover', recover, showDeliveries);
  show(`${path}/:id`, showDelivery);
  submit(`${path}/:id/redeliver`, redeliver, showDelivery);
};
