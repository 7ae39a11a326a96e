import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import {
  insertVariant,
  listVariants,
  lockVariant,
  setVariantActive,
} from '../../db/offers/variants.ts';
import { fieldError, invalid } from '../../domain/errors.ts';
import { ApiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, pageOf, pagePayload, success } from '../http/envelope.ts';
import { described } from '../validation/described.ts';
import { barcode, filledText, optionalField, optionalText, sizeMl } from '../validation/fields.ts';
import { operatorVariantResponse, variantText } from './responses/variant.ts';
import { pageParameters, query } from '../validation/query.ts';
import type { Routes } from '../validation/compiler.ts';
import { activeField, switchActive } from '../operator/switch-active.ts';

const createBody = v.strictObject({
  sku: described(filledText(100), ...variantText.sku),
  brandName: described(filledText(255), ...variantText.brandName),
  productName: described(filledText(255), ...variantText.productName),
  concentration: described(optionalText(100), ...variantText.concentration),
  sizeMl: described(optionalField(sizeMl), ...variantText.sizeMl),
  barcode: described(optionalField(barcode), ...variantText.barcode),
});
const activeBody = v.strictObject({ isActive: activeField });
const params = v.object({ id: v.string() });
const answer = envelope(operatorVariantResponse);
const tags = ['Operator: catalog'];

/** The catalog's variants, to which reviewers match offers. */
export function operatorVariantRoutes(app: Routes, { sql }: Dependencies): void {
  const config = { role: 'Admin' } as const;
  app.post(
    '/operator/v1/variants',
    {
      config,
      schema: {
        body: createBody,
        response: { 201: answer },
        tags,
        summary: 'Add a variant',
        operationId: 'createVariant',
        description:
          'Adds an active variant to the catalog, to which offers are matched. Its `sku` is unique.',
      },
    },
    async (request, reply) => {
      const variant = { id: uuidv7(), ...request.body, isActive: true };
      await sql.begin(async (transaction) => {
        if (!(await insertVariant(transaction, variant))) {
          throw new ApiError(
            invalid(fieldError('sku', 'taken', 'is the sku of another variant')).failure,
          );
        }
        await audit(transaction, request, {
          action: 'variant.create',
          subjectType: 'variant',
          subjectId: variant.id,
          before: null,
          after: variant,
        });
      });
      return reply.code(201).send(success(variant));
    },
  );
  app.get(
    '/operator/v1/variants',
    {
      config: { role: 'Reviewer' },
      schema: {
        querystring: query(pageParameters),
        response: { 200: envelope(pageOf(operatorVariantResponse)) },
        tags,
        summary: 'List variants',
        operationId: 'listVariants',
        description: 'All variants of the catalog, inactive ones included.',
      },
    },
    async (request) =>
      success(
        pagePayload(await listVariants(sql, request.query), request.query, (variant) => ({
          ...variant,
        })),
      ),
  );
  app.patch(
    '/operator/v1/variants/:id/active',
    {
      config: { ...config, refusals: ['NOT_FOUND_VARIANT'] },
      schema: {
        params,
        body: activeBody,
        response: { 200: answer },
        tags,
        summary: 'Switch a variant on or off',
        operationId: 'setVariantActive',
        description:
          'No offer can be matched to an inactive variant; what is matched already stays so.',
      },
    },
    async (request) => {
      const switched = await switchActive(
        sql,
        request,
        { rawId: request.params.id, isActive: request.body.isActive },
        {
          subjectType: 'variant',
          notFound: 'NOT_FOUND_VARIANT',
          lock: lockVariant,
          set: setVariantActive,
        },
      );
      return success(switched);
    },
  );
}
