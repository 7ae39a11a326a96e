import { groupStatuses } from '../../domain/orders/fulfilment-status.ts';
import type { ListedOrder, Vendor } from '../http/api-types.ts';
import type { AddPages } from '../http/pages.ts';
import { readVendors } from '../http/read-vendors.ts';
import type { Next, Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Part } from '../html/html.ts';
import { choiceField, listPage, readList, searchField, vendorField } from '../html/list.ts';

type Vendors = ReadonlyMap<string, Vendor>;
type GroupOf = Pick<ListedOrder['groups'][number], 'vendorId' | 'status'>;

/** The vendor of a group, or why it has none. */
export function vendorOf({ texts: { orders } }: Visit, group: GroupOf, vendors: Vendors): Part {
  const { vendorId, status } = group;
  if (vendorId !== null) return html`<bdi>${vendors.get(vendorId)?.name}</bdi>`;
  return status === 'PendingSourcing' ? orders.noVendor : orders.service;
}

/** The first or the last instant of a day in UTC; the empty text for what is no day. */
const instantOf = (day: string, time: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T${time}Z` : '';

/** Every order, the newest first; an order's id leads to it. */
async function showOrders(visit: Visit): Promise<Page | Next> {
  const { texts, value } = visit;
  const { orders } = texts;
  const id = value('orderGlobalId');
  if (id !== '') return { next: `/console/orders/${encodeURIComponent(id)}` };
  const [from, to] = [value('from'), value('to')];
  const filter = {
    vendorId: value('vendorId'),
    status: groupStatuses.find((status) => status === value('status')) ?? '',
  };
  const days = { from: instantOf(from, '00:00:00'), to: instantOf(to, '23:59:59.999999') };
  const list = await readList<ListedOrder>(visit, '/operator/v1/orders', { ...filter, ...days });
  const ids = list.items.flatMap(({ groups }) => groups.map(({ vendorId }) => vendorId));
  const vendors = await readVendors(visit, [...ids, filter.vendorId || null]);
  const statuses = groupStatuses.map((status) => [status, orders.statuses[status]] as const);
  const dayField = (label: string, name: string) =>
    html`<label>${label}<input type="date" name="${name}" value="${value(name)}" /></label>`;
  return listPage(visit, list, {
    title: orders.title,
    path: '/console/orders',
    filter: { ...filter, from, to },
    fields: [
      searchField(visit, orders.order, 'orderGlobalId'),
      vendorField(visit, vendors),
      choiceField(visit, texts.status, 'status', statuses),
      dayField(orders.from, 'from'),
      dayField(orders.to, 'to'),
    ],
    columns: [orders.order, orders.groups, [texts.returns.lines]],
    row: ({ orderGlobalId, createdAt, groups }) => [
      html`<a href="/console/orders/${orderGlobalId}"><bdi class="id">${orderGlobalId}</bdi></a>
        <div class="muted">${instant(createdAt, visit.language)}</div>`,
      groups.map(
        (group) =>
          html`<div>
            ${vendorOf(visit, group, vendors)}
            <span class="chip">${orders.statuses[group.status]}</span>
          </div>`,
      ),
      groups.reduce((sum, { lines }) => sum + lines.length, 0),
    ],
    empty: orders.empty,
  });
}

export const ordersPage: AddPages = ({ show }) => show('/console/orders', showOrders);
