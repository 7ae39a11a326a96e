import { groupTransitions } from '../../domain/orders/fulfilment-status.ts';
import type { ListOf, Order, OrderGroup, Return, Vendor } from '../http/api-types.ts';
import { formOf } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import { readVendors } from '../http/read-vendors.ts';
import type { Page, Visit } from '../http/visit.ts';
import { instant } from '../html/formats.ts';
import { html, type Html } from '../html/html.ts';
import { auditLink } from '../audit/audit-link.ts';
import { facts, hiddenFields, options, rowsTable } from '../html/parts.ts';
import { vendorOf } from './orders.ts';

type Vendors = ReadonlyMap<string, Vendor>;

/** An order: its groups with their lines, states and address, and the returns of it. */
async function showOrder(visit: Visit, notice: Html | null = null): Promise<Page> {
  const { texts, read, value, language } = visit;
  const { orders, returns } = texts;
  const id = value('id');
  const [order, returned] = await Promise.all([
    read<Order>(`/operator/v1/orders/${encodeURIComponent(id)}`),
    read<ListOf<Return>>('/operator/v1/returns', { orderGlobalId: id, pageSize: 100 }),
  ]);
  const { groups } = order;
  const vendors = await readVendors(
    visit,
    groups.map(({ vendorId }) => vendorId),
  );
  return {
    title: order.orderGlobalId,
    body: html`${notice}
      <div class="head">
        <div>
          <div class="muted">${orders.order} · ${instant(order.createdAt, language)}</div>
          <h1><bdi class="id">${order.orderGlobalId}</bdi></h1>
        </div>
        ${auditLink(visit, order.orderGlobalId.replace('ord_', ''))}
      </div>
      <div class="stack">
        ${groups.map((group) => groupCard(visit, group, vendors))}
        <h2>${returns.title}</h2>
        ${rowsTable(
          [returns.number, texts.status, returns.requested],
          returned.items.map((item) => [
            html`<a href="/console/returns/${item.id}">
              <bdi>${item.returnRequestNumber ?? item.id}</bdi>
            </a>`,
            texts.statuses[item.status],
            instant(item.requestedAt, language),
          ]),
          orders.noReturns,
        )}
      </div>`,
  };
}

/** The facts that are known. */
const known = (rows: readonly (readonly [string, string | Html | null])[]) =>
  rows.flatMap(([name, value]) =>
    value === null ? [] : [[name, html`<bdi>${value}</bdi>`] as const],
  );

function groupCard(visit: Visit, group: OrderGroup, vendors: Vendors): Html {
  const { texts, language } = visit;
  const { orders, returns } = texts;
  const at = (iso: string | null) => (iso === null ? null : instant(iso, language));
  const { shipRecipient, shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode } = group;
  const address = [shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode, group.shipCountry];
  return html`<section class="card">
    <div class="head">
      <h2>
        ${vendorOf(visit, group, vendors)}
        <span class="chip">${orders.statuses[group.status]}</span>
      </h2>
      ${auditLink(visit, group.groupId)}
    </div>
    <div class="decide">
      ${rowsTable(
        ['SKU', [returns.quantity]],
        group.lines.map(({ sku, variantId, quantity }) => [
          html`<a href="/console/catalogue/${variantId}"><bdi class="id">${sku}</bdi></a>`,
          quantity,
        ]),
        texts.none,
      )}
      ${facts(
        known([
          [orders.shipTo, shipRecipient],
          [orders.address, address.filter((part) => part !== null).join(', ')],
          [orders.phone, group.shipPhone],
          [orders.carrier, group.carrierNameOther ?? group.carrier],
          [orders.tracking, group.trackingRef],
          [orders.vendorOrder, group.vendorOrderId],
          [orders.statuses.Packed, at(group.packedAt)],
          [orders.statuses.Shipped, at(group.shippedAt)],
          [orders.statuses.Delivered, at(group.deliveredAt)],
        ]),
      )}
    </div>
    ${groupForms(visit, group, vendors)}
  </section>`;
}

/** The assignment of a group without a vendor, and the states that a group may move to. */
function groupForms(visit: Visit, { groupId, status, trackingRef }: OrderGroup, vendors: Vendors) {
  const { texts, value } = visit;
  const { orders } = texts;
  const path = `/console/orders/${value('id')}`;
  const moves = groupTransitions.filter(({ from }) => from.includes(status));
  const steps = moves.filter(({ action }) => action !== 'assign' && action !== 'cancel');
  const active = Array.from(vendors.values()).filter(({ isActive }) => isActive);
  const names = active.map(({ id, name }) => [id, name] as const);
  return html`${
    status === 'PendingSourcing' &&
    html`<form method="post" action="${path}/assign" class="filter">
      ${hiddenFields({ groupId })}
      <label>
        ${texts.vendor}
        <select name="vendorId" required>
          ${options(names, '', texts.none)}
        </select>
      </label>
      <button>${orders.moves.assign}</button>
    </form>`
  }
  ${
    steps.length > 0 &&
    html`<form method="post" action="${path}/move" class="filter">
      ${hiddenFields({ groupId })}
      <label>
        ${orders.tracking}<input name="trackingRef" value="${trackingRef}" dir="ltr" />
      </label>
      ${steps.map(
        ({ to, action }) =>
          html`<button name="status" value="${to}">${orders.moves[action]}</button>`,
      )}
    </form>`
  }
  ${
    moves.some(({ action }) => action === 'cancel') &&
    html`<details>
      <summary>${orders.moves.cancel}</summary>
      <form method="post" action="${path}/move">
        ${hiddenFields({ groupId, trackingRef })}
        <button class="danger" name="status" value="Cancelled">${orders.cancelNow}</button>
      </form>
    </details>`
  }`;
}

/** Assigns or moves a group, and shows the order as it is then. */
const changeGroup = (call: (visit: Visit, path: string) => Promise<unknown>) =>
  formOf(showOrder, async (visit) => {
    await call(visit, `/operator/v1/groups/${encodeURIComponent(visit.value('groupId'))}`);
    return { next: `/console/orders/${encodeURIComponent(visit.value('id'))}` };
  });

export const orderPages: AddPages = ({ show, submit }) => {
  show('/console/orders/:id', showOrder);
  submit(
    '/console/orders/:id/assign',
    changeGroup(({ send, value }, path) => send(`${path}/assign`, { vendorId: value('vendorId') })),
  );
  submit(
    '/console/orders/:id/move',
    changeGroup(({ send, value }, path) => {
      const trackingRef = value('trackingRef') || null;
      return send(path, { status: value('status'), trackingRef }, { method: 'PATCH' });
    }),
  );
};
