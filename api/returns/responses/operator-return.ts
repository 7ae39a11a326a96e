import * as v from 'valibot';
import type { StatusChange } from '../../../db/lists/status-history.ts';
import { returnDestinations, type ReturnRequest } from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkResponse } from '../../operator/workflow-link.ts';
import { id, instant, integer, orNull } from '../../validation/response-parts.ts';
import { returnRequest, returnRequestResponse } from './return-request.ts';

/** A return as operators see it: the vendor's view, and what is not for vendors. */
export const operatorReturnResponse = v.object({
  ...returnRequestResponse.entries,
  inspection: v.object({
    ...returnRequestResponse.entries.inspection.entries,
    receivingParty: v.picklist(returnDestinations),
  }),
  destination: v.picklist(returnDestinations),
  vendorId: orNull(id),
  decidedBy: orNull(v.string()),
  version: integer,
  workflow: workflowLinkResponse,
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

/** One return with everything that happened to it. */
export const operatorReturnDetailResponse = v.object({
  ...operatorReturnResponse.entries,
  history: v.array(
    v.object({ at: instant, from: orNull(v.string()), to: v.string(), reason: orNull(v.string()) }),
  ),
});

export const returnHistory = (changes: readonly StatusChange[]) =>
  changes.map(({ at, ...change }) => ({ at: at.toISOString(), ...change }));
