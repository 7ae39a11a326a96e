import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import {
  findVendor,
  insertVendor,
  listVendors,
  lockVendor,
  setVendorActive,
  vendorOrders,
  type Vendor,
} from '../../db/accounts/vendors.ts';
import { readVendorSummary } from '../../db/accounts/vendor-summary.ts';
import { onSnapshot } from '../../db/core/transaction.ts';
import type { Queryable } from '../../db/core/client.ts';
import { staffRoles } from '../../domain/accounts/operator-roles.ts';
import { orNotFound } from '../http/api-error.ts';
import { mapItems, pageOf } from '../http/envelope.ts';
import { audit } from '../operator/audit.ts';
import { switchActive } from '../operator/switch-active.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { activeBody, filledText } from '../validation/fields.ts';
import { enumParameter, query, textParameter } from '../validation/query.ts';
import { agreementEntries, agreementOf, withAgreementRules } from './agreement-fields.ts';
import { operatorVendor, operatorVendorResponse } from './responses/operator-vendor.ts';
import { vendorSummary, vendorSummaryResponse } from './responses/vendor-summary.ts';

export const newVendorBody = withAgreementRules(
  v.strictObject({
    name: described(filledText(255, 'name'), "The vendor's name.", 'Oud & Amber Trading'),
    ...agreementEntries,
  }),
);
const notFound = 'NOT_FOUND_VENDOR';

/** Adds an active vendor with its audit entry. */
export async function addVendor(
  sql: Queryable,
  request: FastifyRequest,
  given: Pick<Vendor, 'name' | 'agreement'>,
): Promise<Vendor> {
  const vendor = { ...given, id: uuidv7(), isActive: true };
  await insertVendor(sql, vendor);
  const after = operatorVendor(vendor);
  await audit(sql, request, 'vendor.create', vendor.id, { before: null, after });
  return vendor;
}

/** Vendors: add, list, read, switch on or off. */
export const operatorVendorRoutes: AddRoutes = (app, { sql, lists }) => {
  const tag = 'Operator: vendors';
  const route = operatorRoutes(app, { role: 'Admin', tag });
  const readRoute = operatorRoutes(app, { role: staffRoles, tag });
  route({
    at: 'POST /operator/v1/vendors',
    operationId: 'createVendor',
    summary: 'Add a vendor',
    description:
      'Adds an active vendor with its agreement. `CostPlusMargin` requires `markupPercent`; ' +
      '`PercentageOfSale` requires `commissionPercent`. Issue a credential next: the vendor ' +
      'needs one for every call. Each call without an `Idempotency-Key` adds another vendor.',
    body: newVendorBody,
    payload: operatorVendorResponse,
    statuses: [201],
    handler: async ({ body, request, sql: commands }) => {
      const given = { name: body.name, agreement: agreementOf(body) };
      const added = await commands.begin((transaction) => addVendor(transaction, request, given));
      return operatorVendor(added);
    },
  });
  readRoute({
    at: 'GET /operator/v1/vendors',
    operationId: 'listVendors',
    summary: 'List vendors',
    description: 'Lists all vendors with their agreements, inactive ones included.',
    query: query({
      q: textParameter(
        255,
        'Only vendors with this in their names, compared like the words of a search.',
        'amber',
      ),
      order: enumParameter(vendorOrders, '`newest` (the default) first, or by `name`.', 'name'),
    }),
    payload: pageOf(operatorVendorResponse),
    handler: async ({ query: { q, order }, page }) =>
      mapItems(await listVendors(lists, page, q, order ?? 'newest'), operatorVendor),
  });
  readRoute({
    at: 'GET /operator/v1/vendors/:id',
    operationId: 'getVendor',
    summary: 'Read a vendor',
    description: 'Reads one vendor with its agreement.',
    payload: operatorVendorResponse,
    notFound,
    handler: async ({ id }) => operatorVendor(orNotFound(await findVendor(sql, id), notFound)),
  });
  readRoute({
    at: 'GET /operator/v1/vendors/:id/summary',
    operationId: 'getVendorSummary',
    summary: 'Read the summary of a vendor',
    description:
      'Counts the offers by status and the decisions of 90 days, and gives the latest reasons ' +
      'of rejections and the health of the subscriptions.',
    payload: vendorSummaryResponse,
    notFound,
    handler: async ({ id }) =>
      vendorSummary(
        await onSnapshot(sql, async (snapshot) => {
          orNotFound(await findVendor(snapshot, id), notFound);
          return readVendorSummary(snapshot, id);
        }),
      ),
  });
  route({
    at: 'PATCH /operator/v1/vendors/:id/active',
    operationId: 'setVendorActive',
    summary: 'Switch a vendor on or off',
    description:
      'Deactivates a vendor or activates it again. An inactive vendor gets no token and no new ' +
      'shipment, and its bulk jobs end. Its tokens stay valid until they expire. Its offers do ' +
      'not change.',
    body: activeBody,
    payload: operatorVendorResponse,
    notFound,
    handler: async (call) => {
      const vendors = { type: 'vendor', notFound, lock: lockVendor, set: setVendorActive } as const;
      return operatorVendor(await switchActive(sql, call, vendors));
    },
  });
};
