import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';

/**
 * Receivers of every kind of endless answer, in a process of its own; other paths get a plain 200.
 */
export type HostileReceiver = { readonly origin: string; readonly stop: () => void };

export async function startHostileReceiver(): Promise<HostileReceiver> {
  const file = fileURLToPath(new URL('hostile-receiver-process.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'] });
  const [message]: unknown[] = await once(child, 'message');
  const { port } = v.parse(v.object({ port: v.number() }), message);
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
