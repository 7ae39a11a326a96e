export type ClockAdvanceInput = {
  readonly vendorId: string;
  /** The latest lines of the details, before continue-as-new. */
  readonly lines: readonly string[];
  /** The task queue of its steps; a run of an earlier version uses its own. */
  readonly activityQueue?: string;
};

/** What one step of an advance did. */
export type ClockStep = {
  /**
   * What happened at the stop, as a sentence. In steps of an earlier version, which make one stop.
   */
  readonly line: string | null;
  /** What happened at each stop. Workers of an earlier version omit it. */
  readonly lines?: readonly string[];
  /** Whether the advance has ended. */
  readonly isEnded: boolean;
};
