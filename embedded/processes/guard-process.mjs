import { readFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStartTime } from './process-start-time.mjs';

/**
 * Ends the processes that its argument, a file of JSON lines, names (see guard.ts). It acts when
 * its stdin closes, even after SIGKILL of the starter, and then removes the file. Plain JavaScript:
 * it needs no loader and starts in 40 ms.
 *
 * @typedef {import('./guard.ts').GuardedProcess & { startTime: string }} Entry
 */

/** An API gives calls in progress 20 seconds to end. */
const GRACE_MS = { api: 25_000, app: 10_000, server: 10_000 };

/** @param {Entry} entry */
const isAlive = (entry) => processStartTime(entry.pid) === entry.startTime;

/** @param {Entry} entry @param {NodeJS.Signals} signal */
function send(entry, signal) {
  try {
    if (isAlive(entry)) process.kill(entry.pid, signal);
  } catch {
    // The process ended after the check.
  }
}

/** @param {Entry[]} lines @param {Entry['stage']} stage */
async function end(lines, stage) {
  const entries = lines.filter((line) => line.stage === stage);
  for (const entry of entries) send(entry, entry.signal);
  const deadline = Date.now() + GRACE_MS[stage];
  while (entries.some(isAlive) && Date.now() < deadline) await sleep(50);
  for (const entry of entries) send(entry, 'SIGKILL');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

for await (const _chunk of process.stdin);

const pidFile = process.argv[2] ?? '';
const text = await readFile(pidFile, 'utf8').catch(() => '');
const lines = text.split('\n').flatMap((line) => {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // The starter was killed while it wrote this line.
  }
});
// A caller ends before what it calls, so that it can finish its work.
await end(lines, 'api');
await end(lines, 'app');
await end(lines, 'server');
for (const { remove } of lines) {
  if (typeof remove === 'string') await rm(remove, { recursive: true, force: true, maxRetries: 5 });
}
await rm(pidFile, { force: true });
