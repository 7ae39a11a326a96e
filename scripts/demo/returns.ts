import * as v from 'valibot';
import { operatorReturnResponse } from '../../api/returns/responses/operator-return.ts';
import {
  readReturnResponse,
  returnRequestResponse,
} from '../../api/returns/responses/return-request.ts';
import { expect } from './api-client.ts';
import type { DemoContext } from './context.ts';
import type { Delivered } from './orders.ts';

const vendorPath = (id: string) => `/api/v1/scent/returns/${id}`;

/** The vendor proposes to reject a return, staff accept it. Returns the URL of its history. */
export async function inspectReturn(context: DemoContext, delivered: Delivered): Promise<string> {
  const { vendor, step } = context;
  const { id, workflowUrl } = await sendBack(context, delivered, 'ChangedMind');
  await receiveReturn(context, id);

  step('The vendor adds a photo as evidence');
  await vendor.expect(`POST ${vendorPath(id)}/evidence`, v.unknown(), {
    body: { url: 'https://photos.example/opened-bottle.jpg', kind: 'Photo' },
    status: 201,
  });

  await startInspection(context, id);

  step('The vendor proposes Rejected: the return needs a staff review and keeps its status');
  const propose = `PATCH ${vendorPath(id)}/inspection/propose`;
  const body = { outcome: 'Rejected' };
  await vendor.expect(propose, returnRequestResponse, {
    body,
    values: { status: 'UnderInspection', inspection: { requiresStaffReview: true } },
  });

  step('Staff accept it, by an Update on its workflow');
  const decision = { outcome: 'AcceptedSound', reason: 'The seal was broken before shipping.' };
  const decided = await move(context, id, 'decide', 'InspectionAccepted', decision);
  const { outcome, requiresStaffReview } = decided.inspection;
  expect(outcome === decision.outcome, 'the outcome is the decision of the staff');
  expect(!requiresStaffReview, 'it needs no staff review');
  expect(decided.decidedBy !== null, 'it has the name of the operator');

  step('The decision is final: the vendor’s next proposal is refused');
  await vendor.expectRefusal(propose, '422 BUSINESS_RETURN_REQUEST_INVALID_TRANSITION', { body });

  step('The operator releases the refund');
  await move(context, id, 'refund-released', 'RefundReleased');
  await readReturnHistory(context, id);
  return workflowUrl;
}

/** A return without a proposal: its workflow decides at the deadline, after the demo. */
export async function leaveReturnUndecided(context: DemoContext, delivered: Delivered) {
  const { id, workflowUrl } = await sendBack(context, delivered, 'Defective');
  await receiveReturn(context, id);
  const deadline = await startInspection(context, id);
  context.print(
    `    without a proposal it is AcceptedDefect at ${deadline}, as the customer claimed`,
  );
  return { id, workflowUrl, deadline };
}

/** A return that waits for its inspection deadline. */
export type UndecidedReturn = Readonly<Awaited<ReturnType<typeof leaveReturnUndecided>>>;

async function sendBack(
  context: DemoContext,
  { orderGlobalId, lineId }: Delivered,
  reasonCode: string,
) {
  const { operator, step } = context;
  step(`The customer returns one piece (${reasonCode}): approved, and in transit`);
  const lines = [{ lineId, quantity: 1, reasonCode }];
  const { id, workflow } = await operator.expect(
    'POST /operator/v1/returns',
    operatorReturnResponse,
    {
      body: { orderGlobalId, destination: 'Supplier', lines },
      status: 201,
      values: { status: 'Pending' },
    },
  );
  await move(context, id, 'approve', 'Approved');
  await move(context, id, 'in-transit', 'InTransit');
  return { id, workflowUrl: workflow.url };
}

async function receiveReturn({ vendor, step }: DemoContext, id: string): Promise<void> {
  step('The vendor has received it: the inspection would start by a timer');
  const request = `PATCH ${vendorPath(id)}/received`;
  const { receivedAt } = await vendor.expect(request, returnRequestResponse, {
    values: { status: 'Received' },
  });
  expect(receivedAt !== null, 'it has the time of receipt');
}

async function startInspection(context: DemoContext, id: string): Promise<string> {
  context.step('Staff start the inspection now, by an Update on its workflow');
  const { inspection } = await move(context, id, 'start-inspection', 'UnderInspection');
  const deadline = inspection.inspectionWindowDeadline ?? '';
  expect(deadline !== '', 'it has a deadline');
  return deadline;
}

/** Sends an operator's call, which must leave the return in this status. */
const move = (
  { operator }: DemoContext,
  id: string,
  route: string,
  status: string,
  body: object = {},
): Promise<v.InferOutput<typeof operatorReturnResponse>> =>
  operator.expect(`POST /operator/v1/returns/${id}/${route}`, operatorReturnResponse, {
    body,
    values: { status },
  });

const statuses =
  'Pending → Approved → InTransit → Received → UnderInspection → InspectionAccepted → ' +
  'RefundReleased';

async function readReturnHistory(context: DemoContext, id: string): Promise<void> {
  context.step('The vendor reads the history of the return');
  const request = `GET ${vendorPath(id)}?include=history`;
  const { history = [] } = await context.vendor.expect(request, readReturnResponse);
  const found = history.map(({ to }) => to).join(' → ');
  context.print(`    ${found}`);
  expect(found === statuses, `the history is ${statuses}`);
}
