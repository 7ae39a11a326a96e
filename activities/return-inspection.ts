import * as v from 'valibot';
import { insertAuditEntries } from '../db/accounts/audit.ts';
import type { Queryable, Sql } from '../db/core/client.ts';
import type { OperatorCommand } from '../db/accounts/operator-commands.ts';
import {
  announceClosing,
  findReturnNow,
  lockReturn,
  storeReturn,
  type FoundReturn,
} from '../db/returns/return-requests.ts';
import { auditedReturn } from '../domain/returns/audited-return.ts';
import type { Result } from '../domain/errors.ts';
import { dueStep, applyDueTransition, silenceOutcome } from '../domain/returns/return-request.ts';
import { later } from '../domain/instant.ts';
import { applyReturnCommand, type ReturnCommand } from '../domain/returns/apply-return-command.ts';
import { inspectionOutcomes } from '../domain/returns/return-status.ts';
import type { DecisionRequest } from '../workflows/decision-request.ts';
import type {
  ReturnDecisionOutcome,
  ReturnState,
} from '../workflows/returns/return-inspection-messages.ts';
import { applyCommandOnce, refusal } from './operator-command.ts';

type OfReturn = { readonly returnId: string };

/** The decision in the command's row, which the API writes. */
const reason = v.nullable(v.string());
const storedCommand = v.variant('action', [
  v.object({ action: v.literal('startInspection'), reason }),
  v.object({
    action: v.literal('decide'),
    outcome: v.picklist(inspectionOutcomes),
    reason,
    expectedVersion: v.exactOptional(v.nullable(v.number())),
  }),
]);

export const createInspectionActivities = ({ sql }: { readonly sql: Sql }) => ({
  /** The current state of the return; null for an unknown id. */
  readReturnState: async ({ returnId }: OfReturn): Promise<ReturnState | null> => {
    const found = await findReturnNow(sql, returnId);
    return found === null ? null : stateOf(found);
  },
  /**
   * Applies a start of the inspection, or a decision, in one transaction: return, status change,
   * audit entry. A repetition returns the first outcome. A refusal is an ApplicationFailure with
   * the catalogue code as type.
   */
  applyReturnDecision: ({
    commandId,
    operatorId,
  }: DecisionRequest): Promise<ReturnDecisionOutcome> =>
    applyCommandOnce(sql, commandId, {
      apply: async (transaction, command) => {
        const after = await applyDecision(transaction, command, operatorId);
        return {
          outcome: { ...stateOf(after), operatorId },
          at: after.now,
          result: { status: after.request.status, outcome: after.request.outcome },
        };
      },
      repeat: async (transaction, command) => ({
        ...stateOf(await lockedReturn(transaction, command.subjectId)),
        operatorId,
      }),
    }),
  /** Applies what is due by Postgres's clock, in one transaction; nothing if too early. */
  applyDueTransition: async ({ returnId }: OfReturn): Promise<ReturnState> => {
    const applied = await sql.begin(async (transaction) => {
      const found = await lockedReturn(transaction, returnId);
      const { request: before, now } = found;
      const after = unwrap(applyDueTransition(before, now));
      if (after.closingAnnouncedAt !== before.closingAnnouncedAt) {
        await announceClosing(transaction, after, now);
      } else if (after !== before) {
        await storeReturn(transaction, {
          before,
          after,
          signal: null,
          at: now,
          reason: 'Time has passed.',
        });
      }
      return { ...found, request: after };
    });
    return stateOf(applied);
  },
});

export type InspectionActivities = ReturnType<typeof createInspectionActivities>;

function stateOf({ request, now, offsetMs, isStanding }: FoundReturn): ReturnState {
  const { status, version, outcome, decidedBy, proposedOutcome, requiresStaffReview } = request;
  const { inspectionDeadline } = request;
  const decidedInSilence = silenceOutcome(request);
  const due = dueStep(request);
  return {
    status,
    version,
    outcome,
    decidedBy,
    proposedOutcome,
    requiresStaffReview,
    silenceOutcome: decidedInSilence,
    decisionDueAt: decidedInSilence === null ? null : (inspectionDeadline?.toISOString() ?? null),
    due:
      due === null
        ? null
        : {
            step: due.step,
            at: later(due.at, -offsetMs).toISOString(),
            // The timer needs real time; a person reads the instant by the vendor's clock.
            ...(offsetMs === 0 ? {} : { shownAt: due.at.toISOString() }),
            ...(isStanding ? { isDue: due.at <= now } : {}),
          },
  };
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw refusal(result.failure);
  return result.value;
}

async function lockedReturn(sql: Queryable, id: string): Promise<FoundReturn> {
  const locked = await lockReturn(sql, id);
  if (locked === null) throw refusal({ code: 'NOT_FOUND_RETURN_REQUEST', details: {} });
  return locked;
}

async function applyDecision(sql: Queryable, command: OperatorCommand, operatorId: string) {
  const found = await lockedReturn(sql, command.subjectId);
  const { request: before, now } = found;
  const returnCommand: ReturnCommand = v.parse(storedCommand, command.input);
  const changed = unwrap(applyReturnCommand(before, returnCommand, now));
  const isDecision = returnCommand.action === 'decide';
  const after = isDecision ? { ...changed, decidedBy: operatorId } : changed;
  const { reason } = returnCommand;
  await storeReturn(sql, {
    before,
    after,
    signal: null,
    at: now,
    reason,
    ...(isDecision ? { decidedBy: command.operatorId } : {}),
  });
  await insertAuditEntries(sql, {
    actor: { operatorId: command.operatorId, credentialId: null },
    action: `return.${command.action}`,
    subjectType: 'return',
    subjectId: before.id,
    requestId: command.requestId,
    before: auditedReturn(before),
    after: { ...auditedReturn(after), reason },
  });
  return { ...found, request: after };
}
