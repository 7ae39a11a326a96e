import * as v from 'valibot';
import { returnDestinations, type ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { described } from '../../validation/described.ts';
import {
  id,
  integer,
  orNull,
  statusChange,
  textOrNull,
  titled,
} from '../../validation/response-parts.ts';
import { sample } from '../../validation/sample.ts';
import { destinationText } from '../return-texts.ts';
import { receivingPartyText, returnRequest, returnRequestResponse } from './return-request.ts';

export const lineVendorText = [
  "The vendor of the lines; null when they are the service's own.",
  sample.vendorId,
] as const;

/** A return as operators see it: the vendor's view with the facts that vendors do not see. */
export const operatorReturnResponse = titled('OperatorReturn', {
  ...returnRequestResponse.entries,
  inspection: described(
    titled('OperatorReturnInspection', {
      ...returnRequestResponse.entries.inspection.entries,
      receivingParty: described(v.picklist(returnDestinations), ...receivingPartyText),
    }),
    'The state of the inspection.',
  ),
  destination: described(v.picklist(returnDestinations), ...destinationText),
  vendorId: described(orNull(id), ...lineVendorText),
  decidedBy: described(
    textOrNull,
    'The operator who decided; null before the decision and when the deadline decided.',
    null,
  ),
  version: described(integer, 'A counter that increases with every change.', 5),
  workflow: workflowLinkTo('the inspection', `return-inspection/${sample.returnId}`),
});

export const operatorReturn = (
  request: ReturnRequest,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorReturnResponse> => {
  const { destination, vendorId, decidedBy, version } = request;
  const form = returnRequest(request);
  return {
    ...form,
    inspection: { ...form.inspection, receivingParty: destination },
    destination,
    vendorId,
    decidedBy,
    version,
    workflow: workflowLink(returnInspectionId(request.id), temporalUi),
  };
};

/** One return with its status changes. */
export const operatorReturnDetailResponse = titled('OperatorReturnWithHistory', {
  ...operatorReturnResponse.entries,
  history: described(v.array(statusChange), 'Status changes, oldest first.'),
});
