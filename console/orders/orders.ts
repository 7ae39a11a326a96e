import { groupStatuses, groupTransitions } from '../../domain/orders/fulfilment-status.ts';
import { auditLink } from '../audit/audit.ts';
import { html, type Html, type Part } from '../html/html.ts';
import * as ui from '../html/ui.ts';
import type { ListedOrder, ListOf, Order, OrderGroup, Return } from '../http/api-types.ts';
import type { AddPages, Next, Page, ShowPage, Visit } from '../http/visit.ts';
import { readVendors } from '../vendors/vendor-names.ts';

type NameOf = (vendorId: string | null) => Html;
type GroupOf = Pick<OrderGroup, 'vendorId' | 'status'>;

/** The vendor of a group, or why it has none, and the group's status. */
function groupTitle({ texts: { orders } }: Visit, group: GroupOf, nameOf: NameOf): Part {
  const { vendorId, status } = group;
  const none = status === 'PendingSourcing' ? orders.noVendor : orders.service;
  return html`${vendorId === null ? none : nameOf(vendorId)} ${ui.chip(orders.statuses[status])}`;
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
  const list = await ui.readList<ListedOrder>(visit, '/operator/v1/orders', {
    vendorId: value('vendorId'),
    status: visit.choice('status', groupStatuses),
    from: instantOf(value('from'), '00:00:00'),
    to: instantOf(value('to'), '23:59:59.999999'),
  });
  const ids = list.items.flatMap(({ groups }) => groups.map(({ vendorId }) => vendorId));
  const vendors = await readVendors(visit, ids);
  return ui.listPage(visit, list, {
    title: orders.title,
    fields: [
      ui.searchField(visit, orders.order, 'orderGlobalId'),
      vendors.field,
      ui.choiceField(visit, texts.status, 'status', ui.named(groupStatuses, orders.statuses)),
      ui.textField(orders.from, 'from', value('from'), html`type="date"`),
      ui.textField(orders.to, 'to', value('to'), html`type="date"`),
    ],
    columns: [orders.order, orders.groups, [texts.returns.lines]],
    row: ({ orderGlobalId, createdAt, groups }) => [
      html`${ui.link(`/console/orders/${orderGlobalId}`, ui.code(orderGlobalId))}
      ${ui.muted(instant(createdAt))}`,
      groups.map((group) => html`<div>${groupTitle(visit, group, vendors.nameOf)}</div>`),
      groups.reduce((sum, { lines }) => sum + lines.length, 0),
    ],
  });
}

type Vendors = Awaited<ReturnType<typeof readVendors>>;

/** An order: its groups with their lines, states and address, and the returns of it. */
const showOrder: ShowPage = async (visit, notice) => {
  const { texts, read, value, instant } = visit;
  const { orders, returns } = texts;
  const [{ orderGlobalId, createdAt, groups }, returned] = await Promise.all([
    read<Order>(`/operator/v1/orders/${visit.id}`),
    read<ListOf<Return>>('/operator/v1/returns', { orderGlobalId: value('id'), pageSize: 100 }),
  ]);
  const ids = groups.map(({ vendorId }) => vendorId);
  const vendors = await readVendors(visit, ids);
  const rows = returned.items.map(({ id, returnRequestNumber, status, requestedAt }) => [
    ui.link(`/console/returns/${id}`, ui.own(returnRequestNumber ?? id)),
    texts.statuses[status],
    instant(requestedAt),
  ]);
  const columns = [returns.number, texts.status, returns.requested];
  return {
    title: orderGlobalId,
    above: html`${orders.order} · ${instant(createdAt)}`,
    heading: ui.code(orderGlobalId),
    beside: auditLink(visit, orderGlobalId.replace('ord_', '')),
    notice,
    content: html`${groups.map((group) => groupCard(visit, group, vendors))}
    ${ui.section(returns.title, ui.rowsTable(columns, rows, orders.noReturns))}`,
  };
};

