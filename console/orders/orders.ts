import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import type { ListedOrder, OrderGroup } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { named, textField } from '../html/forms.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { choiceField, listPage, readList, searchField } from '../html/list.ts';
import { chip, code, link, muted } from '../html/parts.ts';
import { readVendors } from '../vendors/vendor-names.ts';

type NameOf = (vendorId: string | null) => Html;
type GroupOf = Pick<OrderGroup, 'vendorId' | 'status'>;

/** The vendor of a group, or why it has none, and the group's status. */
export function groupTitle({ texts: { orders } }: Visit, group: GroupOf, nameOf: NameOf): Part {
  const { vendorId, status } = group;
  const none = status === 'PendingSourcing' ? orders.noVendor : orders.service;
  return html`${vendorId === null ? none : nameOf(vendorId)} ${chip(orders.statuses[status])}`;
}

/** The first or the last instant of a day in UTC; the empty text for what is no day. */
const instantOf = (day: string, time: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T${time}Z` : '';

/** Every order, the newest first; an order's id leads to it. */
async function showOrders(visit: Visit): Promise<Page | Next> {
  const { texts, value, instant } = visit;
  const { orders } = texts;
  const id = value('orderGlobalId');
  if (id !== '') return { next: `/console/orders/${encodeURIComponent(id)}` };
  const list = await readList<ListedOrder>(visit, '/operator/v1/orders', {
    vendorId: value('vendorId'),
    status: visit.choice('status', groupStatuses),
    from: instantOf(value('from'), '00:00:00'),
    to: instantOf(value('to'), '23:59:59.999999'),
  });
  const ids = list.items.flatMap(({ groups }) => groups.map(({ vendorId }) => vendorId));
  const vendors = await readVendors(visit, ids);
  return listPage(visit, list, {
    title: orders.title,
    fields: [
      searchField(visit, orders.order, 'orderGlobalId'),
      vendors.field,
      choiceField(visit, texts.status, 'status', named(groupStatuses, orders.statuses)),
      textField(orders.from, 'from', value('from'), html`type="date"`),
      textField(orders.to, 'to', value('to'), html`type="date"`),
    ],
    columns: [orders.order, orders.groups, [texts.returns.lines]],
    row: ({ orderGlobalId, createdAt, groups }) => [
      html`${link(`/console/orders/${orderGlobalId}`, code(orderGlobalId))}
      ${muted(instant(createdAt))}`,
      groups.map((group) => html`<div>${groupTitle(visit, group, vendors.nameOf)}</div>`),
      groups.reduce((sum, { lines }) => sum + lines.length, 0),
    ],
  });
}

export const ordersPage: AddPages = ({ show }) => show('/console/orders', showOrders);
