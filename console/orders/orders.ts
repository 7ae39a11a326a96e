import { groupStatuses, groupTransitions } from '../../domain/orders/fulfilment-status.ts';
import { searchedOrdersMax } from '../../domain/orders/order-id.ts';
import { auditLink } from '../audit/audit.ts';
import { productOf, readVariants } from '../catalogue/catalogue.ts';
import { apiPath, change, html, isId, Refusal, ui } from '../page.ts';
import type { ApiPath, Act, AddPages, api, Html, Part, ShowPage, Visit } from '../page.ts';
import { readVendors, type Vendors } from '../vendors/vendor-names.ts';

/** The vendor of a group, or why it has none, and the group's status. */
function groupTitle(
  { texts: { orders } }: Visit,
  { vendorId, status }: Pick<api.OrderGroup, 'vendorId' | 'status'>,
  { nameOf }: Vendors,
): Part {
  const none = status === 'PendingSourcing' ? orders.noVendor : orders.service;
  return html`${vendorId === null ? none : nameOf(vendorId)} ${ui.chip(orders.statuses[status])}`;
}

/** Every order, the newest first; an order's id leads to it. */
const showOrders: Act = async (visit) => {
  const id = visit.digits('orderGlobalId').replace(/^ord_/i, '');
  return isId(id) ? { next: `/console/orders/ord_${id}` } : listOrders(visit);
};

const listOrders: ShowPage = async (visit, notice) => {
  const { texts, value } = visit;
  const { orders } = texts;
  const id = value('orderGlobalId');
  const noOrder = new Refusal(400, 'VALIDATION_INVALID_QUERY_PARAMETER', {
    parameter: 'orderGlobalId',
    message: orders.notId,
  });
  const filter = {
    vendorId: value('vendorId'),
    status: visit.choice('status', groupStatuses),
    reference: value('reference'),
    ...ui.askedDays(visit),
  };
  const list =
    id === ''
      ? await ui.readFiltered<api.ListedOrder>(visit, apiPath`/operator/v1/orders`, filter)
      : await ui.orRefused<api.ListOf<api.ListedOrder>>(
          visit,
          Promise.reject(noOrder),
          ui.emptyList,
        );
  const { columns, row, vendors } = await orderRows(visit, list);
  return ui.listPage(visit, list, {
    title: orders.title,
    notice,
    fields: [
      ui.searchField(visit, orders.order, 'orderGlobalId'),
      ui.searchField(visit, orders.reference, 'reference', ''),
      vendors.field,
      ui.choiceField(visit, texts.status, 'status', ui.named(groupStatuses, orders.statuses)),
      ui.dayFields(ui.inFilter(visit)),
    ],
    columns,
    row,
    before: recipientForm(visit),
  });
};

/** How a list shows orders. */
async function orderRows(visit: Visit, { items }: api.ListOf<api.ListedOrder>) {
  const { texts, instant } = visit;
  const vendors = await readVendors(
    visit,
    items.flatMap(({ groups }) => groups),
  );
  const columns = [texts.orders.order, texts.orders.groups, [texts.returns.lines]] as const;
  const row = ({ orderGlobalId, createdAt, groups }: api.ListedOrder): readonly Part[] => [
    html`${ui.link(`/console/orders/${orderGlobalId}`, ui.code(orderGlobalId))}
    ${ui.muted(instant(createdAt))}`,
    groups.map((group) => html`<div>${groupTitle(visit, group, vendors)}</div>`),
    groups.reduce((sum, { lines }) => sum + lines.length, 0),
  ];
  return { columns, row, vendors };
}

const recipientPath = '/console/orders/recipient';

/** A form of its own that is posted, so that the name stands in no address. */
const recipientForm = (visit: Visit): Html =>
  html`<form class="filter" method="post" action="${recipientPath}">
    ${ui.textField(visit, visit.texts.orders.shipTo, 'recipient', visit.typed('recipient'))}
    ${visit.sentTo === recipientPath && ui.dayFields(visit)}
    <button>${visit.texts.filter}</button>
  </form>`;

/** The orders of a recipient, the newest first: the response to the form, without an address. */
const showOrdersTo: Act = async (visit) => {
  const { texts, value } = visit;
  const route = apiPath`/operator/v1/orders/search`;
  const from = ui.instantOf(value('from'), '00:00:00') || undefined;
  const to = ui.instantOf(value('to'), '23:59:59.999') || undefined;
  const asked = { recipient: value('recipient'), from, to };
  const list = await visit.send<api.ListOf<api.ListedOrder>>(route, asked);
  const { columns, row } = await orderRows(visit, list);
  const { items, pagination } = list;
  return {
    title: texts.orders.title,
    heading: html`${texts.orders.title} ${ui.muted(pagination.totalCount)}`,
    content: html`${recipientForm(visit)} ${ui.hint(texts.orders.amongNewest(searchedOrdersMax))}
    ${ui.rowsTable(columns, items.map(row), texts.empty)}
    ${items.length < pagination.totalCount && ui.hint(texts.firstOf(items.length, pagination.totalCount))}
    ${ui.link('/console/orders', texts.all)}`,
  };
};

/** An order: its groups with their lines, states and address, and the returns of it. */
const showOrder: ShowPage = async (visit, notice) => {
  const { texts, read, instant } = visit;
  const { orders, returns } = texts;
  // First, so that a malformed id is 404: the list of returns refuses it.
  const { orderGlobalId, createdAt, groups } = await read<api.Order>(
    apiPath`/operator/v1/orders/${visit.id}`,
  );
  const [returned, vendors, variants] = await Promise.all([
    ui.readWhole<api.ListedReturn>(visit, apiPath`/operator/v1/returns`, { orderGlobalId }),
    readVendors(visit, groups),
    readVariants(
      visit,
      groups.flatMap(({ lines }) => lines.map(({ variantId }) => variantId)),
    ),
  ]);
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
    content: html`${groups.map((group) => groupCard(visit, group, vendors, variants))}
    ${ui.section(returns.title, [
      ui.rowsTable(columns, rows, orders.noReturns),
      ui.moreHint(visit, returned),
    ])}`,
  };
};

