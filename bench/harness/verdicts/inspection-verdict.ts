import type { Sql } from '../../../db/core/client.ts';
import { claimsDefect, type InspectionOutcome } from '../../../domain/returns/return-status.ts';
import type { Planned } from './inspection-plan.ts';

type Ended = {
  readonly id: string;
  readonly status: string;
  readonly outcome: InspectionOutcome | null;
  readonly isStaffs: boolean;
  readonly isFlagged: boolean;
  readonly startedEarly: boolean;
  /** From the deadline to the decision, or to staff being asked for it. */
  readonly lateMs: number;
  readonly starts: number;
  readonly decisions: number;
  readonly commandsApplied: number;
};

export type Verdict = {
  readonly wrong: readonly string[];
  readonly early: readonly string[];
  readonly doubled: readonly string[];
  readonly lateMs: readonly number[];
  readonly counts: Readonly<Record<'silence' | 'flagged' | 'staff', number>>;
};

/** What the record says of every return. */
const endedReturns = (sql: Sql) => sql<Ended[]>`
  select id, status, outcome, decided_by is not null as is_staffs,
    requires_staff_review as is_flagged,
    inspection_started_at < received_at + inspection_start_ms * interval '1 millisecond'
      as started_early,
    extract(epoch from coalesce(inspection_decided_at, changed_at) - inspection_deadline)::float8
      * 1000 as late_ms,
    (select count(*)::int from return_status_changes where return_id = returns.id
      and from_status = 'Received') as starts,
    (
      select count(*)::int from return_status_changes where return_id = returns.id
        and from_status = 'UnderInspection'
    ) as decisions,
    (select count(*)::int from audit_log where subject_id = returns.id and action = 'return.decide')
      as commands_applied
  from return_requests as returns`;

/** Holds what became of each return against what it should be. */
export async function judgeReturns(sql: Sql, planned: readonly Planned[]): Promise<Verdict> {
  const byId = new Map((await endedReturns(sql)).map((ended) => [ended.id, ended]));
  const wrong: string[] = [];
  const early: string[] = [];
  const doubled: string[] = [];
  const lateMs: number[] = [];
  const counts = { silence: 0, flagged: 0, staff: 0 };
  for (const { id, plan, reason, answer } of planned) {
    const ended = byId.get(id);
    const kind = answer !== 'taken' ? 'silence' : plan === 'proposal' ? 'flagged' : 'staff';
    counts[kind] += 1;
    const claimed = claimsDefect(reason) ? 'AcceptedDefect' : 'AcceptedSound';
    const right = {
      silence: `InspectionAccepted ${claimed} by silence`,
      flagged: 'UnderInspection null by silence, flagged',
      staff: 'InspectionRejected Rejected by staff',
    }[kind];
    if (ended === undefined || wordsOf(ended) !== right) wrong.push(id);
    if (ended === undefined) continue;
    if (ended.startedEarly || (kind !== 'staff' && ended.lateMs < 0)) early.push(id);
    const isOnce = ended.starts === 1 && ended.decisions === (kind === 'flagged' ? 0 : 1);
    if (!isOnce || ended.commandsApplied !== (kind === 'staff' ? 1 : 0)) doubled.push(id);
    if (kind !== 'staff') lateMs.push(ended.lateMs);
  }
  return { wrong, early, doubled, lateMs, counts };
}

const wordsOf = ({ status, outcome, isStaffs, isFlagged }: Ended): string =>
  `${status} ${outcome ?? 'null'} by ` +
  `${isStaffs ? 'staff' : 'silence'}${isFlagged ? ', flagged' : ''}`;
