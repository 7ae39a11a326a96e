import * as v from 'valibot';
import { earlierMax } from '../../../db/returns/earlier-returns.ts';
import {
  returnDestinations,
  silenceOutcome,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnInspectionId } from '../../../workflows/ids.ts';
import type { Dependencies } from '../../dependencies.ts';
import { workflowLink, workflowLinkTo } from '../../operator/workflow-link.ts';
import { described } from '../../validation/described.ts';
import { field, list, orNull, statusChange, titled } from '../../validation/response-parts.ts';
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
  vendorId: field.idOrNull(...lineVendorText),
  decidedBy: field.textOrNull(
    'The operator who decided; null before the decision and when the deadline decided.',
    null,
  ),
  decision: orNull(
    v.picklist(['Operator', 'Silence']),
    'Who decided: an operator, or the deadline without a proposal; null before the decision.',
    null,
  ),
  silenceOutcome: orNull(
    v.picklist(['AcceptedDefect', 'AcceptedSound']),
    'What silence decides if nothing happens before `silenceAt`; null where it decides nothing.',
    null,
  ),
  silenceAt: field.instantOrNull('When silence decides, in UTC; null where it does not.', null),
  version: field.integer('A counter that increases with every change.', 5),
  workflow: workflowLinkTo('the inspection', `return-inspection/${sample.returnId}`),
});

export const operatorReturn = (
  request: ReturnRequest,
  temporalUi: Dependencies['temporalUi'],
): v.InferInput<typeof operatorReturnResponse> => {
  const { destination, vendorId, decidedBy, version } = request;
  const form = returnRequest(request);
  const outcome = silenceOutcome(request);
  const decided = decidedBy === null ? 'Silence' : 'Operator';
  return {
    ...form,
    inspection: { ...form.inspection, receivingParty: destination },
    destination,
    vendorId,
    decidedBy,
    decision: request.outcome === null ? null : decided,
    silenceOutcome: outcome,
    silenceAt: outcome === null ? null : request.inspectionDeadline,
    version,
    workflow: workflowLink(returnInspectionId(request.id), temporalUi),
  };
};

const now = field.instant(
  "The time of the read by the clock of the deadlines, the vendor's, in UTC. It is ahead of real " +
    'time only in a sandbox.',
  sample.inspectionStartedAt,
);

/** A return of a list, with the time by its clock. */
export const listedReturnResponse = titled('ListedOperatorReturn', {
  ...operatorReturnResponse.entries,
  now,
});

/** The vendor's earlier returns by what became of them. */
const earlierReturns = titled('EarlierReturns', {
  returns: field.integer(`The earlier returns, the latest ${earlierMax} at most.`, 14),
  acceptedDefect: field.integer('Those with the outcome `AcceptedDefect`.', 9),
  acceptedSound: field.integer('Those with the outcome `AcceptedSound`.', 3),
  rejected: field.integer('Those with the outcome `Rejected`.', 1),
  decidedBySilence: field.integer('Those that silence decided.', 4),
});

/** One return with its status changes and the vendor's earlier returns. */
export const operatorReturnDetailResponse = titled('OperatorReturnWithHistory', {
  ...operatorReturnResponse.entries,
  now,
  history: list(statusChange, 'Status changes, oldest first.'),
  earlierReturns: orNull(
    earlierReturns,
    "The returns to the vendor that were requested before this one; null for the service's own.",
  ),
});
