import { groupTransitions } from '../../domain/orders/fulfilment-status.ts';
import { auditLink } from '../audit/audit.ts';
import type { ListOf, Order, OrderGroup, Return } from '../http/api-types.ts';
import type { ShowPage } from '../http/attempt.ts';
import type { AddPages } from '../http/pages.ts';
import type { Visit } from '../http/visit.ts';
import { hiddenFields, openedForm, requiredChoice, textField } from '../html/forms.ts';
import { html, type Html, type Part } from '../html/html.ts';
import { code, facts, link, own, rowsTable, section } from '../html/parts.ts';
import { readVendors } from '../vendors/vendor-names.ts';
import { groupTitle } from './orders.ts';

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
    link(`/console/returns/${id}`, own(returnRequestNumber ?? id)),
    texts.statuses[status],
    instant(requestedAt),
  ]);
  const columns = [returns.number, texts.status, returns.requested];
  return {
    title: orderGlobalId,
    above: html`${orders.order} · ${instant(createdAt)}`,
    heading: code(orderGlobalId),
    beside: auditLink(visit, orderGlobalId.replace('ord_', '')),
    notice,
    content: html`${groups.map((group) => groupCard(visit, group, vendors))}
    ${section(returns.title, rowsTable(columns, rows, orders.noReturns))}`,
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
    link(`/console/catalogue/${variantId}`, code(sku)),
    quantity,
  ]);
  return html`<section class="card">
    <div class="head">
      <h2>${groupTitle(visit, group, vendors.nameOf)}</h2>
      ${auditLink(visit, group.groupId)}
    </div>
    <div class="decide">
      ${rowsTable(['SKU', [returns.quantity]], lines, texts.none)}
      ${facts(known.flatMap(([name, fact]) => (fact === null ? [] : [[name, own(fact)] as const])))}
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
      ${hiddenFields({ groupId })} ${requiredChoice(vendor, 'vendorId', names, '')}
      <button>${orders.moves.assign}</button>
    </form>`
  }
  ${
    steps.length > 0 &&
    html`<form method="post" action="${path}/move" class="filter">
      ${hiddenFields({ groupId })}
      ${textField(orders.tracking, 'trackingRef', trackingRef, html`dir="ltr"`)}
      ${steps.map(
        ({ to, action }) =>
          html`<button name="status" value="${to}">${orders.moves[action]}</button>`,
      )}
    </form>`
  }
  ${
    moves.some(({ action }) => action === 'cancel') &&
    openedForm({
      action: `${path}/move`,
      button: orders.moves.cancel,
      content: hiddenFields({ groupId, trackingRef, status: 'Cancelled' }),
      isDanger: true,
    })
  }`;
}

export const orderPages: AddPages = ({ show, submit }) => {
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
