import { readdir, readFile } from 'node:fs/promises';

/** Nothing, of a process or thread that has ended meanwhile. */
function emptyIfGone(error: unknown): '' {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ESRCH') return '';
  throw error;
}

/** Every process that runs below another one, on Linux. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch((error: unknown) =>
    Array.from(emptyIfGone(error)),
  );
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(emptyIfGone)),
  );
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** Sends a signal to a process and to every process that runs below it, on Linux. */
export async function signalTree(pid: number, signal: NodeJS.Signals): Promise<void> {
  for (const each of [pid, ...(await descendantsOf(pid))]) {
    try {
      process.kill(each, signal);
    } catch (error) {
      emptyIfGone(error);
    }
  }
}
