import type { Delivery, ListOf, Subscription } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { vendorNames } from '../http/read-vendors.ts';
import { formOf } from '../http/attempt.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { choiceField, listPage, readList } from '../html/list.ts';
import { card, doneNote, facts, hiddenFields } from '../html/parts.ts';
import { health, healthNames, outcome } from './subscriptions.ts';

const path = '/console/webhooks/deliveries';
const states = ['waiting', 'deadLettered', 'succeeded'] as const;

/** The deliveries of all vendors; those of one subscription with its health and recovery. */
async function showDeliveries(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, value, language } = visit;
  const { webhooks } = texts;
  const [subscriptionId, eventId] = [value('subscriptionId'), value('eventId')];
  const state = states.find((each) => each === value('state')) ?? '';
  const filter = { vendorId: value('vendorId'), subscriptionId, eventId, state };
  const list = await readList<Delivery>(visit, '/operator/v1/webhook-deliveries', filter);
  const vendors = await vendorNames(visit, list.items);
  const choices = states.map((each) => [each, webhooks.deliveryStates[each]] as const);
  return listPage(visit, list, {
    title: webhooks.deliveries.title,
    path,
    filter,
    fields: [
      hiddenFields({ subscriptionId, eventId }),
      vendors.field,
      choiceField(visit, texts.status, 'state', choices),
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
      html`<a href="${path}/${item.id}"><bdi>${item.eventType}</bdi></a>
        <div class="muted">${instant(item.createdAt, language)}</div>`,
      html`${vendors.nameOf(item.vendorId)}
        <div class="muted"><bdi class="id">${item.subscription.url}</bdi></div>`,
      deliveryState(visit, item),
      item.attemptCount,
      outcome(item),
      instant(item.nextAttemptAt, language),
    ],
    empty: webhooks.deliveries.none,
    before: html`${notice ?? doneNote(visit, webhooks.done)}
    ${subscriptionId !== '' && (await subscriptionCard(visit, subscriptionId))}`,
  });
}

const marks = { succeeded: 'good', deadLettered: 'bad', failed: 'bad', waiting: '', cancelled: '' };

/** The state, with a mark on a dead letter that was redelivered. */
export const deliveryState = ({ texts: { webhooks } }: Visit, item: Delivery): Html =>
  html`<span class="chip ${marks[item.state]}">${webhooks.deliveryStates[item.state]}</span>
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
  return card(
    html`<bdi class="id">${item.url}</bdi>`,
    html`${facts(healthNames(visit).map((name, index) => [name, shown[index]]))}
    ${
      item.isActive
        ? html`<form method="post" action="/console/webhooks/recover" class="filter">
            ${hiddenFields({ vendorId, subscriptionId })}
            <label>
              ${webhooks.since}
              <input type="datetime-local" name="since" required value="${since.slice(0, 16)}" />
            </label>
            <button>${webhooks.recover}</button>
          </form>`
        : item.deletedAt === null && html`<p class="muted">${webhooks.mustActivate}</p>`
    }`,
  );
}

/** Recovers dead letters, and shows how many. The form has UTC, without an offset or seconds. */
const recover = formOf(showDeliveries, async ({ value, send }) => {
  const [vendorId, subscriptionId] = [value('vendorId'), value('subscriptionId')];
  const since = `${value('since')}${value('since').length === 16 ? ':00Z' : 'Z'}`;
  const { recovered: done } = await send<{ readonly recovered: number }>(
    '/operator/v1/webhook-deliveries/recover',
    { subscriptionId, since },
  );
  return { next: withQuery(path, { vendorId, subscriptionId, done }) };
});

export const deliveriesPages: AddPages = ({ show, submit }) => {
  show(path, showDeliveries);
  submit('/console/webhooks/recover', recover);
};
