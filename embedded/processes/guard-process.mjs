import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStartTime } from './process-start-time.mjs';

/**
 * Ends the processes that a starter left behind. It reads JSON lines on stdin (see guard.ts) and
 * acts when stdin closes, which the kernel does even after SIGKILL of the starter. Plain
 * JavaScript: it needs no loader and starts in 40 ms.
 *
 * @typedef {import('./guard.ts').GuardedProcess & { startTime: string }} Entry
 */

const GRACE_MS = 10_000;

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

/** @param {Entry[]} entries */
async function end(entries) {
  for (const entry of entries) send(entry, entry.signal);
  const deadline = Date.now() + GRACE_MS;
  while (entries.some(isAlive) && Date.now() < deadline) await sleep(50);
  for (const entry of entries) send(entry, 'SIGKILL');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;

const lines = input.split('\n').flatMap((line) => {
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // The starter was killed while it wrote this line.
  }
});
// A client of a server ends before the server, so that it can finish its work.
await end(lines.filter((line) => line.stage === 'app'));
await end(lines.filter((line) => line.stage === 'server'));
for (const { remove } of lines) {
  if (typeof remove === 'string') await rm(remove, { recursive: true, force: true, maxRetries: 5 });
}
