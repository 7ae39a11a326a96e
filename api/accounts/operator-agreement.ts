import * as v from 'valibot';
import { activateAgreement } from '../../db/accounts/agreements.ts';
import { lockVendor } from '../../db/accounts/vendors.ts';
import { agreementSwitchId } from '../../workflows/ids.ts';
import {
  agreementEntries,
  agreementOf,
  commissionGoesWithPercentage,
  markupGoesWithCostPlus,
} from './agreement-fields.ts';
import { apiError } from '../http/api-error.ts';
import { audit } from '../operator/audit.ts';
import type { Dependencies } from '../dependencies.ts';
import { envelope, success } from '../http/envelope.ts';
import { operatorVendor, operatorVendorResponse } from './responses/operator-vendor.ts';
import { described } from '../validation/described.ts';
import { integer, orNull } from '../validation/response-parts.ts';
import { sample } from '../validation/sample.ts';
import { pathId } from '../validation/path-id.ts';
import { percentOfItsModel, ruleSchemas } from '../validation/rule-schemas.ts';
import type { Routes } from '../validation/compiler.ts';
import { workflowLink, workflowLinkTo } from '../operator/workflow-link.ts';

/** The body of an agreement. */
export const agreementBody = v.pipe(
  v.strictObject(agreementEntries),
  markupGoesWithCostPlus(),
  commissionGoesWithPercentage(),
  ruleSchemas(percentOfItsModel),
);
const answer = envelope(
  v.object({
    vendor: described(operatorVendorResponse, 'The vendor with its agreement, now in force.'),
    offersMovedToRepricing: described(
      integer,
      'The number of offers that moved to `PendingRepricing`.',
      0,
    ),
    workflow: orNull(
      workflowLinkTo(
        'the workflow that stores the change; null when nothing changed',
        `agreement-switch/${sample.vendorId}`,
      ),
    ),
  }),
);

/**
 * `PATCH /operator/v1/vendors/{id}/agreement`: in force at once, whatever the number of offers. A workflow brings what is
 * stored of them up to it. The agreement that is in force already changes nothing.
 */
export function operatorAgreementRoute(app: Routes, { sql, temporalUi }: Dependencies): void {
  app.patch(
    '/operator/v1/vendors/:id/agreement',
    {
      config: { role: 'Admin', refusals: ['NOT_FOUND_VENDOR'] },
      schema: {
        params: v.object({ id: v.string() }),
        body: agreementBody,
        response: { 200: answer },
        tags: ['Operator: vendors'],
        summary: "Change a vendor's agreement",
        operationId: 'changeAgreement',
        description:
          'Puts an agreement in force at once, whatever the number of offers. A switch of the ' +
          'pricing model moves every `Approved` and `PendingReview` offer to `PendingRepricing`, ' +
          'which stops its sale, and drops prices that were staged under the old model; a workflow ' +
          'stores that, and reads see it from the start. Another percentage alone moves no offer. ' +
          'The agreement that is in force already changes nothing.',
      },
    },
    async (request) => {
      const id = pathId(request.params.id, 'NOT_FOUND_VENDOR');
      const agreement = agreementOf(request.body);
      const { vendor, moved, isSame } = await sql.begin(async (transaction) => {
        const before = await lockVendor(transaction, id);
        if (before === null) throw apiError('NOT_FOUND_VENDOR');
        const isSwitch = before.agreement.pricingModel !== agreement.pricingModel;
        const isSame = !isSwitch && before.agreement.rateBasisPoints === agreement.rateBasisPoints;
        if (isSame) return { vendor: before, moved: 0, isSame };
        const moved = await activateAgreement(transaction, id, agreement, { isSwitch });
        const vendor = { ...before, agreement };
        await audit(transaction, request, {
          action: 'vendor.agreement',
          subjectType: 'vendor',
          subjectId: id,
          before: operatorVendor(before).agreement,
          after: { ...operatorVendor(vendor).agreement, offersMovedToRepricing: moved },
        });
        return { vendor, moved, isSame };
      });
      return success({
        vendor: operatorVendor(vendor),
        offersMovedToRepricing: moved,
        workflow: isSame ? null : workflowLink(agreementSwitchId(id), temporalUi),
      });
    },
  );
}
