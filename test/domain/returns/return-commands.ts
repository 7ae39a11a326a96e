import * as fc from 'fast-check';
import type { ReturnReason } from '../../../domain/returns/return-status.ts';
import { hourMs, outcomes, staffMoves, times } from './return-builders.ts';
import type { ReturnEvent } from './return-model.ts';

/** Moves the clock: by `ms`, or to `ms` from the due step. The workflow checks unless asleep. */
export type Wait = {
  readonly kind: 'wait';
  readonly ms: number;
  readonly isToDue: boolean;
  readonly isAsleep: boolean;
};
export type Command = ReturnEvent | Wait;

const kindOf = <K extends Command['kind']>(kind: K) => fc.constant(kind);
const anyOutcome = fc.constantFrom(...outcomes);
const anyStaff = fc.record({ kind: kindOf('staff'), action: fc.constantFrom(...staffMoves) });
const anyReceipt = fc.record({
  kind: fc.constantFrom('receive' as const, 'start' as const, 'look' as const),
});
const anyEvidence = fc.record({
  kind: kindOf('evidence'),
  piece: fc.constantFrom('Photo' as const, 'Document' as const),
});
const anyProposal = fc.record({ kind: kindOf('propose'), outcome: anyOutcome });
const anyDecision = fc.record({ kind: kindOf('decide'), outcome: anyOutcome });
const anyWait = fc.record({
  kind: kindOf('wait'),
  ms: fc.constantFrom(1, 1000, hourMs, 24 * hourMs, 72 * hourMs, 1000 * hourMs),
  isToDue: fc.constant(false),
  isAsleep: fc.boolean(),
});
const anyWaitToDue = fc.record({
  kind: kindOf('wait'),
  ms: fc.constantFrom(-1, 0, 1),
  isToDue: fc.constant(true),
  isAsleep: fc.boolean(),
});
export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: anyStaff, weight: 3 },
  { arbitrary: anyReceipt, weight: 2 },
  { arbitrary: anyEvidence, weight: 2 },
  { arbitrary: anyProposal, weight: 3 },
  { arbitrary: anyDecision, weight: 1 },
  { arbitrary: anyWait, weight: 1 },
  { arbitrary: anyWaitToDue, weight: 2 },
);

export const anyBeginning = fc.record({
  isSupplier: fc.nat(3).map((dice) => dice > 0),
  reasons: fc.array(
    fc.constantFrom<ReturnReason[]>('ChangedMind', 'Other', 'Defective', 'WrongItem'),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  times: fc.constantFrom(
    times,
    { startMs: 1000, windowMs: 2000, closingMs: 0 },
    { startMs: 72 * hourMs, windowMs: hourMs, closingMs: 0 },
  ),
  /** How many of the first moves precede the random ones. */
  ahead: fc.nat(4),
});
export type Beginning = typeof anyBeginning extends fc.Arbitrary<infer T> ? T : never;

/** The first moves of the shortest way. */
export const roadOf = ({ isSupplier, ahead }: Beginning): readonly Command[] =>
  [
    { kind: 'staff', action: 'approve' } as const,
    { kind: 'staff', action: 'inTransit' } as const,
    isSupplier ? ({ kind: 'receive' } as const) : ({ kind: 'staff', action: 'receive' } as const),
    { kind: 'start' } as const,
  ].slice(0, ahead);

/** The calls of the vendor, who reaches only returns to a supplier. */
export const isVendors = ({ kind }: Command): boolean =>
  kind === 'receive' || kind === 'evidence' || kind === 'propose';
