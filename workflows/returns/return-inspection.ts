import * as workflow from '@temporalio/workflow';
import type { InspectionActivities } from '../../activities/return-inspection.ts';
import type { ReturnSignal } from '../../domain/messages.ts';
import type { ReturnCommand } from '../../domain/returns/apply-return-command.ts';
import { finalReturnStatuses, type ReturnStatus } from '../../domain/returns/return-status.ts';
import { handleDecisions, hasLateMessage, shouldContinueAsNew } from '../lib/decision-run.ts';
import { detailsText } from '../lib/details-text.ts';
import { localActivities } from '../lib/local-activities.ts';
import { createMutex } from '../lib/mutex.ts';
import { handleRecordSignals } from '../lib/record-signals.ts';
import { createUpdatableTimer } from '../lib/updatable-timer.ts';
import type { ReturnInspectionInput, ReturnState } from './return-inspection-messages.ts';
import {
  decisionDueAtKey,
  needsStaffKey,
  recordVersionKey,
  returnStateKey,
  silenceOutcomeKey,
} from '../search-attributes.ts';

const activities = localActivities<InspectionActivities>;

/** What happens when the timer fires, for the Temporal UI. */
const dueSummaries = {
  startInspection: 'the inspection starts automatically',
  announceClosing: 'an event announces the end of the inspection window',
  endWindow: 'the inspection window ends',
} as const;

/**
 * Runs one return from its creation to its end. Vendors and operators change the return in
 * Postgres. This run causes what happens by time alone: the automatic start of the inspection, and
 * the end of its window, at which silence decides. Postgres decides under a row lock, so that a
 * decision, a late proposal and the timer at the same instant have one outcome.
 */
export async function returnInspection(input: ReturnInspectionInput): Promise<ReturnStatus | null> {
  const { returnId } = input;
  let state: ReturnState | null = null;
  /** The latest refused decision, until another is applied. */
  let refusal: string | null = null;
  const refresh = handleRecordSignals(signals);
  refresh.isNeeded = true;
  const runExclusive = createMutex();
  const timer = createUpdatableTimer();

  // The mutex keeps the results in the order in which Postgres gave them, so none is outdated. A
  // version below the known one comes from a restored record, and the record decides.
  const accept = (next: ReturnState): void => {
    publish(next, state, refusal);
    state = next;
    const { due } = next;
    timer.setDeadline(due === null ? null : { at: due.at, summary: dueSummaries[due.step] });
  };
  handleDecisions(
    updates,
    async (request, summary) => {
      const outcome = await runExclusive(() => activities(summary).applyReturnDecision(request));
      refusal = null;
      accept(outcome);
      return outcome;
    },
    (text) => {
      refusal = text;
      if (state !== null) publish(state, state, refusal);
    },
  );

  const applyDue = async (): Promise<void> => {
    const { applyDueTransition } = activities('apply what is due');
    accept(await runExclusive(() => applyDueTransition({ returnId })));
  };
  const isOver = (): boolean =>
    !refresh.isNeeded && !timer.hasFired() && isFinal(state) && workflow.allHandlersFinished();
  for (;;) {
    if (refresh.isNeeded) {
      refresh.isNeeded = false;
      const found = await runExclusive(() =>
        activities('read the return').readReturnState({ returnId }),
      );
      if (found === null) {
        await workflow.condition(workflow.allHandlersFinished);
        return null;
      }
      if (found.due?.isDue === true) await applyDue();
      else accept(found);
    }
    if (timer.hasFired()) {
      timer.reset();
      await applyDue();
    }
    await workflow.condition(
      () => refresh.isNeeded || timer.hasFired() || isOver() || shouldContinueAsNew(),
    );
    if (shouldContinueAsNew()) await workflow.continueAsNew<typeof returnInspection>(input);
    if (isOver() && !(await hasLateMessage(isOver))) return statusOf(state);
  }
}

const isFinal = (state: ReturnState | null): boolean =>
  state !== null && finalReturnStatuses.includes(state.status);

/** A function, because the compiler does not see that handlers assign the state. */
const statusOf = (state: ReturnState | null): ReturnStatus | null => state?.status ?? null;

/** All signals make the run read the return again; histories show which one came. */
const signals: Readonly<Record<ReturnSignal, string>> = {
  received: 'The vendor received the goods. The inspection starts automatically later.',
  evidence: 'The vendor added evidence.',
  proposed: 'The vendor proposed an outcome. From now on only operators decide.',
  changed: 'The return changed. The run reads it.',
};

/** The updates, named after the actions of their commands. */
const updates: Readonly<Record<ReturnCommand['action'], string>> = {
  startInspection: 'An operator starts the inspection before the timer does.',
  decide: 'An operator decides the outcome of the inspection.',
};

/** Shows the state in the Temporal UI. */
function publish(state: ReturnState, before: ReturnState | null, refusal: string | null): void {
  const { status, version, decisionDueAt, silenceOutcome = null, requiresStaffReview } = state;
  if (version !== before?.version) {
    workflow.upsertSearchAttributes([
      { key: returnStateKey, value: status },
      { key: decisionDueAtKey, value: decisionDueAt === null ? null : new Date(decisionDueAt) },
      { key: silenceOutcomeKey, value: silenceOutcome },
      { key: needsStaffKey, value: requiresStaffReview },
      { key: recordVersionKey, value: version },
    ]);
  }
  const refused = refusal === null ? [] : [refusal];
  workflow.setCurrentDetails(detailsText([`**${status}**`, ...detailsOf(state), ...refused]));
}

function* detailsOf(state: ReturnState): Generator<string> {
  const {
    due,
    decisionDueAt,
    outcome,
    decidedBy,
    proposedOutcome,
    requiresStaffReview,
    silenceOutcome = null,
  } = state;
  if (proposedOutcome !== null) yield `The vendor proposed \`${proposedOutcome}\`.`;
  const isSilent = silenceOutcome !== null && decisionDueAt !== null;
  // An announcement comes hours before the decision, so each has its own instant.
  if (due !== null && !(isSilent && due.step === 'endWindow'))
    yield `At ${due.shownAt ?? due.at} ${dueSummaries[due.step]}.`;
  if (isSilent)
    yield (
      `At ${decisionDueAt} ${dueSummaries.endWindow}. ` +
      `If there is no proposal by then, silence decides \`${silenceOutcome}\`.`
    );
  if (due?.step === 'endWindow' && proposedOutcome !== null)
    yield 'The vendor can change the proposal until then. An operator decides.';
  if (requiresStaffReview) yield 'An operator must decide.';
  if (outcome === null) return;
  const decider =
    decidedBy === null ? 'by the customer’s claim, in silence' : `by operator \`${decidedBy}\``;
  yield `**${outcome}**, ${decider}.`;
}
