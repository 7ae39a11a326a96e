import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import {
  addEvidence,
  dueStep,
  moveReturn,
  moveReturnByStaff,
  applyDueTransition,
  proposeOutcome,
  requestReturn,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import { deepFrozen } from '../offers/offer-builders.ts';
import { line, piece, requestedAt } from './return-builders.ts';
import {
  anyBeginning,
  anyCommand,
  isVendors,
  roadOf,
  type Beginning,
  type Wait,
} from './return-commands.ts';
import { answerOfModel, dueInModel, type ReturnEvent, type ReturnModel } from './return-model.ts';

/* The code under test, with a record in memory. */

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

/** What of a return the model knows. */
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
  asksStaff: request.requiresStaffReview,
  evidence: request.evidence.map(({ kind }) => kind),
});

/* What holds after every event, whatever the model says. */

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
    'what happened has one time',
    onceWritten.every((field) => before[field] === null || isSame(field)),
  );
  hold('what was asked never changes', fixed.every(isSame));
  hold('who decided is not the rules’ affair', now.decidedBy === null);
  const kept = now.evidence.slice(0, before.evidence.length);
  hold('evidence is only added', isDeepStrictEqual(kept, before.evidence));
  hold('a proposal moves nothing', kind !== 'propose' || (isSame('status') && isSame('outcome')));
  hold(
    'the flag falls by a decision only',
    !before.requiresStaffReview || now.requiresStaffReview || kind === 'decide',
  );
  const isRecorded = before.outcome === null && now.outcome !== null;
  hold(
    'only a decision and time record an outcome',
    !isRecorded || kind === 'decide' || kind === 'look',
  );
  if (isRecorded && kind === 'look') {
    const { inspectionDeadline, proposedOutcome } = before;
    hold(
      'not before the deadline',
      inspectionDeadline !== null && at >= inspectionDeadline.getTime(),
    );
    hold('only in silence', proposedOutcome === null && before.destination === 'Supplier');
    hold('never to the customer’s loss', now.outcome !== 'Rejected');
  }
}

/* The sequences. */

/** The record, what the model makes of it, and the time. What has happened is noted in `seen`. */
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
  hold(`${event.kind} is answered ${refusal ?? 'ok'}, not ${code}`, code === refusal);
  if (refusal !== null) seen.add(`refused: ${refusal}`);
  if (!result.ok || typeof answer === 'string') return state;

  const request = deepFrozen(result.value);
  const isCounted = answer === model ? request === before : request.version === before.version + 1;
  hold('a change is one version, and no change is the same return', isCounted);
  hold('it is as the model has it', isDeepStrictEqual(modelOf(request), answer));
  const due = dueStep(request);
  const dueThen = due === null ? null : { step: due.step, at: due.at.getTime() };
  hold('the same is due', isDeepStrictEqual(dueThen, dueInModel(answer)));
  holdInvariants(before, request, event, clock);
  note(before, request, event, seen);
  return { ...state, request, model: answer };
}

function note(
  before: ReturnRequest,
  after: ReturnRequest,
  event: ReturnEvent,
  seen: Set<string>,
): void {
  const name = event.kind === 'staff' ? `staff ${event.action}` : event.kind;
  if (before.status !== after.status) seen.add(`${name}: ${before.status} → ${after.status}`);
  if (!before.requiresStaffReview && after.requiresStaffReview) seen.add(`${name}: asks for staff`);
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
 * Every move there is by D41 and D42, and by what; every reason to ask for staff; every refusal.
 */
const specified = [
  'decide: UnderInspection → InspectionAccepted',
  'decide: UnderInspection → InspectionRejected',
  'look: Received → UnderInspection',
  'look: UnderInspection → InspectionAccepted',
  'look: asks for staff',
  'propose: asks for staff',
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

test('after any commands and waits a return follows the decisions and breaks no rule', () => {
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
  // Not one of them was left out, so the sequences went everywhere.
  expect([...seen].sort()).toEqual(specified);
});
