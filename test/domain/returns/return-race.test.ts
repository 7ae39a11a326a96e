import { describe, expect, test } from 'vitest';
import type { Result } from '../../../domain/errors.ts';
import { applyReturnCommand } from '../../../domain/returns/apply-return-command.ts';
import {
  applyDueTransition,
  proposeOutcome,
  type ReturnRequest,
} from '../../../domain/returns/return-request.ts';
import type { InspectionOutcome } from '../../../domain/returns/return-status.ts';
import { deepFrozen } from '../offers/offer-builders.ts';
import { after, deadline, line, outcomes, piece, returnIn } from './return-builders.ts';

type Racer = {
  readonly name: 'decision' | 'proposal' | 'timer';
  readonly run: (request: ReturnRequest) => Result<ReturnRequest>;
};
const timer: Racer = { name: 'timer', run: (request) => applyDueTransition(request, deadline) };
const proposal = (outcome: InspectionOutcome, at: Date): Racer => ({
  name: 'proposal',
  run: (request) => proposeOutcome(request, outcome, at),
});
const decision = (outcome: InspectionOutcome): Racer => ({
  name: 'decision',
  run: (request) =>
    applyReturnCommand(request, { action: 'decide', outcome, reason: null }, deadline),
});

/** A return of a customer who claims a defect, with a photo, at its deadline. */
const atDeadline = deepFrozen(
  returnIn('UnderInspection', { evidence: [piece('Photo')], lines: [line('Defective')] }),
);

/** Each racer in turn at one instant, with the refused ones and every outcome that was stored. */
function race(racers: readonly Racer[]) {
  let request: ReturnRequest = atDeadline;
  const refused: string[] = [];
  const recorded = new Set<InspectionOutcome>();
  for (const { name, run } of racers) {
    const result = run(request);
    if (result.ok) request = deepFrozen(result.value);
    else refused.push(name);
    if (request.outcome !== null) recorded.add(request.outcome);
  }
  return { request, refused, recorded: [...recorded] };
}

const pairs = outcomes.flatMap((decided) => outcomes.map((proposed) => ({ decided, proposed })));

describe.each(pairs)(
  '$decided decided and $proposed proposed, at the deadline',
  ({ decided, proposed }) => {
    const [d, p, t] = [decision(decided), proposal(proposed, after(deadline, -1)), timer];
    const late = proposal(proposed, deadline);

    test('the timer first decides the claim, and a late proposal is refused', () => {
      for (const order of [
        [t, d, late],
        [t, late, d],
        [late, t, d],
      ]) {
        const { request, refused, recorded } = race(order);
        expect(recorded).toEqual(['AcceptedDefect']);
        expect([...refused].sort()).toEqual(['decision', 'proposal']);
        expect(request).toMatchObject({ proposedOutcome: null, requiresStaffReview: false });
      }
    });

    test('a decision first is the outcome, and a later proposal is refused', () => {
      for (const order of [
        [d, t, p],
        [d, p, t],
        [d, t, late],
        [late, d, t],
      ]) {
        const { request, refused, recorded } = race(order);
        expect(recorded).toEqual([decided]);
        expect(refused).toEqual(['proposal']);
        expect(request).toMatchObject({ proposedOutcome: null, version: atDeadline.version + 1 });
      }
    });

    test('after a proposal before the deadline staff decide, before or after the timer', () => {
      for (const order of [
        [p, d, t],
        [p, t, d],
      ]) {
        const { request, refused, recorded } = race(order);
        expect(recorded).toEqual([decided]);
        expect(refused).toEqual([]);
        expect(request).toMatchObject({ proposedOutcome: proposed, requiresStaffReview: false });
      }
    });

    test('the timer after a proposal decides nothing, and requires a review', () => {
      const { request, recorded } = race([p, t, t]);
      expect(recorded).toEqual([]);
      expect(request).toMatchObject({ status: 'UnderInspection', requiresStaffReview: true });
    });
  },
);
