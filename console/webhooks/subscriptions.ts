import type { Subscription } from '../http/api-types.ts';
import { withQuery } from '../http/gateway-calls.ts';
import type { AddPages } from '../http/pages.ts';
import type { Page, Visit } from '../http/visit.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { choiceField, listPage, readList } from '../html/list.ts';
import { chip, code, link, muted, own } from '../html/parts.ts';
import { readVendors } from '../vendors/vendor-names.ts';

const states = ['active', 'inactive', 'deleted'] as const;

/** The subscriptions of all vendors, or of one, with their failures. */
async function showSubscriptions(visit: Visit): Promise<Page> {
  const { texts, value } = visit;
  const { webhooks } = texts;
  const state = visit.choice('state', states);
  const list = await readList<Subscription>(visit, '/operator/v1/webhook-subscriptions', {
    vendorId: value('vendorId'),
    isDeleted: String(state === 'deleted'),
    isActive: state === 'active' ? 'true' : state === 'inactive' ? 'false' : '',
  });
  const ids = list.items.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  const deliveriesOf = ({ id: subscriptionId, vendorId }: Subscription): string =>
    withQuery('/console/webhooks/deliveries', { vendorId, subscriptionId });
  return listPage(visit, list, {
    title: webhooks.title,
    fields: [
      vendors.field,
      choiceField(visit, texts.status, 'state', Object.entries(texts.states)),
    ],
    columns: ['URL', texts.vendor, ...healthNames(visit)],
    row: (item) => [
      link(deliveriesOf(item), code(item.url)),
      vendors.nameOf(item.vendorId),
      ...health(visit, item),
    ],
    empty: webhooks.empty,
    after: link('/console/webhooks/deliveries', webhooks.deliveries.all),
  });
}

export const healthNames = ({ texts: { status, webhooks } }: Visit): readonly string[] => [
  status,
  webhooks.times.failingSince,
  webhooks.times.last,
  webhooks.deadLetters,
];

/** The state of a subscription and its failures. */
export function health({ texts, instant }: Visit, item: Subscription): readonly Part[] {
  const { states: names, webhooks } = texts;
  const { isActive, inactiveReason, deletedAt, unrecovered } = item;
  const state = isActive ? 'active' : deletedAt === null ? 'inactive' : 'deleted';
  const reason =
    webhooks.reasons[inactiveReason as keyof typeof webhooks.reasons] ?? inactiveReason;
  return [
    html`${chip(names[state], isActive ? 'good' : 'bad')} ${muted(own(reason))}`,
    instant(item.failingSince),
    html`${outcome(item)} ${muted(instant(item.lastDeliveryAt))}`,
    html`${item.deadLetters} ${unrecovered > 0 && chip(webhooks.unrecovered(unrecovered), 'warn')}`,
  ];
}

/** The error of a latest attempt, or its status. */
export const outcome = ({
  lastErrorSummary,
  lastHttpStatus,
}: Pick<Subscription, 'lastErrorSummary' | 'lastHttpStatus'>): Html =>
  own(lastErrorSummary ?? lastHttpStatus ?? '—');

export const subscriptionsPage: AddPages = ({ show }) =>
  show('/console/webhooks', showSubscriptions);
