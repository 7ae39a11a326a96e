import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../core/command.ts';
import { folderOf, type Credentials } from '../core/credentials.ts';
import { CliError, exitCodes } from '../core/exit.ts';
import { programOf } from '../core/environment.ts';
import { isStored, readJson, setAside, writePrivateFile } from '../core/state-file.ts';
import type { Chunk } from './chunks.ts';
import { lockFile } from './file-lock.ts';
import {
  halvesOf,
  isPlan,
  keyOf,
  planOf,
  sha256,
  withHalves,
  withJob,
  type Plan,
  type PlannedJob,
} from './plan.ts';

/** How long the gateway gives the response of a key. */
const keptMs = 24 * 3_600_000;

/** Where the bodies of a plan are, by the keys of their jobs. */
type Bodies = {
  readonly read: (key: string) => Promise<string>;
  readonly write: (key: string, body: string) => Promise<void>;
  readonly writePlan: (plan: Plan) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** A stored plan. The same command in another process continues it with the same jobs. */
function journalOver(first: Plan, bodies: Bodies) {
  let plan = first;
  const replacePlan = async (next: Plan): Promise<void> => {
    await bodies.writePlan(next);
    plan = next;
  };
  const readBody = (index: number): Promise<string> => bodies.read(plan.jobs[index]?.key ?? '');
  return {
    plan: () => plan,
    readBody,
    noteJob: (index: number, jobId: string) => replacePlan(withJob(plan, index, jobId)),
    /** Replaces a job that has not been accepted by its halves; false if it has one item. */
    split: async (index: number): Promise<boolean> => {
      const job = plan.jobs[index] as PlannedJob;
      const halves = halvesOf(plan.run, { job, body: await readBody(index) });
      if (halves === null) return false;
      for (const { job: half, body } of halves) await bodies.write(half.key, body);
      await replacePlan(withHalves(plan, index, halves));
      return true;
    },
    remove: bodies.remove,
  };
}
export type Journal = Readonly<ReturnType<typeof journalOver>>;

/** Keeps a plan in memory, for a command that stores nothing. */
export function temporaryJournal(
  chunks: readonly Chunk[],
  rest: Pick<Plan, 'skipped' | 'failures'>,
): Journal {
  const { plan, sent } = planOf(chunks, rest);
  const texts = new Map(sent.map(({ job, body }) => [job.key, body]));
  return journalOver(plan, {
    read: (key) => Promise.resolve(texts.get(key) ?? ''),
    write: (key, body) => Promise.resolve(void texts.set(key, body)),
    writePlan: () => Promise.resolve(),
    remove: () => Promise.resolve(),
  });
}

const planFile = 'plan.json';

const bodyFile = (folder: string, key: string): string => join(folder, `${key.slice(0, 32)}.json`);

/** Whether the bodies of a plan are those that its keys were made of. */
async function hasBodies(folder: string, { run, jobs }: Plan): Promise<boolean> {
  for (const job of jobs) {
    const body = await readFile(bodyFile(folder, job.key), 'utf8').catch(() => '');
    if (keyOf(run, job, body) !== job.key) return false;
  }
  return true;
}

/** The stored plan of a folder, or why none can be continued. */
async function readPlan(folder: string): Promise<Plan | 'missing' | 'broken'> {
  const read = await readJson(join(folder, planFile), isPlan);
  if (typeof read === 'string') return read;
  return (await hasBodies(folder, read.value)) ? read.value : 'broken';
}

const bodiesIn = (folder: string): Bodies => ({
  read: (key) => readFile(bodyFile(folder, key), 'utf8'),
  write: (key, body) => writePrivateFile(bodyFile(folder, key), body),
  writePlan: (plan) => writePrivateFile(join(folder, planFile), JSON.stringify(plan)),
  remove: () => rm(folder, { recursive: true, force: true }),
});

async function removeOld(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > keptMs) await rm(folder, { recursive: true, force: true });
  }
}

/** The journals of one command with one content of its file, for one credential. */
export function journalsOf(
  { environment, output }: Pick<Context, 'environment' | 'output'>,
  { baseUrl, clientId }: Credentials,
  content: readonly unknown[],
) {
  const parent = join(folderOf(environment), 'imports');
  const folder = join(parent, sha256(baseUrl, clientId, ...content).slice(0, 32));
  const program = programOf(environment);
  return {
    /**
     * Whether an earlier command has stored a plan. {@link find} reads it, within {@link alone}.
     */
    isStored: () => isStored(join(folder, planFile)),
    /** Does work that no other process may do with the same content at the same time. */
    alone: async <T>(work: () => Promise<T>): Promise<T> => {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      const release = lockFile(`${folder}.lock`);
      if (release === null)
        throw new CliError(
          exitCodes.failed,
          'ALREADY_RUNNING',
          'Another process sends the same rows already',
          `Wait for its end, or follow it by ${program} jobs list.`,
        );
      try {
        return await work();
      } finally {
        release();
      }
    },
    /**
     * The journal of an earlier command that has not ended; null if its keys are forgotten. A plan
     * that is damaged is set aside, and the command begins anew.
     */
    find: async (): Promise<Journal | null> => {
      const plan = await readPlan(folder);
      if (plan === 'broken') {
        await setAside(folder, output);
        output.note(
          `The import begins anew. ${program} jobs list has the jobs that the gateway accepted.`,
        );
      }
      if (typeof plan === 'string') return null;
      return Date.now() - Date.parse(plan.startedAt) < keptMs
        ? journalOver(plan, bodiesIn(folder))
        : null;
    },
    /** The plan is stored last: without it, nothing has been sent. */
    create: async (
      chunks: readonly Chunk[],
      rest: Pick<Plan, 'skipped' | 'failures'>,
    ): Promise<Journal> => {
      await removeOld(parent);
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const { plan, sent } = planOf(chunks, rest);
      const bodies = bodiesIn(folder);
      for (const { job, body } of sent) await bodies.write(job.key, body);
      await bodies.writePlan(plan);
      return journalOver(plan, bodies);
    },
  };
}
export type Journals = ReturnType<typeof journalsOf>;
