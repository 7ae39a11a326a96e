import { readFileSync } from 'node:fs';
import { processStartTime } from './process-start-time.mjs';

const LOOK_EVERY_MS = 1_000;

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The package manager that `npm start` went through, with the shell and tsx between it and us. */
function findPackageManager(): number | undefined {
  let pid = process.ppid;
  for (let depth = 0; depth < 4 && pid > 1; depth += 1) {
    if (
      /^(\S*\/)?(node\s+)?(\S*\/)?(npm|pnpm|yarn)\b/.test(
        readProc(pid, 'cmdline').replaceAll('\0', ' '),
      )
    )
      return pid;
    pid = Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
  }
  return undefined;
}

/**
 * `npm start` puts npm, a shell and tsx between the caller and us. They pass signals on, but one killed outright would
 * leave us running where nobody sees us; so its end is ours.
 */
export function onParentLoss(stop: () => void): void {
  if (process.connected) {
    process.once('disconnect', stop);
    // tsx's channel is no reason to keep running.
    process.channel?.unref();
  }
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = findPackageManager();
  if (parent === undefined) return;
  const startTime = processStartTime(parent);
  const timer = setInterval(() => {
    if (processStartTime(parent) === startTime) return;
    clearInterval(timer);
    stop();
  }, LOOK_EVERY_MS);
  timer.unref();
}
