import {
  scanRows,
  type ScannedPage,
  type SmallCheck,
  type TableCheck,
  type WrongRow,
} from '../db/checks/scan.ts';
import type { Sql } from '../db/core/client.ts';
import type { RunKind, Runs } from '../temporal/runs/open-runs.ts';
import { idsOf, type Check, type Finding } from './check.ts';

/** The workflows of subjects. */
const kinds: Readonly<Record<string, RunKind>> = {
  offer: 'offerReview',
  return: 'returnInspection',
  delivery: 'webhookDelivery',
};

/** A check that compares rows with rows. */
function recordCheck(
  { id, title, subjectType, repair }: Omit<SmallCheck, 'read'>,
  read: (sql: Sql, retentionMs: number) => AsyncIterable<ScannedPage>,
): Check {
  const kind = kinds[subjectType];
  const toFinding = (runs: Runs, { id: subjectId, text }: WrongRow): Finding => {
    const workflowId = kind === undefined ? null : runs.workflowId(kind, subjectId);
    return { subjectType, subjectId, text, workflowId };
  };
  return {
    id,
    title,
    find: async function* find({ sql, runs, retentionMs }) {
      for await (const { checked, wrong } of read(sql, retentionMs))
        yield { checked, findings: wrong.map((row) => toFinding(runs, row)) };
    },
    repair:
      repair === undefined
        ? null
        : ({ sql }, findings) => repair(sql, [...new Set(idsOf(findings))]),
  };
}

/** A check that reads a table page by page. */
export const rowsOfTable = (check: TableCheck): Check =>
  recordCheck(check, (sql, retentionMs) => scanRows(sql, check, retentionMs));

/** A check that reads all its rows at once, because they are few. */
export const rowsAtOnce = (check: SmallCheck): Check =>
  recordCheck(check, async function* readOnce(sql) {
    yield await check.read(sql);
  });
