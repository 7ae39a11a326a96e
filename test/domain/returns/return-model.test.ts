import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import {
  addEvidence,
  dueStep,
  evidenceKinds,
  moveReturn,
  moveReturnByStaff,
  applyDueTransition,
  proposeOutcome,
  requestReturn,
  returnDestinations,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { deepFrozen } from '../offers/offer-builders.ts';
import {
  deadline,
  invalidTransition,
  line,
  outcomes,
  piece,
  requestedAt,
  returnIn,
  staffMoves,
} from './return-builders.ts';
import {
  anyBeginning,
  anyCommand,
  isVendors,
  roadOf,
  type Beginning,
  type Wait,
} from './return-commands.ts';
import { answerOfModel, dueInModel, type ReturnEvent, type ReturnModel } from './return-model.ts';

/* The code under test. */

function run(request: ReturnRequest, event: ReturnEvent, now: Date): Result<ReturnRequest> {
  switch (event.kind) {
    case 'staff':
      return moveReturnByStaff(request, event.action, now);
    case 'receive':
      return moveReturn(request, 'receive', now);
    case 'evidence':
      return addEvidence(request, piece(event.piece, `evidence-${request.version}`));
    case 'propose':
      return proposeOutcome(request, event.outcome, now);
    case 'start':
      return applyReturnCommand(request, { action: 'startInspection', reason: null }, now);
    case 'decide':
      return applyReturnCommand(
        request,
        { action: 'decide', outcome: event.outcome, reason: null },
        now,
      );
    case 'look':
      return applyDueTransition(request, now);
  }
}

const instant = (at: Date | null): number | null => at?.getTime() ?? null;

/** The part of a return that the model has. */
const modelOf = (request: ReturnRequest): ReturnModel => ({
  isSupplier: request.destination === 'Supplier',
  claim: request.lines.every(
    ({ reasonCode }) => reasonCode === 'ChangedMind' || reasonCode === 'Other',
  )
    ? 'AcceptedSound'
    : 'AcceptedDefect',
  times: request.times,
  status: request.status,
  receivedAt: instant(request.receivedAt),
  startedAt: instant(request.inspectionStartedAt),
  deadline: instant(request.inspectionDeadline),
  decidedAt: instant(request.inspectionDecidedAt),
  outcome: request.outcome,
  proposal: request.proposedOutcome,
  requiresReview: request.requiresStaffReview,
  evidence: request.evidence.map(({ kind }) => kind),
});

/* What is true after every event, whatever the model says. */

function hold(what: string, isHeld: boolean): void {
  if (!isHeld) throw new Error(`broken: ${what}`);
}

const onceWritten = [
  'receivedAt',
  'inspectionStartedAt',
  'inspectionDeadline',
  'inspectionDecidedAt',
] as const;
const fixed = [
  'id',
  'orderId',
  'number',
  'destination',
  'vendorId',
  'requestedAt',
  'times',
  'lines',
] as const;

function holdInvariants(
  before: ReturnRequest,
  now: ReturnRequest,
  { kind }: ReturnEvent,
  at: number,
): void {
  const isSame = (field: keyof ReturnRequest) => isDeepStrictEqual(before[field], now[field]);
  hold('an outcome never changes', before.outcome === null || isSame('outcome'));
  hold(
    'a time that is set never changes',
    onceWritten.every((field) => before[field] === null || isSame(field)),
  );
  hold('the request never changes', fixed.every(isSame));
  hold('the rules store no operator', now.decidedBy === null);
  const kept = now.evidence.slice(0, before.evidence.length);
  hold('evidence is only added', isDeepStrictEqual(kept, before.evidence));
  hold('a proposal moves nothing', kind !== 'propose' || (isSame('status') && isSame('outcome')));
  const isRecorded = before.outcome === null && now.outcome !== null;
  hold(
    'only an outcome lifts a required review',
    !before.requiresStaffReview || now.requiresStaffReview || isRecorded,
  );
  hold(
    'only a decision and time store an outcome',
    !isRecorded || kind === 'decide' || kind === 'look',
  );
  if (isRecorded && kind === 'look') {
    const { inspectionDeadline, proposedOutcome } = before;
    hold(
      'silence decides from the deadline on',
      inspectionDeadline !== null && at >= inspectionDeadline.getTime(),
    );
    hold(
      'silence decides without a proposal, at a supplier',
      proposedOutcome === null && before.destination === 'Supplier',
    );
    hold('silence never rejects', now.outcome !== 'Rejected');
  }
}

/* The sequences. */

/** The return, its model, and the time. `seen` collects what has happened. */
type State = {
  readonly request: ReturnRequest;
  readonly model: ReturnModel;
  readonly clock: number;
  readonly seen: Set<string>;
};

function begin({ isSupplier, reasons, times }: Beginning, seen: Set<string>): State {
  const requested = requestReturn({
    id: 'return-1',
    orderId: 'order-1',
    destination: isSupplier ? 'Supplier' : 'SortingPoint',
    vendorId: isSupplier ? 'vendor-1' : null,
    lines: reasons.map((reason) => line(reason)),
    times,
    now: requestedAt,
  });
  const request = deepFrozen({ ...requested, number: 'RR-00000001' });
  const model = modelOf(request);
  hold('a return begins as Pending', model.status === 'Pending' && model.outcome === null);
  return { request, model, clock: requestedAt.getTime(), seen };
}

const dueOf = (request: ReturnRequest) => {
  const due = dueStep(request);
  return due === null ? null : { step: due.step, at: due.at.getTime() };
};

/**
 * The state after one event on the code and on the model; the record is frozen, so a refusal cannot
 * change it.
 */
function happen(state: State, event: ReturnEvent): State {
  const { request: before, model, clock, seen } = state;
  const result = run(before, event, new Date(clock));
  const answer = answerOfModel(model, event, clock);
  const code = result.ok ? null : result.failure.code;
  const refusal = typeof answer === 'string' ? answer : null;
  hold(`${event.kind} returns ${refusal ?? 'ok'} in the model, not ${code}`, code === refusal);
  if (!result.ok && refusal === invalidTransition) {
    const { status, action } = result.failure.details;
    hold('a refusal names the status', status === before.status);
    hold('a refusal names the action', action === actionOf(event));
  }
  if (refusal !== null) seen.add(`refused: ${refusal}`);
  if (!result.ok || typeof answer === 'string') return state;

  const request = deepFrozen(result.value);
  const isCounted = answer === model ? request === before : request.version === before.version + 1;
  hold('a change is one version, and no change is the same object', isCounted);
  hold('the return equals the model', isDeepStrictEqual(modelOf(request), answer));
  hold('the model has the same due step', isDeepStrictEqual(dueOf(request), dueInModel(answer)));
  holdInvariants(before, request, event, clock);
  note(before, request, event, seen);
  return { ...state, request, model: answer };
}

function actionOf(event: ReturnEvent): string {
  if (event.kind === 'staff') return event.action;
  return event.kind === 'start' ? 'startInspection' : event.kind;
}

function note(
  before: ReturnRequest,
  after: ReturnRequest,
  event: ReturnEvent,
  seen: Set<string>,
): void {
  const name = event.kind === 'staff' ? `staff ${event.action}` : event.kind;
  if (before.status !== after.status) seen.add(`${name}: ${before.status} → ${after.status}`);
  if (!before.requiresStaffReview && after.requiresStaffReview)
    seen.add(`${name}: requires review`);
}

/**
 * The clock goes on; the workflow, unless it sleeps, looks at each instant at which something is
 * due.
 */
function wait(state: State, { ms, isToDue, isAsleep }: Wait): State {
  const due = dueInModel(state.model);
  const from = isToDue && due !== null ? due.at + ms : state.clock + Math.abs(ms);
  const target = Math.max(state.clock, from);
  let waited = state;
  for (;;) {
    const next = isAsleep ? null : dueInModel(waited.model);
    if (next === null || next.at > target) return { ...waited, clock: target };
    waited = happen({ ...waited, clock: Math.max(waited.clock, next.at) }, { kind: 'look' });
  }
}

/**
 * Every move of D41 and D42 with its cause, every cause of a required review, and every refusal.
 */
const specified = [
  'decide: UnderInspection → InspectionAccepted',
  'decide: UnderInspection → InspectionRejected',
  'look: Received → UnderInspection',
  'look: UnderInspection → InspectionAccepted',
  'look: requires review',
  'propose: requires review',
  'receive: InTransit → Received',
  'refused: BUSINESS_RETURN_INSPECTION_EVIDENCE_REQUIRED',
  'refused: BUSINESS_RETURN_REQUEST_INVALID_TRANSITION',
  'refused: BUSINESS_RETURN_REQUEST_NOT_RECEIVED',
  'staff approve: Pending → Approved',
  'staff close: Approved → Closed',
  'staff close: InspectionRejected → Closed',
  'staff inTransit: Approved → InTransit',
  'staff receive: InTransit → Received',
  'staff reject: Pending → Rejected',
  'staff releaseRefund: InspectionAccepted → RefundReleased',
  'staff startInspection: Received → UnderInspection',
  'staff withdraw: Approved → Withdrawn',
  'staff withdraw: Pending → Withdrawn',
  'start: Received → UnderInspection',
];

test('after any commands and waits a return equals the model and breaks no rule', () => {
  const seen = new Set<string>();
  const sequence = fc.array(anyCommand, { minLength: 1, maxLength: 40, size: 'max' });
  fc.assert(
    fc.property(anyBeginning, sequence, (beginning, commands) => {
      const reachable = commands.filter((command) => beginning.isSupplier || !isVendors(command));
      let state = begin(beginning, seen);
      for (const command of [...roadOf(beginning), ...reachable]) {
        state = command.kind === 'wait' ? wait(state, command) : happen(state, command);
      }
    }),
    { numRuns: 4000 },
  );
  // The sequences reach each of them.
  expect([...seen].sort()).toEqual(specified);
});

const events: readonly ReturnEvent[] = [
  ...staffMoves.map((action) => ({ kind: 'staff', action }) as const),
  ...(['receive', 'start', 'look'] as const).map((kind) => ({ kind })),
  ...evidenceKinds.map((kind) => ({ kind: 'evidence', piece: kind }) as const),
  ...outcomes.flatMap((outcome) => [
    { kind: 'propose', outcome } as const,
    { kind: 'decide', outcome } as const,
  ]),
];

test.each(returnStatuses)(
  'each event of a return that is %s is answered as by the model',
  (status) => {
    for (const destination of returnDestinations)
      for (const proposedOutcome of [null, ...outcomes])
        for (const requiresStaffReview of [false, true])
          for (const evidence of [[], [piece('Document')], [piece('Photo')]]) {
            const given = { destination, proposedOutcome, requiresStaffReview, evidence };
            const request = deepFrozen(returnIn(status, { ...given, decidedBy: null }));
            const model = modelOf(request);
            hold(
              'the model has the same due step',
              isDeepStrictEqual(dueOf(request), dueInModel(model)),
            );
            for (const ms of [-1, 0, 1])
              for (const event of events)
                happen({ request, model, clock: deadline.getTime() + ms, seen: new Set() }, event);
          }
  },
);
