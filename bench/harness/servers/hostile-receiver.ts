import { forkProgram } from '../fork-program.ts';

/**
 * Receivers of every kind of endless response, in a process of its own; other paths get a plain
 * 200.
 */
export type HostileReceiver = { readonly origin: string; readonly stop: () => void };

export async function startHostileReceiver(): Promise<HostileReceiver> {
  const file = new URL('hostile-receiver-process.ts', import.meta.url);
  const { ask, stop } = forkProgram<object, number>(file);
  return { origin: `http://127.0.0.1:${await ask({})}`, stop };
}
