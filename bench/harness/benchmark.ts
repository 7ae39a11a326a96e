import type { Pool } from '../../db/core/client.ts';
import type { Api, Servers } from './servers/servers.ts';

/**
 * What a benchmark works with: a migrated, empty database of its own, and the real API process over
 * it.
 */
export type BenchmarkContext = {
  readonly databaseUrl: string;
  /** A pool of the size that a process of the gateway has by default. */
  readonly sql: Pool;
  /** Without the time limit that the gateway's statements have: what exceeds it is measured too. */
  readonly patientSql: Pool;
  readonly api: Api;
  /** The port at which the API looks for Temporal; null if the benchmark has none. */
  readonly temporalPort: number | null;
  /** Starts a bare Fastify server over the same database. */
  readonly startFloor: () => ReturnType<Servers['startFloor']>;
  readonly postgresPid: number;
  /** Prints a result as soon as it has it. README.md holds this output. */
  readonly print: (text: string) => void;
  /** Reports progress; not part of the results. */
  readonly say: (text: string) => void;
  /** Whether plans are wanted too. */
  readonly explains: boolean;
  /** Whether a short execution shall only show that everything works: `--quick`. */
  readonly isQuick: boolean;
  /** Whether to measure the line of this name: all, or those that contain a `--line`. */
  readonly isAsked: (line: string) => boolean;
  /** What it runs on, as one line. */
  readonly machine: string;
  /** How many events `endurance` sends: `--events`. */
  readonly events: number;
  /** How often `webhooks-killed` kills the worker: `--kills`. */
  readonly kills: number;
  /** For how long `held-snapshot` keeps its snapshot: `--minutes`. */
  readonly minutes: number;
};

export type Benchmark = {
  /** As it is asked for: `npm run bench -- NAME`. */
  readonly name: string;
  readonly title: string;
  /** Whether `run` starts a Temporal server, to which the API hands its messages over. */
  readonly hasTemporal?: boolean;
  readonly run: (context: BenchmarkContext) => Promise<void>;
};
