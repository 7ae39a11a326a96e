import type { Pool } from '../../../db/core/client.ts';
import { median } from '../measures/load.ts';

/** A statement as it went to Postgres. */
export type Statement = {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Whether its transaction lets Postgres plan each statement for its values. */
  readonly isPlannedForValues: boolean;
};

/**
 * What `db/` really sends when `work` runs on this pool: nothing is copied, so nothing can differ.
 */
export async function captureStatements(
  sql: Pool,
  work: () => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  let isPlannedForValues = false;
  // The library's own hook; it reads its options anew at each statement.
  Object.assign(sql.options, {
    debug: (_connection: number, text: string, parameters: readonly unknown[]) => {
      if (/^\s*set local plan_cache_mode = force_custom_plan\b/i.test(text))
        isPlannedForValues = true;
      if (/^\s*(commit|rollback)\b/i.test(text)) isPlannedForValues = false;
      statements.push({ text, parameters: [...parameters], isPlannedForValues });
    },
  });
  try {
    await work();
  } finally {
    Object.assign(sql.options, { debug: false });
  }
  return statements.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
}

/** Postgres chooses between a plan for these values and one for any after five executions. */
const warmUps = 8;
const timesMax = 200;
const timesMin = 3;
/**
 * Of the warm-up and of the timed executions each. One that alone takes longer is executed once in
 * each.
 */
const msMax = 1000;

/**
 * The median time of one statement, prepared and alone on its connection, as the gateway's are. It
 * has the time of its plan where the gateway lets Postgres plan each execution.
 */
export async function timeStatement(
  sql: Pool,
  { text, parameters, isPlannedForValues }: Statement,
): Promise<number> {
  const connection = await sql.reserve();
  const run = async (): Promise<number> => {
    const begun = performance.now();
    // Its type wants values of a few kinds only; those that db/ sent are of them.
    await connection.unsafe(text, [...parameters] as never[], { prepare: true });
    return performance.now() - begun;
  };
  try {
    if (isPlannedForValues) await connection`set plan_cache_mode = force_custom_plan`;
    const [first = 0] = await repeat(run, 1, warmUps);
    return median(await repeat(run, first > msMax ? 1 : timesMin, timesMax));
  } finally {
    await connection`reset plan_cache_mode`;
    connection.release();
  }
}

async function repeat(run: () => Promise<number>, least: number, most: number): Promise<number[]> {
  const timesMs: number[] = [];
  const end = performance.now() + msMax;
  while (timesMs.length < least || (timesMs.length < most && performance.now() < end)) {
    timesMs.push(await run());
  }
  return timesMs;
}
