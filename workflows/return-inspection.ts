import * as workflow from '@temporalio/workflow';
import type { InspectionActivities } from '../activities/return-inspection.ts';
import { finalReturnStatuses, type ReturnStatus } from '../domain/returns/return-status.ts';
import { createUpdatableTimer } from './lib/updatable-timer.ts';
import { validateDecision, type DecisionRequest } from './decision-request.ts';
import {
  decideReturn,
  evidenceAdded,
  outcomeProposed,
  returnChanged,
  returnReceived,
  startInspection,
  type ReturnDecisionOutcome,
  type ReturnInspectionInput,
  type ReturnState,
} from './return-inspection-messages.ts';
import { decisionDueAtKey, returnStateKey } from './search-attributes.ts';
import { createMutex } from './lib/mutex.ts';
import { unwrapFailure } from './lib/unwrap-failure.ts';

/** Postgres away is our own fault, so a step is repeated until it answers; a rule's refusal is not retryable. */
const steps = (summary: string) =>
  workflow.proxyLocalActivities<InspectionActivities>({
    startToCloseTimeout: '10 seconds',
    retry: { initialInterval: '100 milliseconds', maximumInterval: '10 seconds' },
    summary,
  });

/** How long a run stays open after the end, for messages on their way: they are to find this run, not to open an empty one. */
const drainMs = 1000;

/** What the alarm does when it rings, as the Temporal UI shows it. */
const dueSummaries = {
  startInspection: 'the inspection starts by itself',
  endWindow: 'the inspection window ends',
} as const;

/**
 * One return, from its creation to its end. Vendors and operators change the record; this run owns what happens by time
 * alone: the inspection that starts by itself after receipt, and the end of its window, at which silence decides (D42).
 * The record decides under its row's lock, so that a decision, a late proposal and the timer at one instant have one outcome.
 */
export async function returnInspection(input: ReturnInspectionInput): Promise<ReturnStatus | null> {
  const { returnId } = input;
  let state: ReturnState | null = null;
  let needsRefresh = true;
  const runExclusive = createMutex();
  const alarm = createUpdatableTimer();

  const accept = (next: ReturnState): void => {
    if (state !== null && next.version < state.version) return;
    publish(next, state);
    state = next;
    alarm.set(next.due === null ? null : { at: next.due.at, summary: dueSummaries[next.due.step] });
  };
  const decide = async (request: DecisionRequest): Promise<ReturnDecisionOutcome> => {
    try {
      const summary = `${workflow.currentUpdateInfo()?.name ?? 'decide'}, by ${request.operatorId}`;
      const outcome = await runExclusive(() => steps(summary).applyReturnDecision(request));
      accept(outcome);
      return outcome;
    } catch (error) {
      throw unwrapFailure(error);
    }
  };
  for (const [signal, description] of signals) {
    workflow.setHandler(
      signal,
      () => {
        needsRefresh = true;
      },
      { description },
    );
  }
  for (const [update, description] of updates) {
    workflow.setHandler(update, decide, { validator: validateDecision, description });
  }

  const isOver = (): boolean =>
    !needsRefresh &&
    !alarm.hasFired() &&
    state !== null &&
    finalReturnStatuses.includes(state.status) &&
    workflow.allHandlersFinished();
  for (;;) {
    if (needsRefresh) {
      needsRefresh = false;
      const found = await runExclusive(() =>
        steps('where the return stands').readReturnState({ returnId }),
      );
      if (found === null) return null;
      accept(found);
    }
    if (alarm.hasFired()) {
      alarm.silence();
      const passed = await runExclusive(() =>
        steps('what is due by time').passReturnTime({ returnId }),
      );
      accept(passed);
    }
    await workflow.condition(
      () => needsRefresh || alarm.hasFired() || isOver() || shouldContinueAsNew(),
    );
    if (shouldContinueAsNew()) await workflow.continueAsNew<typeof returnInspection>(input);
    if (!isOver()) continue;
    const hasMore = await workflow.condition(() => !isOver(), drainMs, {
      summary: 'for late messages',
    });
    if (!hasMore) return finalStatusOf(state);
  }
}

/** The compiler does not see that handlers assign the state. */
const finalStatusOf = (state: ReturnState | null): ReturnStatus | null => state?.status ?? null;

const signals = [
  [
    returnReceived,
    'The vendor has received the goods: the inspection starts by itself after a while.',
  ],
  [evidenceAdded, 'The vendor added evidence.'],
  [outcomeProposed, 'The vendor proposed an outcome: from now on only staff decide.'],
  [returnChanged, 'The return may have changed: it is read again.'],
] as const;

const updates = [
  [startInspection, 'Staff start the inspection, before its timer does.'],
  [decideReturn, 'Staff decide what the inspection found.'],
] as const;

const shouldContinueAsNew = (): boolean =>
  workflow.workflowInfo().continueAsNewSuggested && workflow.allHandlersFinished();

/** What an operator sees of the run in the Temporal UI. */
function publish(state: ReturnState, before: ReturnState | null): void {
  if (state.status !== before?.status || state.decisionDueAt !== before.decisionDueAt) {
    workflow.upsertSearchAttributes([
      { key: returnStateKey, value: state.status },
      {
        key: decisionDueAtKey,
        value: state.decisionDueAt === null ? null : new Date(state.decisionDueAt),
      },
    ]);
  }
  workflow.setCurrentDetails([`**${state.status}**`, ...detailsOf(state)].join('\n\n'));
}

function* detailsOf(state: ReturnState): Generator<string> {
  const { due, outcome, decidedBy, proposedOutcome, requiresStaffReview } = state;
  if (proposedOutcome !== null) yield `The vendor proposed \`${proposedOutcome}\`.`;
  if (due !== null) yield `At ${due.at} ${dueSummaries[due.step]}.`;
  if (requiresStaffReview) yield 'Staff are to decide.';
  if (outcome !== null) {
    yield `**${outcome}**, ${decidedBy === null ? 'by the customer’s claim, in silence' : `by operator \`${decidedBy}\``}.`;
  }
}
