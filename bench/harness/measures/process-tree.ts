import { readdirSync, readFileSync } from 'node:fs';

/** `/proc/PID/stat` after the name; see proc(5). Empty if the process has ended. */
export function statOf(pid: string | number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** A process and its descendants, with their `stat`. Empty where there is no `/proc`. */
export function processTree(root: number): ReadonlyMap<number, readonly string[]> {
  const own = statOf(root);
  const tree = new Map<number, readonly string[]>();
  if (own.length === 0) return tree;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), statOf(name)] as const);
  const add = (pid: number, stat: readonly string[]): void => {
    tree.set(pid, stat);
    for (const [child, childStat] of all) if (childStat[1] === String(pid)) add(child, childStat);
  };
  add(root, own);
  return tree;
}
