import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import {
  findVendor,
  insertVendor,
  listVendors,
  lockVendor,
  setVendorActive,
} from '../../db/accounts/vendors.ts';
import {
  agreementEntries,
  agreementOf,
  commissionGoesWithPercentage,
  markupGoesWithCostPlus,
} from './agreement-fields.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { filledText } from '../validation/fields.ts';
import { operatorVendor, operatorVendorResponse } from './responses/operator-vendor.ts';
import { pathId } from '../validation/path-id.ts';
import { pageParameters, query } from '../validation/query.ts';
import { percentOfItsModel, ruleSchemas } from '../validation/rule-schemas.ts';
import type { Routes } from '../validation/compiler.ts';
import { activeField, switchActive } from '../operator/switch-active.ts';

/** The body of a new vendor. */
export const newVendorBody = v.pipe(
  v.strictObject({
    name: described(filledText(255), "The vendor's name.", 'Oud & Amber Trading'),
    ...agreementEntries,
  }),
  markupGoesWithCostPlus(),
  commissionGoesWithPercentage(),
  ruleSchemas(percentOfItsModel),
);
const activeBody = v.strictObject({ isActive: activeField });
const params = v.object({ id: v.string() });
const answer = envelope(operatorVendorResponse);
const tags = ['Operator: vendors'];

/** Vendors, as operators with the role Admin keep them. */
export function operatorVendorRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { role: 'Admin' } as const;
  app.post(
    '/operator/v1/vendors',
    {
      config,
      schema: {
        body: newVendorBody,
        response: { 201: answer },
        tags,
        summary: 'Add a vendor',
        operationId: 'createVendor',
        description:
          'Adds an active vendor with its agreement. `CostPlusMargin` goes with `markupPercent`, ' +
          '`PercentageOfSale` with `commissionPercent`. Issue a credential next: without one the ' +
          'vendor can do nothing. Each call adds another vendor.',
      },
    },
    async (request, reply) => {
      const vendor = {
        id: uuidv7(),
        name: request.body.name,
        isActive: true,
        agreement: agreementOf(request.body),
      };
      await sql.begin(async (transaction) => {
        await insertVendor(transaction, vendor);
        await audit(transaction, request, {
          action: 'vendor.create',
          subjectType: 'vendor',
          subjectId: vendor.id,
          before: null,
          after: operatorVendor(vendor),
        });
      });
      return reply.code(201).send(success(operatorVendor(vendor)));
    },
  );
  app.get(
    '/operator/v1/vendors',
    {
      config,
      schema: {
        querystring: query(pageParameters),
        response: { 200: envelope(pageOf(operatorVendorResponse)) },
        tags,
        summary: 'List vendors',
        operationId: 'listVendors',
        description: 'All vendors, inactive ones included, with their agreements.',
      },
    },
    async (request) =>
      success(pagePayload(await listVendors(sql, request.query), request.query, operatorVendor)),
  );
  app.get(
    '/operator/v1/vendors/:id',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR'] },
      schema: {
        params,
        response: { 200: answer },
        tags,
        summary: 'Read a vendor',
        operationId: 'getVendor',
        description: 'One vendor with its agreement.',
      },
    },
    async (request) => {
      const vendor = await findVendor(sql, pathId(request.params.id, 'NOT_FOUND_VENDOR'));
      if (vendor === null) throw apiError('NOT_FOUND_VENDOR');
      return success(operatorVendor(vendor));
    },
  );
  app.patch(
    '/operator/v1/vendors/:id/active',
    {
      config: { ...config, refusals: ['NOT_FOUND_VENDOR'] },
      schema: {
        params,
        body: activeBody,
        response: { 200: answer },
        tags,
        summary: 'Switch a vendor on or off',
        operationId: 'setVendorActive',
        description:
          'An inactive vendor gets no token and no new shipment. Tokens that it holds stay good ' +
          'until they expire; its offers stay as they are.',
      },
    },
    async (request) => {
      const switched = await switchActive(
        sql,
        request,
        { rawId: request.params.id, isActive: request.body.isActive },
        {
          subjectType: 'vendor',
          notFound: 'NOT_FOUND_VENDOR',
          lock: lockVendor,
          set: setVendorActive,
        },
      );
      return success(operatorVendor(switched));
    },
  );
}
