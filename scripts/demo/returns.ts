import { expect, expectRefusal, payloadOf } from './caller.ts';
import type { Delivered } from './shipments.ts';
import { operatorsReturn, returned, returnHistory, type Return } from './shipping-forms.ts';
import type { Stage } from './stage.ts';

export type SilentReturn = { readonly workflowUrl: string; readonly deadline: string };

/** A return that the vendor wants rejected, and that staff look at for it. Answers its run. */
export async function inspectReturn(stage: Stage, delivered: Delivered): Promise<string> {
  const { asVendor, step } = stage;
  const { id, workflowUrl } = await sendBack(stage, delivered, 'ChangedMind');
  const path = `/api/v1/scent/returns/${id}`;
  await receive(stage, id);

  step('The vendor adds a photo of what it found');
  const photo = { url: 'https://photos.example/opened-bottle.jpg', kind: 'Photo' };
  const added = await asVendor('POST', `${path}/evidence`, photo);
  expect(added.status === 201, 'the photo is in evidence');

  await startInspection(stage, id);

  step('The vendor proposes Rejected: that asks for staff, and moves nothing');
  const outcome = { outcome: 'Rejected' };
  const answer = await asVendor('PATCH', `${path}/inspection/propose`, outcome);
  const { status, inspection } = payloadOf(answer, 200, returned);
  expect(status === 'UnderInspection' && inspection.requiresStaffReview, 'staff are asked for');

  step('Staff decide otherwise, by an Update on its workflow');
  const decision = {
    outcome: 'AcceptedSound',
    reason: 'The seal was broken before it was shipped.',
  };
  const decided = await asStaff(stage, id, 'decide', 'InspectionAccepted', decision);
  expect(decided.inspection.outcome === 'AcceptedSound', 'the outcome is the staff’s');
  expect(
    !decided.inspection.requiresStaffReview && decided.decidedBy !== null,
    'and it is known whose',
  );

  step('It never changes again; the vendor is refused another proposal');
  const late = await asVendor('PATCH', `${path}/inspection/propose`, outcome);
  expectRefusal(late, 422, 'BUSINESS_RETURN_REQUEST_INVALID_TRANSITION');

  step('The refund is released');
  await asStaff(stage, id, 'refund-released', 'RefundReleased');
  await readHistory(stage, id);
  return workflowUrl;
}

/** A return on which the vendor keeps silent: nobody waits here for its deadline, but its run does. */
export async function leaveToSilence(stage: Stage, delivered: Delivered): Promise<SilentReturn> {
  const { id, workflowUrl } = await sendBack(stage, delivered, 'Defective');
  await receive(stage, id);
  const { inspection } = await startInspection(stage, id);
  const deadline = inspection.inspectionWindowDeadline ?? '';
  stage.print(
    `    without a word from the vendor it is AcceptedDefect at ${deadline}, as the customer claimed`,
  );
  return { workflowUrl, deadline };
}

/** One of the pieces comes back, and is on its way. */
async function sendBack(stage: Stage, { orderGlobalId, lineId }: Delivered, reasonCode: string) {
  stage.step(`The customer wants to return one (${reasonCode}): approved, and on its way`);
  const lines = [{ lineId, quantity: 1, reasonCode }];
  const body = { orderGlobalId, destination: 'Supplier', lines };
  const answer = await stage.asOperator('POST', '/operator/v1/returns', body);
  const { id, status, workflow } = payloadOf(answer, 201, operatorsReturn);
  expect(status === 'Pending', 'it is Pending');
  await asStaff(stage, id, 'approve', 'Approved');
  await asStaff(stage, id, 'in-transit', 'InTransit');
  return { id, workflowUrl: workflow.url };
}

async function receive({ asVendor, step }: Stage, id: string): Promise<void> {
  step('The vendor has received it: the inspection would start by itself after a while');
  const received = payloadOf(
    await asVendor('PATCH', `/api/v1/scent/returns/${id}/received`),
    200,
    returned,
  );
  expect(received.status === 'Received' && received.receivedAt !== null, 'it is Received');
}

async function startInspection(stage: Stage, id: string): Promise<Return> {
  stage.step('Staff start the inspection now, by an Update on its workflow: the window opens');
  const started = await asStaff(stage, id, 'start-inspection', 'UnderInspection');
  expect(started.inspection.inspectionWindowDeadline !== null, 'it has a deadline');
  return started;
}

/** What staff do with a return, by its route; it must leave the return in this status. */
async function asStaff(
  { asOperator }: Stage,
  id: string,
  route: string,
  status: string,
  body: object = {},
) {
  const answer = await asOperator('POST', `/operator/v1/returns/${id}/${route}`, body);
  const moved = payloadOf(answer, 200, operatorsReturn);
  expect(moved.status === status, `it is ${status}`);
  return moved;
}

const statuses = [
  'Pending',
  'Approved',
  'InTransit',
  'Received',
  'UnderInspection',
  'InspectionAccepted',
  'RefundReleased',
];

async function readHistory({ asVendor, step, print }: Stage, id: string): Promise<void> {
  step('The vendor reads what became of it');
  const answer = await asVendor('GET', `/api/v1/scent/returns/${id}?include=history`);
  const { history } = payloadOf(answer, 200, returnHistory);
  const came = history.map(({ to }) => to).join(' → ');
  print(`    ${came}`);
  expect(came === statuses.join(' → '), `it came by ${statuses.join(' → ')}`);
}
