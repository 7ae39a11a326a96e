import { createHash, randomUUID } from 'node:crypto';
import type { JobKind } from 'vendor-gateway-client';
import type { RowFailure } from '../core/failures.ts';
import { hasFields } from '../core/state-file.ts';
import { itemsIn, type Chunk } from './chunks.ts';

/** One job of a plan. */
export type PlannedJob = {
  readonly kind: JobKind;
  readonly rows: readonly number[];
  /** Where the job is in the plan, such as `3`, or `3.0` for the first half of it. */
  readonly part: string;
  readonly key: string;
  /** Null until the gateway has accepted it. */
  readonly jobId: string | null;
};
/** What a command sends, decided before its first job. */
export type Plan = {
  readonly startedAt: string;
  /** Makes the keys of this plan other ones than an equal plan's. */
  readonly run: string;
  readonly jobs: readonly PlannedJob[];
  /** Rows that need nothing. */
  readonly skipped: number;
  /** Rows that are not sent. */
  readonly failures: readonly RowFailure[];
};
/** A digest of values. */
export const sha256 = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The plan after the gateway has accepted a job. */
export const withJob = (plan: Plan, index: number, jobId: string): Plan => ({
  ...plan,
  jobs: plan.jobs.map((job, at) => (at === index ? { ...job, jobId } : job)),
});

/** A job and its body. */
type Sent = { readonly job: PlannedJob; readonly body: string };

/** The key of a job is of its plan, of the job's part of the plan and of its content. */
export const keyOf = (
  run: string,
  { kind, part }: Pick<PlannedJob, 'kind' | 'part'>,
  body: string,
) => sha256(run, part, kind, body);

function plannedJob(run: string, part: string, { kind, rows, body }: Chunk): Sent {
  return { job: { kind, rows, part, key: keyOf(run, { kind, part }, body), jobId: null }, body };
}

/** The halves of a job; null for one of one item. */
export function halvesOf(
  run: string,
  { job: { kind, rows, part }, body }: Sent,
): readonly Sent[] | null {
  if (rows.length < 2) return null;
  const middle = Math.ceil(rows.length / 2);
  const items = itemsIn(body);
  return [
    [0, middle],
    [middle, rows.length],
  ].map(([start, end], half) => {
    const text = JSON.stringify(items.slice(start, end));
    return plannedJob(run, `${part}.${half}`, { kind, rows: rows.slice(start, end), body: text });
  });
}

/** The plan with the halves of a job instead of the job. */
export const withHalves = (plan: Plan, index: number, halves: readonly Sent[]): Plan => ({
  ...plan,
  jobs: plan.jobs.toSpliced(index, 1, ...halves.map(({ job }) => job)),
});

/** A new plan, with the bodies of its jobs. */
export function planOf(chunks: readonly Chunk[], rest: Pick<Plan, 'skipped' | 'failures'>) {
  // With the content alone, the same prices a second time would be taken for a repetition.
  const run = randomUUID();
  const sent = chunks.map((chunk, index) => plannedJob(run, String(index), chunk));
  const jobs = sent.map(({ job }) => job);
  const plan: Plan = { startedAt: new Date().toISOString(), run, jobs, ...rest };
  return { plan, sent };
}

const isJob = (value: unknown): value is PlannedJob =>
  hasFields(value, { kind: 'string', rows: 'object', part: 'string', key: 'string' }) &&
  Array.isArray(value['rows']) &&
  (value['jobId'] === null || typeof value['jobId'] === 'string');

/** Whether a value has the form of a stored plan. */
export const isPlan = (value: unknown): value is Plan =>
  hasFields(value, { startedAt: 'string', run: 'string', skipped: 'number' }) &&
  Array.isArray(value['jobs']) &&
  value['jobs'].every(isJob) &&
  Array.isArray(value['failures']) &&
  value['failures'].every((each) => hasFields(each, { row: 'number', reasons: 'object' }));
