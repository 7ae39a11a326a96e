import type { Subscription } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import { vendorNames } from '../http/read-vendors.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { choiceField, listPage, readList } from '../html/list.ts';

const states = ['active', 'inactive', 'deleted'] as const;

/** The subscriptions of all vendors, or of one, with their failures. */
async function showSubscriptions(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { webhooks } = texts;
  const vendorId = value('vendorId');
  const state = states.find((each) => each === value('state')) ?? '';
  const list = await readList<Subscription>(visit, '/operator/v1/webhook-subscriptions', {
    vendorId,
    isDeleted: String(state === 'deleted'),
    isActive: state === 'active' ? 'true' : state === 'inactive' ? 'false' : '',
  });
  const vendors = await vendorNames(visit, list.items);
  return listPage(visit, list, {
    title: webhooks.title,
    path: '/console/webhooks',
    filter: { vendorId, state },
    fields: [
      vendors.field,
      choiceField(visit, texts.status, 'state', Object.entries(webhooks.states)),
    ],
    columns: ['URL', texts.vendor, ...healthNames(visit)],
    row: (item) => [
      html`<a href="${deliveriesOf(item)}"><bdi class="id">${item.url}</bdi></a>`,
      vendors.nameOf(item.vendorId),
      ...health(visit, item),
    ],
    empty: webhooks.empty,
    after: html`<p><a href="/console/webhooks/deliveries">${webhooks.deliveries.all}</a></p>`,
  });
}

const deliveriesOf = ({ id: subscriptionId, vendorId }: Subscription): string =>
  withQuery('/console/webhooks/deliveries', { vendorId, subscriptionId });

export const healthNames = ({ texts: { status, webhooks } }: Visit): readonly string[] => [
  status,
  webhooks.times.failingSince,
  webhooks.times.last,
  webhooks.deadLetters,
];

/** The state of a subscription and its failures. */
export function health({ texts, language }: Visit, item: Subscription): readonly Part[] {
  const { webhooks } = texts;
  const { isActive, inactiveReason, deletedAt, unrecovered } = item;
  const state = isActive ? 'active' : deletedAt === null ? 'inactive' : 'deleted';
  return [
    html`<span class="chip ${isActive ? 'good' : 'warn'}">${webhooks.states[state]}</span>
      <bdi class="muted">${inactiveReason}</bdi>`,
    instant(item.failingSince, language),
    html`${outcome(item)}
      <div class="muted">${instant(item.lastDeliveryAt, language)}</div>`,
    html`${item.deadLetters}
    ${unrecovered > 0 && html`<span class="chip warn">${webhooks.unrecovered(unrecovered)}</span>`}`,
  ];
}

/** The error of a latest attempt, or its status. */
export const outcome = ({
  lastErrorSummary,
  lastHttpStatus,
}: Pick<Subscription, 'lastErrorSummary' | 'lastHttpStatus'>): Html =>
  html`<bdi>${lastErrorSummary ?? lastHttpStatus ?? '—'}</bdi>`;

export const subscriptionsPage: AddPages = ({ show }) =>
  show('/console/webhooks', showSubscriptions);