function groupCard(visit: Visit, group: OrderGroup, vendors: Vendors): Html {
  const { texts, instant } = visit;
  const { orders, returns } = texts;
  const { shipRecipient, shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode } = group;
  const address = [shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode, group.shipCountry];
  const at = (iso: string | null) => iso && instant(iso);
  const known: readonly (readonly [name: string, fact: Part])[] = [
    [orders.shipTo, shipRecipient],
    [orders.address, address.filter((part) => part !== null).join(', ')],
    [orders.phone, group.shipPhone],
    [orders.carrier, group.carrierNameOther ?? group.carrier],
    [orders.tracking, group.trackingRef],
    [orders.vendorOrder, group.vendorOrderId],
    [orders.statuses.Packed, at(group.packedAt)],
    [orders.statuses.Shipped, at(group.shippedAt)],
    [orders.statuses.Delivered, at(group.deliveredAt)],
  ];
  const lines = group.lines.map(({ sku, variantId, quantity }) => [
    ui.link(`/console/catalogue/${variantId}`, ui.code(sku)),
    quantity,
  ]);
  return html`<section class="card">
    <div class="head">
      <h2>${groupTitle(visit, group, vendors.nameOf)}</h2>
      ${auditLink(visit, group.groupId)}
    </div>
    <div class="decide">
      ${ui.rowsTable(['SKU', [returns.quantity]], lines, texts.none)}
      ${ui.facts(known.flatMap(([name, fact]) => (fact === null ? [] : [[name, ui.own(fact)] as const])))}
    </div>
    ${groupForms(visit, group, vendors)}
  </section>`;
}

/** The assignment of a group without a vendor, and the states that a group may move to. */
function groupForms({ texts, id }: Visit, group: OrderGroup, vendors: Vendors): Html {
  const { orders, vendor } = texts;
  const { groupId, status, trackingRef } = group;
  const path = `/console/orders/${id}`;
  const moves = groupTransitions.filter(({ from }) => from.includes(status));
  const steps = moves.filter(({ action }) => action !== 'assign' && action !== 'cancel');
  const active = vendors.all.filter(({ isActive }) => isActive);
  const names = active.map((each) => [each.id, each.name] as const);
  return html`${
    status === 'PendingSourcing' &&
    html`<form method="post" action="${path}/assign" class="filter">
      ${ui.hiddenFields({ groupId })} ${ui.requiredChoice(vendor, 'vendorId', names, '')}
      <button>${orders.moves.assign}</button>
    </form>`
  }
  ${
    steps.length > 0 &&
    html`<form method="post" action="${path}/move" class="filter">
      ${ui.hiddenFields({ groupId })}
      ${ui.textField(orders.tracking, 'trackingRef', trackingRef, html`dir="ltr"`)}
      ${steps.map(
        ({ to, action }) =>
          html`<button name="status" value="${to}">${orders.moves[action]}</button>`,
      )}
    </form>`
  }
  ${
    moves.some(({ action }) => action === 'cancel') &&
    ui.openedForm({
      action: `${path}/move`,
      button: orders.moves.cancel,
      content: ui.hiddenFields({ groupId, trackingRef, status: 'Cancelled' }),
      isDanger: true,
    })
  }`;
}

export const orderPages: AddPages = ({ show, submit }) => {
  show('/console/orders', showOrders);
  show('/console/orders/:id', showOrder);
  /** Assigns or moves a group, and shows the order as it is then. */
  const change = (name: string, send: (visit: Visit, group: string) => Promise<unknown>) =>
    submit(
      `/console/orders/:id/${name}`,
      async (visit) => {
        await send(visit, `/operator/v1/groups/${encodeURIComponent(visit.value('groupId'))}`);
        return { next: `/console/orders/${visit.id}` };
      },
      showOrder,
    );
  change('assign', ({ send, value }, group) =>
    send(`${group}/assign`, { vendorId: value('vendorId') }),
  );
  change('move', ({ send, value }, group) => {
    const body = { status: value('status'), trackingRef: value('trackingRef') || null };
    return send(group, body, { method: 'PATCH' });
  });
};
