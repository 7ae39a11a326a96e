import type { ReturnReason } from '../../../domain/returns/return-status.ts';

/**
 * What will be done about an inspection: nothing, a proposal by the vendor, or a decision by staff.
 */
export type Plan = 'silence' | 'proposal' | 'decision';

/**
 * How one return goes: three in five in silence, and every second claims a defect, whatever the
 * plan.
 */
export const planOf = (index: number): { readonly plan: Plan; readonly reason: ReturnReason } => {
  const fifth = Math.floor(index / 2) % 5;
  return {
    plan: fifth === 0 ? 'proposal' : fifth === 1 ? 'decision' : 'silence',
    reason: index % 2 === 0 ? 'DamagedInTransit' : 'ChangedMind',
  };
};

/** The answer to a proposal or a decision: taken, or refused because the window had ended. */
export type Answer = 'taken' | 'refused';

export type Planned = {
  readonly id: string;
  readonly plan: Plan;
  readonly reason: ReturnReason;
  /** Null in silence. */
  readonly answer: Answer | null;
};
