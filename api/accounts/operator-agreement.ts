import * as v from 'valibot';
import { activateAgreement } from '../../db/accounts/agreements.ts';
import { lockVendor } from '../../db/accounts/vendors.ts';
import { agreementSwitchId } from '../../workflows/ids.ts';
import { orNotFound } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import { workflowLink, workflowLinkOrNullTo } from '../operator/workflow-link.ts';
import { operatorRoutes, type AddRoutes } from '../define-route.ts';
import { ruleSchemas } from '../validation/field-rules.ts';
import { described } from '../validation/described.ts';
import { integer, titled } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import {
  agreementEntries,
  agreementOf,
  percentWithModel,
  percentWithModelSchema,
} from './agreement-fields.ts';
import { operatorVendor, operatorVendorResponse } from './responses/operator-vendor.ts';

/** The body of an agreement. */
export const agreementBody = v.pipe(
  v.strictObject(agreementEntries),
  percentWithModel('markupPercent', 'CostPlusMargin'),
  percentWithModel('commissionPercent', 'PercentageOfSale'),
  ruleSchemas(percentWithModelSchema),
);
const payload = titled('ChangedAgreement', {
  vendor: described(operatorVendorResponse, 'The vendor with its agreement, now in force.'),
  offersMovedToRepricing: described(
    integer,
    'The number of offers that moved to `PendingRepricing`.',
    0,
  ),
  workflow: workflowLinkOrNullTo(
    'the switch, which stores it in the offers; null when nothing changed',
    `agreement-switch/${sample.vendorId}`,
  ),
});
const notFound = 'NOT_FOUND_VENDOR';

/**
 * Changes a vendor's agreement. It takes effect at once for any number of offers: reads apply it,
 * and a workflow stores it in the offers afterwards.
 */
export const operatorAgreementRoute: AddRoutes = (app, { sql, temporalUi }) => {
  const route = operatorRoutes(app, { role: 'Admin', tag: 'Operator: vendors' });
  route(
    'PATCH /operator/v1/vendors/:id/agreement',
    {
      operationId: 'changeAgreement',
      summary: "Change a vendor's agreement",
      description:
        'Puts an agreement into effect at once, for any number of offers. A change of pricing ' +
        'model moves every `Approved` and `PendingReview` offer to `PendingRepricing`, which ' +
        'stops its sale, and drops prices that were staged under the old model. Reads show this ' +
        'at once; a workflow stores it in the offers. A change of the percentage alone moves no ' +
        'offer. The agreement that is already in effect changes nothing.',
      body: agreementBody,
      payload,
      notFound,
    },
    async ({ id, body, request }) => {
      const agreement = agreementOf(body);
      const { vendor, moved, isSame } = await sql.begin(async (transaction) => {
        const before = orNotFound(await lockVendor(transaction, id), notFound);
        const isSwitch = before.agreement.pricingModel !== agreement.pricingModel;
        const isSame = !isSwitch && before.agreement.rateBasisPoints === agreement.rateBasisPoints;
        if (isSame) return { vendor: before, moved: 0, isSame };
        const moved = await activateAgreement(transaction, id, agreement, { isSwitch });
        const vendor = { ...before, agreement };
        await audit(transaction, request, 'vendor.agreement', id, {
          before: operatorVendor(before).agreement,
          after: { ...operatorVendor(vendor).agreement, offersMovedToRepricing: moved },
        });
        return { vendor, moved, isSame };
      });
      return {
        vendor: operatorVendor(vendor),
        offersMovedToRepricing: moved,
        workflow: isSame ? null : workflowLink(agreementSwitchId(id), temporalUi),
      };
    },
  );
};
