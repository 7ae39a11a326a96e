import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobKind } from 'vendor-gateway-client';
import {
  folderOf,
  writePrivateFile,
  type Credentials,
  type Environment,
} from '../core/credentials.ts';
import { CliError, exitCodes } from '../core/exit.ts';
import type { RowFailure } from '../core/failures.ts';
import type { Chunk } from './chunks.ts';
import { lockFile } from './file-lock.ts';

/** One job of a plan. */
export type PlannedJob = {
  readonly kind: JobKind;
  readonly rows: readonly number[];
  readonly key: string;
  /** Null until the gateway has accepted it. */
  readonly jobId: string | null;
};
/** What a run of a command sends, decided before its first job. */
export type Plan = {
  readonly startedAt: string;
  readonly jobs: readonly PlannedJob[];
  /** Rows that need nothing. */
  readonly skipped: number;
  /** Rows that are not sent. */
  readonly failures: readonly RowFailure[];
};
/** A stored plan. The same command in another process continues it with the same jobs (D104). */
export type Journal = {
  readonly plan: () => Plan;
  readonly readBody: (index: number) => Promise<string>;
  readonly noteJob: (index: number, jobId: string) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** The gateway gives the answer of a key for so long. */
const keptMs = 24 * 3_600_000;

const sha256 = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const withJob = (plan: Plan, index: number, jobId: string): Plan => ({
  ...plan,
  jobs: plan.jobs.map((job, at) => (at === index ? { ...job, jobId } : job)),
});

/** The key of a job is of this run, of the job's index and of its content. */
function planOf(chunks: readonly Chunk[], rest: Pick<Plan, 'skipped' | 'failures'>): Plan {
  // With the content alone, the same prices a second time would be taken for a repetition.
  const run = randomUUID();
  const jobs = chunks.map(({ kind, rows, body }, index) => ({
    kind,
    rows,
    key: sha256(run, index, kind, body),
    jobId: null,
  }));
  return { startedAt: new Date().toISOString(), jobs, ...rest };
}

/** Keeps a plan in memory, for a run that stores nothing. */
export function temporaryJournal(
  chunks: readonly Chunk[],
  rest: Pick<Plan, 'skipped' | 'failures'>,
): Journal {
  let plan = planOf(chunks, rest);
  return {
    plan: () => plan,
    readBody: (index) => Promise.resolve(chunks[index]?.body ?? ''),
    noteJob: (index, jobId) => {
      plan = withJob(plan, index, jobId);
      return Promise.resolve();
    },
    remove: () => Promise.resolve(),
  };
}

const planFile = 'plan.json';

function journalIn(folder: string, first: Plan): Journal {
  let plan = first;
  return {
    plan: () => plan,
    readBody: (index) => readFile(join(folder, `${index}.json`), 'utf8'),
    noteJob: async (index, jobId) => {
      plan = withJob(plan, index, jobId);
      await writePrivateFile(join(folder, planFile), JSON.stringify(plan));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function removeOld(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > keptMs) await rm(folder, { recursive: true, force: true });
  }
}

/** The journals of one command with one content of its file, for one credential. */
export function journalsOf(
  environment: Environment,
  { baseUrl, clientId }: Credentials,
  content: readonly unknown[],
) {
  const parent = join(folderOf(environment), 'imports');
  const folder = join(parent, sha256(baseUrl, clientId, ...content).slice(0, 32));
  return {
    /** Does work that no other process may do with the same content at the same time. */
    alone: async <T>(work: () => Promise<T>): Promise<T> => {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      const release = lockFile(`${folder}.lock`);
      if (release === null)
        throw new CliError(
          exitCodes.failed,
          'ALREADY_RUNNING',
          'Another process sends the same rows already',
          'Wait for its end, or follow it by vendor-gateway jobs list.',
        );
      try {
        return await work();
      } finally {
        release();
      }
    },
    /** The journal of an earlier run that has not ended; null if its keys are forgotten. */
    find: async (): Promise<Journal | null> => {
      const text = await readFile(join(folder, planFile), 'utf8').catch(() => null);
      if (text === null) return null;
      const plan = JSON.parse(text) as Plan;
      return Date.now() - Date.parse(plan.startedAt) < keptMs ? journalIn(folder, plan) : null;
    },
    /** The plan is stored last: without it, nothing has been sent. */
    create: async (
      chunks: readonly Chunk[],
      rest: Pick<Plan, 'skipped' | 'failures'>,
    ): Promise<Journal> => {
      await removeOld(parent);
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const [index, { body }] of chunks.entries())
        await writePrivateFile(join(folder, `${index}.json`), body);
      const plan = planOf(chunks, rest);
      await writePrivateFile(join(folder, planFile), JSON.stringify(plan));
      return journalIn(folder, plan);
    },
  };
}
export type Journals = ReturnType<typeof journalsOf>;
