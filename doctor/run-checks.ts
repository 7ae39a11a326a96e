import { setTimeout as delay } from 'node:timers/promises';
import { readRecordStates, type RecordState } from '../db/checks/record-states.ts';
import { requestRuns } from '../db/checks/request-runs.ts';
import { findWaitingRows, leastId } from '../db/checks/waiting-rows.ts';
import type { DescribedRun, OpenRun, RunKind, WaitingRunKind } from '../temporal/runs/open-runs.ts';
import type { ScannedPage, WrongRow } from '../db/checks/scan.ts';
import type { Check, RunContext } from './check.ts';

const pageSize = 1000;
/** A run ends a second after its row stopped waiting, and a list shows a change with a delay. */
const usualSettleMs = 2000;
/** Longer than Temporal waits for a task of a worker that has stopped (10 s). */
const usualTaskMs = 12_000;
/** A worker that runs reads the row of a new run within seconds. */
const startMs = 60_000;

/** Each kind of run, with the text about its row. */
const runSubjects: Readonly<Record<RunKind, string>> = {
  offerReview: 'offer',
  returnInspection: 'return',
  webhookDelivery: 'delivery',
  agreementSwitch: 'vendor',
  clockAdvance: 'vendor',
  bulkJob: 'job',
  reviewJob: 'reviewJob',
};

/** Checks that each row that waits has an open run. */
const withoutRun = (id: string, title: string, kind: RunKind): Check<RunContext> => ({
  id,
  title,
  subjectType: runSubjects[kind],
  kind,
  find: async function* find({ sql, runs }) {
    for (let after = leastId; ;) {
      const ids = await findWaitingRows(sql, kind, { after, limit: pageSize });
      const open = await runs.haveOpen(kind, ids);
      // Reads the rows again, because a row that has stopped waiting needs no run.
      const lost = ids.filter((id) => !open.has(id));
      const waiting = lost.length === 0 ? [] : await findWaitingRows(sql, kind, { ids: lost });
      const wrong = waiting.map((lostId) => ({ id: lostId, text: 'waits, and has no open run' }));
      yield { checked: ids.length, wrong };
      const last = ids.at(-1);
      if (last === undefined || ids.length < pageSize) return;
      after = last;
    }
  },
  repair: ({ sql }, ids) => requestRuns(sql, kind, ids),
});

/** Checks that open runs have the state of their rows. */
const runsThatDiffer = (id: string, title: string, kind: WaitingRunKind): Check<RunContext> => ({
  id,
  title,
  subjectType: runSubjects[kind],
  kind,
  find: (context) => findRunsThatDiffer(context, kind),
  repair: async ({ runs }, ids) => {
    await runs.refresh(kind, ids);
    return ids.length;
  },
});

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

async function* findRunsThatDiffer(
  { sql, runs, settleMs = usualSettleMs, taskMs = usualTaskMs }: RunContext,
  kind: WaitingRunKind,
): AsyncGenerator<ScannedPage> {
  /**
   * Runs that differ and have a task. A lost worker may hold the task, so it may change nothing.
   */
  const busy: string[] = [];
  /** Runs that differ from their rows, with the difference in words. */
  const compare = async (open: readonly OpenRun[]) => {
    const ids = open.map(({ subjectId }) => subjectId).filter((id) => uuid.test(id));
    const rows = await readRecordStates(sql, kind, ids);
    return open.flatMap((run) => {
      const text = difference(run, rows.get(run.subjectId) ?? null);
      return text === null ? [] : [{ run, text }];
    });
  };
  const wrongOf = async (described: readonly DescribedRun[]): Promise<readonly WrongRow[]> => {
    const differing = await compare(described.filter(({ isBusy }) => !isBusy));
    return differing.map(({ run, text }) => ({ id: run.subjectId, text }));
  };
  for await (const page of runs.listOpen(kind)) {
    const suspects = await compare(page);
    if (suspects.length > 0) await delay(settleMs);
    const described = await runs.describeOpen(
      kind,
      suspects.map(({ run }) => run.subjectId),
    );
    busy.push(...described.flatMap(({ isBusy, subjectId }) => (isBusy ? [subjectId] : [])));
    yield { checked: page.length, wrong: await wrongOf(described) };
  }
  if (busy.length === 0) return;
  await delay(taskMs);
  yield { checked: 0, wrong: await wrongOf(await runs.describeOpen(kind, busy)) };
}

/**
 * The difference between a run and its row; null if they agree, or if the row is about to change.
 */
function difference(run: OpenRun, row: RecordState | null): string | null {
  const { state, recordVersion, startedAt } = run;
  if (row === null) return 'has an open run, and no row in the record';
  if (row.isChanging) return null;
  if (!row.isWaiting) return `has an open run, and is ${row.state}: it waits for nothing`;
  if (state === 'Starting')
    return Date.now() - startedAt.getTime() < startMs
      ? null
      : 'has a run that has not read the record since it started';
  if (state !== null && state !== row.state)
    return `is ${row.state}, and its run takes it for ${state}`;
  if (recordVersion !== null && recordVersion !== row.version)
    return `has version ${row.version}, and its run has read version ${recordVersion}`;
  if (row.overdueSince === null) return null;
  return `has been overdue since ${row.overdueSince.toISOString()}, and its run does nothing`;
}

/** The checks of the record against the runs, both ways. The reconciliation repairs all of them. */
export const checksOfRuns: readonly Check<RunContext>[] = [
  withoutRun('review-without-run', 'Each offer in review has its open run', 'offerReview'),
  withoutRun('return-without-run', 'Each open return has its open run', 'returnInspection'),
  withoutRun(
    'delivery-without-run',
    'Each delivery that waits for a retry has its open run',
    'webhookDelivery',
  ),
  withoutRun(
    'switch-without-run',
    'Each agreement that is not stored yet has its open run',
    'agreementSwitch',
  ),
  withoutRun('clock-without-run', 'Each clock that advances has its open run', 'clockAdvance'),
  withoutRun('job-without-run', 'The first open job of each vendor has its open run', 'bulkJob'),
  withoutRun(
    'review-job-without-run',
    'The first open review job of each operator has its open run',
    'reviewJob',
  ),
  runsThatDiffer('review-run-differs', 'Each open review agrees with its offer', 'offerReview'),
  runsThatDiffer(
    'return-run-differs',
    'Each open inspection agrees with its return',
    'returnInspection',
  ),
  runsThatDiffer(
    'delivery-run-differs',
    'Each open delivery run agrees with its delivery',
    'webhookDelivery',
  ),
];