const addressLine = (part: string, at: number): Part => [at > 0 && html`<br />`, ui.own(part)];

function groupCard(
  visit: Visit,
  group: api.OrderGroup,
  vendors: Vendors,
  variants: Awaited<ReturnType<typeof readVariants>>,
): Html {
  const { texts, instant } = visit;
  const { orders, returns } = texts;
  const { shipRecipient, shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode } = group;
  const parts = [shipLine1, shipLine2, shipCity, shipRegion, shipPostalCode, group.shipCountry];
  const address = parts.filter((part) => part !== null);
  const at = (iso: string | null) => iso && instant(iso);
  const facts = [
    [orders.shipTo, shipRecipient],
    [orders.address, address.length === 0 ? null : address.map(addressLine)],
    [orders.phone, group.shipPhone],
    [orders.carrier, group.carrierNameOther ?? group.carrier],
    [orders.tracking, group.trackingRef],
    [orders.vendorOrder, group.vendorOrderId],
    [orders.statuses.Packed, at(group.packedAt)],
    [orders.statuses.Shipped, at(group.shippedAt)],
    [orders.statuses.Delivered, at(group.deliveredAt)],
  ] as const;
  const lines = group.lines.map((line) => [productOf(visit, variants, line), line.quantity]);
  return html`<section class="card">
    <div class="head">
      <h2>${groupTitle(visit, group, vendors)}</h2>
      ${auditLink(visit, group.groupId)}
    </div>
    <div class="decide">
      ${ui.rowsTable(['SKU', [returns.quantity]], lines)}
      ${ui.facts(facts.map(([name, fact]) => [name, fact !== null && ui.own(fact)]))}
    </div>
    ${groupForms(visit, group, vendors)}
  </section>`;
}

/** The assignment of a group without a vendor, and the states that a group may move to. */
function groupForms(visit: Visit, group: api.OrderGroup, vendors: Vendors): Part {
  const { texts, id, value } = visit;
  const { orders, vendor } = texts;
  const { groupId, status } = group;
  const path = `/console/orders/${id}`;
  const moves = groupTransitions.filter(({ from }) => from.includes(status));
  const steps = moves.filter(({ action }) => action !== 'assign');
  const isOfGroup = value('groupId') === groupId;
  const assigned = ui.inForm(visit, `${path}/assign`, isOfGroup);
  const chosen = assigned.isOpen ? visit.typed('vendorId') : '';
  const active = vendors.choosable.filter(({ isActive }) => isActive);
  const names = active.map((each) => [each.id, each.name] as const);
  return [
    status === 'PendingSourcing' &&
      vendors.search &&
      html`<form class="filter" role="search" action="${path}">
        ${vendors.search}<button>${texts.filter}</button>
      </form>`,
    status === 'PendingSourcing' &&
      html`<form method="post" action="${path}/assign" class="filter">
        ${ui.hiddenFields({ groupId })}
        ${ui.requiredChoice(assigned, vendor, 'vendorId', names, chosen)}
        <button>${orders.moves.assign}</button>
      </form>`,
    html`<div class="filter">
      ${steps.map(({ to, action }) => {
        const form = ui.inForm(visit, `${path}/move`, isOfGroup && value('status') === to);
        const [shown, known] = form.isOpen
          ? [value('trackingRef'), value('knownTrackingRef')]
          : [group.trackingRef, group.trackingRef];
        const tracking = ui.textField(form, orders.tracking, 'trackingRef', shown, html`dir="ltr"`);
        return ui.openedForm(form, {
          button: orders.moves[action],
          content: [ui.hiddenFields({ groupId, status: to, knownTrackingRef: known }), tracking],
          isDanger: action === 'cancel',
        });
      })}
    </div>`,
  ];
}

/**
 * Changes a group by a call to a path below its own. A form that was sent twice finds what it asks
 * for, by the names of its fields in the group, and has nothing more to do.
 */
const changing = (
  names: readonly ('vendorId' | 'status' | 'trackingRef')[],
  call: (visit: Visit, path: ApiPath) => Promise<unknown>,
): Act =>
  change(async (visit) => {
    const { id, value, read } = visit;
    const groupId = value('groupId');
    try {
      await call(visit, apiPath`/operator/v1/groups/${groupId}`);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 422) throw error;
      const { groups } = await read<api.Order>(apiPath`/operator/v1/orders/${id}`);
      const group = groups.find((each) => each.groupId === groupId);
      if (names.some((name) => value(name) !== (group?.[name] ?? ''))) throw error;
    }
  });

const assign = changing(['vendorId'], ({ value, send }, path) =>
  send(path.below('assign'), { vendorId: value('vendorId') }),
);
const move = changing(['status', 'trackingRef'], ({ value, send }, path) => {
  const typed = value('trackingRef');
  // The vendor may have changed meanwhile what the operator has left as it was.
  const trackingRef = typed === value('knownTrackingRef') ? null : typed;
  return send(path, { status: value('status'), trackingRef }, { method: 'PATCH' });
});

export const orderPages: AddPages = ({ show, submit }) => {
  const path = '/console/orders/:id';
  show('/console/orders', showOrders);
  show(recipientPath, showOrders);
  submit(recipientPath, showOrdersTo, listOrders);
  show(path, showOrder);
  submit(`${path}/assign`, assign, showOrder);
  submit(`${path}/move`, move, showOrder);
};
