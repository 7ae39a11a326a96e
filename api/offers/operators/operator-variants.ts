import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import * as v from 'valibot';
import type { Sql } from '../../../db/core/client.ts';
import { listOffersOfVariant } from '../../../db/offers/lists/offer-page.ts';
import {
  findVariant,
  insertVariant,
  listVariants,
  lockVariant,
  setVariantActive,
} from '../../../db/offers/variants.ts';
import { staffRoles } from '../../../domain/accounts/operator-roles.ts';
import type { Variant } from '../../../domain/offers/offer.ts';
import { fieldError } from '../../../domain/errors.ts';
import { orNotFound, validationErrors } from '../../http/api-error.ts';
import { mapItems, pageOf } from '../../http/envelope.ts';
import { audit } from '../../operator/audit.ts';
import { switchActive } from '../../operator/switch-active.ts';
import { operatorRoutes, type AddRoutes } from '../../define-route.ts';
import { described } from '../../validation/described.ts';
import {
  activeBody,
  barcode,
  filledText,
  optionalField,
  optionalText,
  sizeMl,
} from '../../validation/fields.ts';
import { query } from '../../validation/query.ts';
import { operatorOffer, operatorOfferResponse } from '../responses/operator-offer.ts';
import { operatorVariantResponse, variantText } from '../responses/variant.ts';
import { variantSearchParameters } from '../variant-search.ts';

const notFound = 'NOT_FOUND_VARIANT';
const tag = 'Operator: catalogue';
const createBody = v.strictObject({
  sku: described(filledText(100, 'name'), ...variantText.sku),
  brandName: described(filledText(255, 'name'), ...variantText.brandName),
  productName: described(filledText(255, 'name'), ...variantText.productName),
  concentration: described(optionalText(100, 'name'), ...variantText.concentration),
  sizeMl: described(optionalField(sizeMl), ...variantText.sizeMl),
  barcode: described(optionalField(barcode), ...variantText.barcode),
});
const skuTaken = fieldError('sku', 'taken', 'is the sku of another variant');

/**
 * Adds a variant of the catalogue, or of a vendor of a sandbox, with its audit entry; false when
 * another variant has the sku.
 */
export const addVariant = (
  sql: Sql,
  request: FastifyRequest,
  after: Variant,
  vendorId: string | null = null,
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    if (!(await insertVariant(transaction, after, vendorId))) return false;
    await audit(transaction, request, 'variant.create', after.id, { before: null, after });
    return true;
  });

/** The catalogue's variants, which reviewers match offers to. */
export const operatorVariantRoutes: AddRoutes = (app, { sql, lists, temporalUi }) => {
  const review = operatorRoutes(app, { role: 'Reviewer', tag });
  review({
    at: 'POST /operator/v1/variants',
    operationId: 'createVariant',
    summary: 'Add a variant',
    description:
      'Adds an active variant to the catalogue. Reviewers match offers to variants. The `sku` ' +
      'must be unique.',
    body: createBody,
    payload: operatorVariantResponse,
    statuses: [201],
    handler: async ({ body, request, sql: commands }) => {
      const after = { id: uuidv7(), ...body, isActive: true };
      if (!(await addVariant(commands, request, after))) throw validationErrors(skuTaken);
      return after;
    },
  });
  const read = operatorRoutes(app, { role: staffRoles, tag });
  read({
    at: 'GET /operator/v1/variants',
    operationId: 'listVariants',
    summary: 'List variants',
    description:
      'Lists the variants of the catalogue, newest first, inactive ones included: all of them, ' +
      'those with a barcode, or those with the words of a text.',
    query: query(variantSearchParameters),
    payload: pageOf(operatorVariantResponse),
    handler: ({ query: { barcode, q }, page }) => listVariants(lists, { barcode, text: q }, page),
  });
  read({
    at: 'GET /operator/v1/variants/:id',
    operationId: 'getVariant',
    summary: 'Read a variant',
    description: 'Reads one variant of the catalogue.',
    payload: operatorVariantResponse,
    notFound,
    handler: async ({ id }) => orNotFound(await findVariant(sql, id, null), notFound),
  });
  review({
    at: 'GET /operator/v1/variants/:id/offers',
    operationId: 'listOffersOfVariant',
    summary: 'List the offers for a variant',
    description: 'Lists the offers that are matched to a variant, in any status, newest first.',
    payload: pageOf(operatorOfferResponse),
    notFound,
    handler: async ({ id, page }) => {
      orNotFound(await findVariant(sql, id, null), notFound);
      const found = await listOffersOfVariant(lists, id, page);
      return mapItems(found, (offer) => operatorOffer(offer, temporalUi));
    },
  });
  operatorRoutes(app, { role: 'Admin', tag })({
    at: 'PATCH /operator/v1/variants/:id/active',
    operationId: 'setVariantActive',
    summary: 'Switch a variant on or off',
    description:
      'Deactivates a variant or activates it again. A reviewer cannot match an offer to an ' +
      'inactive variant. Offers that are already matched to it keep their match.',
    body: activeBody,
    payload: operatorVariantResponse,
    notFound,
    handler: (call) =>
      switchActive(sql, call, {
        type: 'variant',
        notFound,
        lock: lockVariant,
        set: setVariantActive,
      }),
  });
};
