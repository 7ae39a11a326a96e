import { expect } from 'vitest';
import { groupTransitions } from '../../../domain/orders/fulfilment-status.ts';
import { jobTransitions } from '../../../domain/jobs/job.ts';
import { offerTransitions } from '../../../domain/offers/offer-status.ts';
import { returnTransitions } from '../../../domain/returns/return-status.ts';
import { documentTest } from './document-test.ts';
import { child, exampleOfResponse, type Operation } from '../../support/api/openapi-document.ts';

const test = documentTest.extend('shown', { scope: 'file' }, ({ references }) => {
  const examples = references.flatMap(({ document, operations }) =>
    operations.map((operation): [string, ReturnType<typeof child>] => [
      operation.operationId,
      child(exampleOfResponse(document, successOf(operation))),
    ]),
  );
  return new Map(examples.map(([id, example]) => [id, child(example, 'payload')]));
});

/** The success that an operation's change leads to: not the 200 that returns an existing object. */
const successOf = ({ node }: Operation): unknown => {
  const responses = child(node, 'responses');
  return responses['201'] ?? responses['202'] ?? responses['200'];
};

type Row = { readonly to: string | null; readonly action?: unknown; readonly trigger?: unknown };
/** The states to which the rows of a table lead for one action. */
const targetsOf = (rows: readonly Row[], name: string): readonly (string | null)[] =>
  rows.filter(({ action, trigger }) => (action ?? trigger) === name).map(({ to }) => to);

const outcomes: readonly (readonly [string, readonly (string | null)[]])[] = [
  ['createOffer', targetsOf(offerTransitions, 'create')],
  ['enterOffer', targetsOf(offerTransitions, 'create')],
  ['submitOffer', targetsOf(offerTransitions, 'submit')],
  ['withdrawOffer', targetsOf(offerTransitions, 'withdraw')],
  ['approveOffer', targetsOf(offerTransitions, 'approve')],
  ['rejectOffer', targetsOf(offerTransitions, 'reject')],
  ['returnOfferToReview', targetsOf(offerTransitions, 'returnToReview')],
  ['suspendOffer', targetsOf(offerTransitions, 'suspend')],
  ['reinstateOffer', targetsOf(offerTransitions, 'reinstate')],
  // The most are rejections.
  ['undoDecision', ['PendingMatch']],
  // A staged price exists beside a live price only.
  ['applyPendingPrice', ['Approved']],
  ['discardPendingPrice', ['Approved']],
  ['packShipment', targetsOf(groupTransitions, 'pack')],
  ['shipShipment', targetsOf(groupTransitions, 'ship')],
  ['assignGroup', targetsOf(groupTransitions, 'assign')],
  ['createReturn', ['Pending']],
  ['approveReturn', targetsOf(returnTransitions, 'approve')],
  ['rejectReturn', targetsOf(returnTransitions, 'reject')],
  ['markReturnInTransit', targetsOf(returnTransitions, 'inTransit')],
  ['markReturnReceived', targetsOf(returnTransitions, 'receive')],
  ['confirmReturnReceipt', targetsOf(returnTransitions, 'receive')],
  ['startInspection', targetsOf(returnTransitions, 'startInspection')],
  ['proposeInspectionOutcome', targetsOf(returnTransitions, 'startInspection')],
  ['decideInspection', targetsOf(returnTransitions, 'decide')],
  ['releaseRefund', targetsOf(returnTransitions, 'releaseRefund')],
  ['withdrawReturn', targetsOf(returnTransitions, 'withdraw')],
  ['closeReturn', targetsOf(returnTransitions, 'close')],
  ['startJob', ['Queued']],
  ['revertJob', ['Queued']],
  ['startReviewJob', ['Queued']],
  ['cancelJob', targetsOf(jobTransitions, 'cancel')],
  ['cancelJobOfVendor', targetsOf(jobTransitions, 'cancel')],
  ['cancelReviewJob', targetsOf(jobTransitions, 'cancel')],
  ['sandboxApproveOffer', targetsOf(offerTransitions, 'approve')],
  ['sandboxApplyPendingPrice', ['Approved']],
  ['sandboxDiscardPendingPrice', ['Approved']],
  ['sandboxReinstateOffer', targetsOf(offerTransitions, 'reinstate')],
  ['sandboxCreateOrder', ['Pending']],
  ['sandboxDeliverShipment', ['Delivered']],
  ['sandboxCreateReturn', targetsOf(returnTransitions, 'inTransit')],
  ['sandboxStartInspection', targetsOf(returnTransitions, 'startInspection')],
  ['sandboxDecideInspection', targetsOf(returnTransitions, 'decide')],
  ['advanceSandboxClock', ['Advancing']],
  ['sandboxReset', ['Resetting']],
];

test.for(outcomes)(
  'shows in the example of %s a state that its table allows',
  ([id, targets], { shown }) => {
    const { status, state } = shown.get(id) ?? {};
    expect(targets).toContain(status ?? state);
  },
);

test('lists above every operation that moves a status', ({ shown }) => {
  const stateless = ['updateOffer', 'pushCost', 'pushSalePrice', 'pushStock'];
  const others = ['updateShipment', 'updateGroup', 'redeliverEvent', 'redeliverDelivery'];
  // These show another status: a response of their own would each take a kilobyte.
  const ofSandbox = [
    'sandboxRejectOffer',
    'sandboxSuspendOffer',
    'sandboxCancelShipment',
    'sandboxApproveReturn',
    'sandboxMarkReturnInTransit',
    'sandboxReleaseRefund',
    'sandboxCloseReturn',
  ];
  const listed = [...outcomes.map(([id]) => id), ...stateless, ...others, ...ofSandbox];
  const moving = [...shown].filter(
    ([id, payload]) => !/^(get|list)/.test(id) && ('status' in payload || 'state' in payload),
  );
  expect(moving.map(([id]) => id).filter((id) => !listed.includes(id))).toEqual([]);
});

const afterStart = [
  'UnderInspection',
  'InspectionAccepted',
  'InspectionRejected',
  'RefundReleased',
];

test.for<readonly [string, readonly string[]]>([
  ['receivedAt', ['Received', ...afterStart]],
  ['inspectionStartedAt', afterStart],
  ['inspectionDecidedAt', afterStart.slice(1)],
  ['packedAt', ['Packed', 'Shipped', 'Delivered']],
  ['shippedAt', ['Shipped', 'Delivered']],
  ['deliveredAt', ['Delivered']],
])('shows the instant %s in examples with the statuses %j only', (row, { shown }) => {
  const [instant, statuses] = row;
  const moving = [...shown].filter(
    ([, payload]) => instant in payload && payload['status'] !== 'Closed',
  );
  expect(moving.length).toBeGreaterThan(5);
  for (const [id, payload] of moving)
    expect(payload[instant] !== null, id).toBe(statuses.includes(String(payload['status'])));
});

test('shows no open decision in the examples of reviewed offers', ({ shown }) => {
  const waitsForNone = { awaitingDecision: false, awaitingSince: null, cost: { pending: null } };
  for (const id of ['approveOffer', 'applyPendingPrice', 'discardPendingPrice'])
    expect(shown.get(id), id).toMatchObject(waitsForNone);
});
