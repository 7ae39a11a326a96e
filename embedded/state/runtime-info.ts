import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { environments } from '../../domain/accounts/credentials.ts';
import { processStartTime } from '../processes/process-start-time.mjs';
import { demoCredentialsSchema } from './demo-credentials.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const schema = v.object({
  pid: v.number(),
  startTime: v.string(),
  apiUrl: v.string(),
  temporalAddress: v.string(),
  temporalUiUrl: v.string(),
  databaseUrl: v.string(),
  environment: v.picklist(environments),
  ...demoCredentialsSchema.entries,
});

/** What other commands need of a gateway that runs by `npm start`: addresses and credentials. */
export type RuntimeInfo = v.InferOutput<typeof schema>;

const fileIn = (stateDir: string) => join(stateDir, 'running.json');

/** Writes the info of the gateway that this process runs. */
export function writeRuntimeInfo(
  stateDir: string,
  info: Omit<RuntimeInfo, 'pid' | 'startTime'>,
): Promise<void> {
  const startTime = processStartTime(process.pid) ?? '';
  return writeJsonFile(fileIn(stateDir), { pid: process.pid, startTime, ...info });
}

export const removeRuntimeInfo = (stateDir: string): Promise<void> =>
  rm(fileIn(stateDir), { force: true });

/** The gateway that runs on a state folder; undefined when none does, also when it was killed. */
export async function readRuntimeInfo(stateDir: string): Promise<RuntimeInfo | undefined> {
  const info = await readJsonFile(fileIn(stateDir), schema);
  return info !== null && processStartTime(info.pid) === info.startTime ? info : undefined;
}
