import { readdir, readFile } from 'node:fs/promises';

/** Every process that runs below another one, on Linux. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')),
  );
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** The command line of a process and the environment that it was started with, on Linux. */
export async function readProcess(pid: number) {
  const [commandLine, environ] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
    readFile(`/proc/${pid}/environ`, 'utf8'),
  ]);
  const variables = environ.split('\0').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return {
    commandLine,
    environment: Object.fromEntries(variables) as Readonly<Record<string, string>>,
  };
}
