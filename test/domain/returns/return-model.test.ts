import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import {
  addEvidence,
  applyDueTransition,
  dueStep,
  evidenceKinds,
  moveReturn,
  moveReturnByStaff,
  proposeOutcome,
  returnDestinations,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import {
  inspectionOutcomes,
  returnStatuses,
  returnTransitions,
  type ReturnReason,
} from '../../../domain/returns/return-status.ts';
import { deepFrozen } from '../offers/offer-builders.ts';
import { deadline, hourMs, line, piece, returnIn, startedAt, times } from './return-builders.ts';
import {
  outcomeOfModel,
  dueInModel,
  invalidTransition,
  type ReturnEvent,
  type ReturnModel,
} from './return-model.ts';

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
    case 'decide': {
      const { outcome } = event;
      return applyReturnCommand(request, { action: 'decide', outcome, reason: null }, now);
    }
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

/** The part that no event changes: the rules store no operator. */
const fixedIn = ({ id, orderId, number, vendorId, requestedAt, lines, ...rest }: ReturnRequest) => {
  const { decidedBy, closingAnnouncedAt } = rest;
  return { id, orderId, number, vendorId, requestedAt, lines, decidedBy, closingAnnouncedAt };
};

function hold(what: string, isHeld: boolean): void {
  if (!isHeld) throw new Error(`broken: ${what}`);
}

function actionOf(event: ReturnEvent): string {
  if (event.kind === 'staff') return event.action;
  return event.kind === 'start' ? 'startInspection' : event.kind;
}

/** The return after one event on the code and on the model; a refusal cannot change the record. */
function happen(before: ReturnRequest, event: ReturnEvent, clock: number): ReturnRequest {
  const model = modelOf(before);
  const due = dueStep(before);
  const dueInCode = due === null ? null : { step: due.step, at: due.at.getTime() };
  hold('the model has the same due step', isDeepStrictEqual(dueInCode, dueInModel(model)));
  const result = run(before, event, new Date(clock));
  const outcome = outcomeOfModel(model, event, clock);
  const code = result.ok ? null : result.failure.code;
  const refusal = typeof outcome === 'string' ? outcome : null;
  hold(`${event.kind} returns ${refusal ?? 'ok'} in the model, not ${code}`, code === refusal);
  if (!result.ok && refusal === invalidTransition) {
    const { status, action } = result.failure.details;
    hold('a refusal names the status', status === before.status);
    hold('a refusal names the action', action === actionOf(event));
  }
  if (!result.ok || typeof outcome === 'string') return before;
  const after = deepFrozen(result.value);
  const isCounted = outcome === model ? after === before : after.version === before.version + 1;
  hold('a change is one version, and no change is the same object', isCounted);
  hold('the return equals the model', isDeepStrictEqual(modelOf(after), outcome));
  hold('no event changes the request', isDeepStrictEqual(fixedIn(after), fixedIn(before)));
  const kept = after.evidence.slice(0, before.evidence.length);
  hold('evidence is only added', isDeepStrictEqual(kept, before.evidence));
  return after;
}

const events: readonly ReturnEvent[] = [
  ...returnTransitions.flatMap(({ action }) =>
    action === 'decide' ? [] : ({ kind: 'staff', action } as const),
  ),
  ...(['receive', 'start', 'look'] as const).map((kind) => ({ kind })),
  ...evidenceKinds.map((kind) => ({ kind: 'evidence', piece: kind }) as const),
  ...inspectionOutcomes.flatMap((outcome) => [
    { kind: 'propose', outcome } as const,
    { kind: 'decide', outcome } as const,
  ]),
];

test.each(returnStatuses)(
  'returns for each event of a return that is %s what the model does',
  (status) => {
    for (const destination of returnDestinations)
      for (const proposedOutcome of [null, ...inspectionOutcomes])
        for (const requiresStaffReview of [false, true])
          for (const evidence of [[], [piece('Document')], [piece('Photo')]]) {
            const given = { destination, proposedOutcome, requiresStaffReview, evidence };
            const request = deepFrozen(returnIn(status, { ...given, decidedBy: null }));
            for (const at of [startedAt, deadline])
              for (const ms of [-1, 0, 1])
                for (const event of events) happen(request, event, at.getTime() + ms);
          }
  },
);

const anyBeginning = fc.record({
  status: fc.constantFrom(...returnStatuses),
  destination: fc.constantFrom('Supplier' as const, ...returnDestinations),
  reasons: fc.array(
    fc.constantFrom<ReturnReason[]>('ChangedMind', 'Other', 'Defective', 'WrongItem'),
    { minLength: 1, maxLength: 3 },
  ),
  times: fc.constantFrom(
    times,
    { startMs: 1000, windowMs: 2000, closingMs: 0 },
    { startMs: 72 * hourMs, windowMs: hourMs, closingMs: 0 },
  ),
});
/** Moves the clock: by `ms`, or to `ms` from the due step. */
const anyWait = fc.record({
  kind: fc.constant('wait' as const),
  ms: fc.constantFrom(-1, 0, 1, 1000, hourMs, 24 * hourMs, 1000 * hourMs),
  isToDue: fc.boolean(),
});

test('equals the model after any events and waits', () => {
  const sequence = fc.array(fc.oneof(fc.constantFrom(...events), anyWait), { maxLength: 40 });
  fc.assert(
    fc.property(anyBeginning, sequence, ({ status, reasons, ...given }, steps) => {
      const lines = reasons.map((reason) => line(reason));
      let request = deepFrozen(returnIn(status, { ...given, lines, decidedBy: null }));
      let clock = startedAt.getTime();
      for (const step of steps)
        if (step.kind === 'wait') {
          const due = step.isToDue ? dueInModel(modelOf(request)) : null;
          clock = Math.max(clock, (due?.at ?? clock) + step.ms);
        } else request = happen(request, step, clock);
    }),
    { numRuns: 4000 },
  );
});
