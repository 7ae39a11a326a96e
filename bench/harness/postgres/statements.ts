import type { Pool } from '../../../db/core/client.ts';
import { median } from '../measures/load.ts';

/** A statement as it went to Postgres. */
export type Statement = {
  readonly text: string;
  readonly parameters: readonly unknown[];
  /** Whether its transaction lets Postgres plan each statement for its values. */
  readonly isPlannedForValues: boolean;
  /** The statements by which its transaction has set parameters before it, in their order. */
  readonly settings: readonly string[];
};

/**
 * What `db/` really sends when `work` runs on this pool: nothing is copied, so nothing can differ.
 */
export async function captureStatements(
  sql: Pool,
  work: () => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  let settings: readonly string[] = [];
  // The library's own hook; it reads its options anew at each statement.
  Object.assign(sql.options, {
    debug: (_connection: number, text: string, parameters: readonly unknown[]) => {
      if (/^\s*(begin|commit|rollback)\b/i.test(text)) settings = [];
      if (isSetting(text)) settings = [...settings, text];
      else {
        const isPlannedForValues = settings.some((each) => each.includes('force_custom_plan'));
        statements.push({ text, parameters: [...parameters], isPlannedForValues, settings });
      }
    },
  });
  try {
    await work();
  } finally {
    Object.assign(sql.options, { debug: false });
  }
  return statements.filter(({ text }) => /^\s*(select|with|insert|update|delete)\b/i.test(text));
}

const isSetting = (text: string): boolean => /^\s*(set local|select set_config)\b/i.test(text);

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
 * The median time of one statement, prepared and alone on its connection, as the gateway's are,
 * with the settings of its transaction. It has the time of its plan where the gateway lets Postgres
 * plan each execution.
 */
export async function timeStatement(
  sql: Pool,
  { text, parameters, settings }: Statement,
): Promise<number> {
  const connection = await sql.reserve();
  try {
    await connection`begin`;
    for (const setting of settings) await connection.unsafe(setting);
    // Its type wants values of a few kinds only; those that db/ sent are of them.
    return await timeOf(() =>
      connection.unsafe(text, [...parameters] as never[], { prepare: true }),
    );
  } finally {
    await connection`rollback`;
    connection.release();
  }
}

/** The median time of what `run` does. */
export async function timeOf(run: () => PromiseLike<unknown>): Promise<number> {
  const timed = async (): Promise<number> => {
    const begun = performance.now();
    await run();
    return performance.now() - begun;
  };
  const [first = 0] = await repeat(timed, 1, warmUps);
  return median(await repeat(timed, first > msMax ? 1 : timesMin, timesMax));
}

async function repeat(run: () => Promise<number>, least: number, most: number): Promise<number[]> {
  const timesMs: number[] = [];
  const end = performance.now() + msMax;
  while (timesMs.length < least || (timesMs.length < most && performance.now() < end)) {
    timesMs.push(await run());
  }
  return timesMs;
}
