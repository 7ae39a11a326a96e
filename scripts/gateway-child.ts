import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { launch, untilReady, type Child } from './child.ts';
import type { Guard } from './guard.ts';

const ready = v.object({ type: v.literal('ready'), url: v.string() });

/** The API or the worker, as a child process. */
export type GatewayChildOptions = {
  readonly name: string;
  /** Its main file, from the root of the project. */
  readonly file: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly guard: Guard;
};

/** Starts the API or the worker and waits for its `{ type: 'ready', url }`. It ends by itself when the channel closes. */
export async function startGatewayChild({ name, file, env, logFile, guard }: GatewayChildOptions) {
  const child = await launch({
    name,
    command: process.execPath,
    args: [
      '--import',
      'tsx',
      '--enable-source-maps',
      fileURLToPath(new URL(`../${file}`, import.meta.url)),
    ],
    env,
    logFile,
    guard,
    ipc: true,
    signal: 'SIGTERM',
    stage: 'app',
  });
  let url: string | undefined;
  child.process.on('message', (message) => {
    const parsed = v.safeParse(ready, message);
    if (parsed.success) url = parsed.output.url;
  });
  await untilReady(child, () => Promise.resolve(url !== undefined));
  return { ...child, url: url ?? '' } satisfies Child & { url: string };
}
