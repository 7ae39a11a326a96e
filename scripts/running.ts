import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { keptForm } from './kept.ts';
import { processStartTime } from './process-start-time.mjs';

const schema = v.object({
  pid: v.number(),
  startTime: v.string(),
  apiUrl: v.string(),
  temporalAddress: v.string(),
  temporalUiUrl: v.string(),
  databaseUrl: v.string(),
  ...keptForm.entries,
});

/** A gateway that runs by `npm start`, as other scripts find it: addresses and the demo credentials. */
export type Running = v.InferOutput<typeof schema>;

const fileOf = (home: string) => join(home, 'running.json');

/** Writes `running.json` into the home, readable by us alone; answers how to remove it. */
export async function writeRunning(home: string, running: Omit<Running, 'pid' | 'startTime'>) {
  const whole: Running = {
    pid: process.pid,
    startTime: processStartTime(process.pid) ?? '',
    ...running,
  };
  const file = fileOf(home);
  await writeFile(`${file}.new`, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return () => rm(file, { force: true });
}

/** The gateway running on this home, or undefined: a file left by one that was killed does not count. */
export async function readRunning(home: string): Promise<Running | undefined> {
  const text = await readFile(fileOf(home), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const parsed = v.safeParse(schema, JSON.parse(text));
  if (!parsed.success) return undefined;
  return processStartTime(parsed.output.pid) === parsed.output.startTime
    ? parsed.output
    : undefined;
}
