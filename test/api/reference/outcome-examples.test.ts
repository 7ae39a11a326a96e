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

type Row = { readonly to: string | null };
const targetsOf = (rows: readonly Row[]): readonly (string | null)[] => rows.map(({ to }) => to);

const offerTargets = (...triggers: readonly string[]) =>
  targetsOf(offerTransitions.filter(({ trigger }) => triggers.includes(trigger)));
const groupTargets = (action: string) =>
  targetsOf(groupTransitions.filter((row) => row.action === action));
const returnTargets = (action: string) =>
  targetsOf(returnTransitions.filter((row) => row.action === action));
const jobTargets = (action: string) =>
  targetsOf(jobTransitions.filter((row) => row.action === action));

const outcomes: readonly (readonly [string, readonly (string | null)[]])[] = [
  ['createOffer', offerTargets('create')],
  ['enterOffer', offerTargets('create')],
  ['submitOffer', offerTargets('submit')],
  ['withdrawOffer', offerTargets('withdraw')],
  ['approveOffer', offerTargets('approve')],
  ['rejectOffer', offerTargets('reject')],
  ['returnOfferToReview', offerTargets('returnToReview')],
  ['suspendOffer', offerTargets('suspend')],
  ['reinstateOffer', offerTargets('reinstate')],
  // A staged price exists beside a live price only.
  ['applyPendingPrice', ['Approved']],
  ['discardPendingPrice', ['Approved']],
  ['packShipment', groupTargets('pack')],
  ['shipShipment', groupTargets('ship')],
  ['assignGroup', groupTargets('assign')],
  ['createReturn', ['Pending']],
  ['approveReturn', returnTargets('approve')],
  ['rejectReturn', returnTargets('reject')],
  ['markReturnInTransit', returnTargets('inTransit')],
  ['markReturnReceived', returnTargets('receive')],
  ['confirmReturnReceipt', returnTargets('receive')],
  ['startInspection', returnTargets('startInspection')],
  ['proposeInspectionOutcome', returnTargets('startInspection')],
  ['decideInspection', returnTargets('decide')],
  ['releaseRefund', returnTargets('releaseRefund')],
  ['withdrawReturn', returnTargets('withdraw')],
  ['closeReturn', returnTargets('close')],
  ['startJob', ['Queued']],
  ['revertJob', ['Queued']],
  ['startReviewJob', ['Queued']],
  ['cancelJob', jobTargets('cancel')],
  ['cancelJobOfVendor', jobTargets('cancel')],
  ['cancelReviewJob', jobTargets('cancel')],
  ['sandboxApproveOffer', offerTargets('approve')],
  ['sandboxApplyPendingPrice', ['Approved']],
  ['sandboxDiscardPendingPrice', ['Approved']],
  ['sandboxReinstateOffer', offerTargets('reinstate')],
  ['sandboxCreateOrder', ['Pending']],
  ['sandboxDeliverShipment', ['Delivered']],
  ['sandboxCreateReturn', returnTargets('inTransit')],
  ['sandboxStartInspection', returnTargets('startInspection')],
  ['sandboxDecideInspection', returnTargets('decide')],
  ['advanceSandboxClock', ['Advancing']],
  ['sandboxReset', ['Resetting']],
];

test.for(outcomes)(
  'the example of %s has a state that its table allows',
  ([id, targets], { shown }) => {
    const { status, state } = shown.get(id) ?? {};
    expect(targets).toContain(status ?? state);
  },
);

test('no operation that moves a status is missing above', ({ shown }) => {
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

/** From which status on a return has an instant. */
const beforeReceipt = ['Pending', 'Approved', 'Rejected', 'InTransit', 'Withdrawn'];
const beforeInspection = [...beforeReceipt, 'Received'];

test('an example of a return has the instants of its status, and no later ones', ({ shown }) => {
  const returns = [...shown].filter(
    ([, payload]) => 'returnRequestNumber' in payload && payload['status'] !== 'Closed',
  );
  expect(returns.length).toBeGreaterThan(10);
  for (const [id, { status, receivedAt, inspectionStartedAt, inspectionDecidedAt }] of returns) {
    const isDecided = ['InspectionAccepted', 'InspectionRejected', 'RefundReleased'];
    expect([id, receivedAt === null]).toEqual([id, beforeReceipt.includes(String(status))]);
    expect([id, inspectionStartedAt === null]).toEqual([
      id,
      beforeInspection.includes(String(status)),
    ]);
    expect([id, inspectionDecidedAt !== null]).toEqual([id, isDecided.includes(String(status))]);
  }
});

test('an example of a group has the instants of its status, and no later ones', ({ shown }) => {
  const sets = {
    packedAt: ['Packed', 'Shipped', 'Delivered'],
    shippedAt: ['Shipped', 'Delivered'],
    deliveredAt: ['Delivered'],
  };
  for (const id of [
    'packShipment',
    'shipShipment',
    'assignGroup',
    'updateGroup',
    'sandboxCreateOrder',
    'sandboxDeliverShipment',
  ]) {
    const payload = shown.get(id) ?? {};
    for (const [instant, statuses] of Object.entries(sets))
      expect([id, instant, payload[instant] !== null]).toEqual([
        id,
        instant,
        statuses.includes(String(payload['status'])),
      ]);
  }
});

test('an example of a reviewed offer waits for no decision after the last one', ({ shown }) => {
  for (const id of ['approveOffer', 'applyPendingPrice', 'discardPendingPrice'])
    expect([id, shown.get(id)]).toMatchObject([
      id,
      { awaitingDecision: false, awaitingSince: null, cost: { pending: null } },
    ]);
});
