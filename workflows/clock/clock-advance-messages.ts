import { defineSignal } from '@temporalio/workflow';

export type ClockAdvanceInput = {
  readonly vendorId: string;
  /** The latest lines of the details, before continue-as-new. */
  readonly lines: readonly string[];
};

/** What one step of an advance did. */
export type ClockStep = {
  /** What happened at the stop, as a sentence; null without a stop. */
  readonly line: string | null;
  /** Whether the advance has ended. */
  readonly isEnded: boolean;
};

/** Another advance of the vendor's clock was asked for. */
export const clockChanged = defineSignal('changed');
