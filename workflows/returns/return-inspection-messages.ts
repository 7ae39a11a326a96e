import type { ReturnRunInput } from '../../domain/messages.ts';
import type { DueStep } from '../../domain/returns/return-request.ts';
import type { InspectionOutcome, ReturnStatus } from '../../domain/returns/return-status.ts';

/** The times are input, so that a new configuration breaks no replay. */
export type ReturnInspectionInput = { readonly returnId: string } & ReturnRunInput;

/** The state of a return for its workflow. Instants are RFC 3339 text. */
export type ReturnState = {
  readonly status: ReturnStatus;
  readonly version: number;
  readonly outcome: InspectionOutcome | null;
  /** The log-in name of the operator who decided; null where silence decided. */
  readonly decidedBy: string | null;
  readonly proposedOutcome: InspectionOutcome | null;
  readonly requiresStaffReview: boolean;
  /**
   * The outcome that silence decides at the end of the inspection window; null if silence decides
   * nothing. Workers of an earlier version omit it.
   */
  readonly silenceOutcome?: InspectionOutcome | null;
  /** The end of the window if silence decides then; null otherwise. */
  readonly decisionDueAt: string | null;
  /** The next transition that time triggers. */
  readonly due: {
    readonly step: DueStep['step'];
    readonly at: string;
    /** The same instant by the vendor's clock, where that is ahead of real time. */
    readonly shownAt?: string;
    /** While the vendor's clock stands: whether it is due. The run then needs no timer. */
    readonly isDue?: boolean;
  } | null;
};

export type ReturnDecisionOutcome = ReturnState & { readonly operatorId: string };
