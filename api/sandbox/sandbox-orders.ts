import * as v from 'valibot';
import { listOffers } from '../../db/offers/lists/offer-list.ts';
import { createOfferReader, type ReadOffer } from '../../db/offers/offer-facts.ts';
import { findGroup } from '../../db/orders/fulfilment-groups.ts';
import { setGroupStatus } from '../../domain/orders/fulfilment-group.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { changeGroup } from '../orders/change-group.ts';
import { createOrder, ownStatements } from '../orders/create-order.ts';
import { auditGroup } from '../orders/operator-groups.ts';
import { orderAudit } from '../orders/operator-orders.ts';
import { addressText, quantityText } from '../orders/order-texts.ts';
import { fulfilmentGroup, fulfilmentGroupResponse } from '../orders/responses/fulfilment-group.ts';
import { described } from '../validation/described.ts';
import { boundedList, optionalField, uuid, wholeNumber } from '../validation/fields.ts';
import { sample } from '../validation/sample.ts';

const line = v.strictObject({
  offerId: described(uuid, 'One of your offers in `Approved`.', sample.offerId),
  quantity: described(wholeNumber(1, 1_000_000), ...quantityText),
});
const orderBody = v.strictObject({
  lines: described(
    optionalField(boundedList(line, { min: 1, max: 80, what: 'lines' })),
    'What the customer orders, 1 to 80 lines. Without them: one piece of each of up to three of ' +
      'your newest approved offers.',
  ),
});
type Line = v.InferOutput<typeof line>;

/** The address of every order of a sandbox. The examples have the same address. */
const shipTo = Object.fromEntries(
  Object.entries(addressText).map(([part, [, example]]) => [part, example]),
) as Record<keyof typeof addressText, string>;
const defaultLines = 3;

const moves = [
  {
    path: 'deliver',
    status: 'Delivered',
    operationId: 'sandboxDeliverShipment',
    summary: 'Deliver a shipment, as the carrier',
    description: 'Moves a shipment from `Shipped` to `Delivered` and sets `deliveredAt`.',
  },
  {
    path: 'cancel',
    status: 'Cancelled',
    operationId: 'sandboxCancelShipment',
    summary: 'Cancel a shipment, as the customer',
    description: 'Moves a shipment that has not shipped to `Cancelled`.',
  },
] as const;
const responses = {
  payload: fulfilmentGroupResponse,
  notFound: 'NOT_FOUND_FULFILMENT_GROUP',
} as const;

/** Customers' orders of the vendor's own offers, and what a carrier reports. */
export const sandboxOrderRoutes: AddRoutes = (app, { sql, lists }) => {
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  const readOwnOffer = createOfferReader(sql);
  const ordered = async (vendorId: string, lines: readonly Line[] | null) => {
    if (lines === null) {
      const approved = { status: 'Approved', createdFrom: null, createdTo: null } as const;
      const filter = { ...approved, vendorSku: null, vendorExternalId: null, changedSince: null };
      const page = { page: 1, pageSize: defaultLines };
      const { items } = await listOffers(lists, vendorId, { ...filter, tokenId: '' }, page);
      return items.map(({ offer }) => ({ offer, quantity: 1 }));
    }
    return Promise.all(
      lines.map(async ({ offerId, quantity }) => ({
        offer: orNotFound(await readOwnOffer(vendorId, offerId), 'NOT_FOUND_VENDOR_OFFER').offer,
        quantity,
      })),
    );
  };
  route({
    at: 'POST /api/v1/sandbox/orders',
    operationId: 'sandboxCreateOrder',
    summary: 'Order your offers, as a customer',
    description:
      'Creates an order of your approved offers, to an address of the sandbox. It is one ' +
      'shipment of yours, in `Pending`. You get `vendor.order.assigned`. Each call without an ' +
      '`Idempotency-Key` creates another order.',
    body: orderBody,
    payload: fulfilmentGroupResponse,
    statuses: [201],
    refusals: ['NOT_FOUND_VENDOR_OFFER', 'BUSINESS_SANDBOX_NOTHING_TO_ORDER'],
    handler: async ({ caller: { vendorId }, body, request, sql: commands }) => {
      const lines = (await ordered(vendorId, body.lines)).map(({ offer, quantity }) => ({
        variantId: variantOnSale(offer),
        quantity,
      }));
      if (lines.length === 0) throw apiError('BUSINESS_SANDBOX_NOTHING_TO_ORDER');
      const group = {
        vendorId,
        sourcing: null,
        carrier: 'CarrierA',
        carrierNameOther: null,
      } as const;
      const order = await createOrder(
        ownStatements(commands),
        { shipTo, groups: [{ ...group, lines }] },
        orderAudit(request),
      );
      const made = await findGroup(commands, order.groups[0]?.id ?? '', vendorId);
      return fulfilmentGroup(orNotFound(made, responses.notFound));
    },
  });
  for (const { path, status, ...documentation } of moves)
    route({
      at: `POST /api/v1/sandbox/orders/:groupId/${path}`,
      ...documentation,
      description: `${documentation.description} The call takes no body.`,
      ...responses,
      refusals: ['BUSINESS_FULFILMENT_GROUP_INVALID_TRANSITION'],
      handler: async ({ caller: { vendorId }, id: groupId, request }) => {
        const group = await changeGroup(
          sql,
          { groupId, vendorId },
          (found, now) => setGroupStatus(found, status, now),
          auditGroup(request, 'group.update'),
        );
        return fulfilmentGroup(group);
      },
    });
};

/**
 * An offer's variant. Throws BUSINESS_SANDBOX_NOTHING_TO_ORDER for an offer that is not on sale.
 */
function variantOnSale({ id, status, variantId }: ReadOffer['offer']): string {
  if (status !== 'Approved' || variantId === null)
    throw apiError('BUSINESS_SANDBOX_NOTHING_TO_ORDER', {
      status,
      message: `The offer ${id} is ${status}; only an Approved offer can be ordered.`,
    });
  return variantId;
}
