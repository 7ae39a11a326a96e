import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { processStartTime } from './process-start-time.mjs';

const holderSchema = v.object({ pid: v.number(), startTime: v.string() });

/** Thrown when another start works on the same home. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

function readHolder(file: string) {
  try {
    const parsed = v.safeParse(holderSchema, JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

const isHeld = (file: string) => {
  const holder = readHolder(file);
  return holder !== undefined && processStartTime(holder.pid) === holder.startTime
    ? holder
    : undefined;
};

function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}

function tryLink(draft: string, lock: string): boolean {
  try {
    linkSync(draft, lock);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes the home for this process and answers how to give it back. Throws {@link AlreadyRunning} if a living process
 * has it; the lock of a dead one is taken over. The start time tells a holder from a stranger that got its pid later.
 */
export function lockHome(home: string): () => void {
  const lock = join(home, 'lock');
  const draft = `${lock}.${process.pid}`;
  writeFileSync(
    draft,
    JSON.stringify({ pid: process.pid, startTime: processStartTime(process.pid) ?? '' }),
  );
  try {
    // A link, unlike a write, appears whole and only if nothing is there.
    while (!tryLink(draft, lock)) {
      const holder = isHeld(lock);
      if (holder !== undefined) throw new AlreadyRunning(`by process ${holder.pid}`);
      const stale = `${draft}.stale`;
      if (!tryRename(lock, stale)) continue;
      // Between the look and the rename another start may have taken it: then it gets it back.
      if (isHeld(stale) !== undefined) renameSync(stale, lock);
      else rmSync(stale, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readHolder(lock)?.pid === process.pid) rmSync(lock, { force: true });
  };
}
