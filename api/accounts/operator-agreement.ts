import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import {
  activateAgreement,
  previewSwitch,
  totalOf,
  type OffersToReprice,
  type SwitchEffects,
} from '../../db/accounts/agreements.ts';
import { onSnapshot } from '../../db/core/transaction.ts';
import { findVendor, lockVendor, type Vendor } from '../../db/accounts/vendors.ts';
import type { Sql } from '../../db/core/client.ts';
import type { Agreement } from '../../domain/accounts/agreement.ts';
import { agreementSwitchId } from '../../workflows/ids.ts';
import { apiError, orNotFound } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { workflowLink, workflowLinkOrNullTo } from '../operator/workflow-link.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { optionalField, wholeNumber } from '../validation/fields.ts';
import { described } from '../validation/described.ts';
import { booleanParameter, query } from '../validation/query.ts';
import { field, list, orNull, titled } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { agreementEntries, agreementOf, withAgreementRules } from './agreement-fields.ts';
import { offerStatus } from '../offers/responses/nested-offer.ts';
import { operatorVendor, operatorVendorResponse } from './responses/operator-vendor.ts';

export const agreementBody = withAgreementRules(v.strictObject(agreementEntries));
const agreementChangeBody = withAgreementRules(
  v.strictObject({
    ...agreementEntries,
    expectedMoved: described(
      optionalField(wholeNumber(0, 2_147_483_647)),
      'The `offersMovedToRepricing` of the preview: the change is refused where it is another ' +
        'number by now. Without it, no number is compared.',
      42,
    ),
  }),
);
const offersByStatus = titled('OffersToReprice', {
  Approved: field.integer('Those that are `Approved`.', 40),
  PendingReview: field.integer('Those that are in `PendingReview`.', 2),
});
export const changedAgreementResponse = titled('ChangedAgreement', {
  vendor: described(operatorVendorResponse, 'The vendor with its agreement, now in force.'),
  offersMovedToRepricing: field.integer(
    'The number of offers that moved to `PendingRepricing`.',
    0,
  ),
  workflow: workflowLinkOrNullTo(
    'the switch, which stores it in the offers; null when nothing changed',
    `agreement-switch/${sample.vendorId}`,
  ),
  dryRun: orNull(
    titled('AgreementDryRun', {
      moved: described(
        offersByStatus,
        'The offers that would move to `PendingRepricing`, by their status.',
      ),
      stopSelling: field.integer('The moved offers that sell now.', 42),
      stopSellingByStatus: described(offersByStatus, 'The `stopSelling` offers by status.'),
      losePrice: list(
        titled('OffersOfStatus', {
          status: offerStatus,
          count: field.integer('How many.', 48),
        }),
        'Offers of any status, waiting ones too, that would have no price: those with one, and ' +
          'none of the new model.',
      ),
      stagedPricesDropped: field.integer('Staged prices that would be dropped.', 3),
    }),
    'With `dryRun=true` what a switch would do; null without it.',
    null,
  ),
});
const noOffers: OffersToReprice = { Approved: 0, PendingReview: 0 };
const noEffects: SwitchEffects = {
  moved: noOffers,
  stopSelling: 0,
  stopSellingByStatus: noOffers,
  losePrice: [],
  stagedPricesDropped: 0,
};
const notFound = 'NOT_FOUND_VENDOR';

/**
 * Puts an agreement into effect, and counts the offers that it moves. Throws CONFLICT_VERSION,
 * which changes nothing, if the number differs from what the operator has seen.
 */
export const changeAgreement = (
  sql: Sql,
  request: FastifyRequest,
  id: string,
  agreement: Agreement,
  expectedMoved: number | null = null,
): Promise<{ readonly vendor: Vendor; readonly moved: number; readonly isSame: boolean }> =>
  sql.begin(async (transaction) => {
    const before = orNotFound(await lockVendor(transaction, id), notFound);
    const isSwitch = before.agreement.pricingModel !== agreement.pricingModel;
    const isSame = !isSwitch && before.agreement.rateBasisPoints === agreement.rateBasisPoints;
    const moved = isSame ? 0 : await activateAgreement(transaction, id, agreement, { isSwitch });
    if (expectedMoved !== null && moved !== expectedMoved)
      throw apiError('CONFLICT_VERSION', { expectedMoved, offersMovedToRepricing: moved });
    if (isSame) return { vendor: before, moved, isSame };
    const vendor = { ...before, agreement };
    await audit(transaction, request, 'vendor.agreement', id, {
      before: operatorVendor(before).agreement,
      after: { ...operatorVendor(vendor).agreement, offersMovedToRepricing: moved },
    });
    return { vendor, moved, isSame };
  });

/**
 * Changes a vendor's agreement. It takes effect at once for any number of offers: reads apply it,
 * and a workflow stores it in the offers afterwards.
 */
export const operatorAgreementRoute: AddRoutes = (app, { sql, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: vendors' });
  route({
    at: 'PATCH /operator/v1/vendors/:id/agreement',
    operationId: 'changeAgreement',
    summary: "Change a vendor's agreement",
    description:
      'Puts an agreement into effect at once, for any number of offers. A change of pricing ' +
      'model moves every `Approved` and `PendingReview` offer to `PendingRepricing`, which ' +
      'stops its sale, and drops prices that were staged under the old model. Reads show this ' +
      'at once; a workflow stores it in the offers. A change of the percentage alone moves no ' +
      'offer. The agreement that is already in effect changes nothing. With `dryRun=true` the ' +
      'call stores nothing: it returns the agreement in effect, and what a switch would do.',
    query: query({ dryRun: booleanParameter('Whether to store nothing.', 'true') }),
    body: agreementChangeBody,
    refusals: ['CONFLICT_VERSION'],
    payload: changedAgreementResponse,
    notFound,
    handler: async ({ id, body, request, query: { dryRun } }) => {
      const agreement = agreementOf(body);
      if (dryRun === true) {
        const [vendor, effects] = await onSnapshot(sql, async (snapshot) => {
          const found = orNotFound(await findVendor(snapshot, id), notFound);
          const isSwitch = found.agreement.pricingModel !== agreement.pricingModel;
          return [
            found,
            isSwitch ? await previewSwitch(snapshot, id, agreement) : noEffects,
          ] as const;
        });
        return {
          vendor: operatorVendor(vendor),
          offersMovedToRepricing: totalOf(effects.moved),
          workflow: null,
          dryRun: effects,
        };
      }
      const { vendor, moved, isSame } = await changeAgreement(
        sql,
        request,
        id,
        agreement,
        body.expectedMoved,
      );
      return {
        vendor: operatorVendor(vendor),
        offersMovedToRepricing: moved,
        workflow: isSame ? null : workflowLink(agreementSwitchId(id), temporalUi),
        dryRun: null,
      };
    },
  });
};
