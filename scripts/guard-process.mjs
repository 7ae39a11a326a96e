import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStartTime } from './process-start-time.mjs';

/**
 * Ends what a starter left behind. It reads lines of JSON on stdin, one for each process (see guard.ts), and acts when
 * stdin ends, which the kernel sees to even if the starter is killed by SIGKILL. Plain JavaScript, so that it needs no
 * loader: it is up in 40 ms and must not fail because of anything in the project.
 *
 * @typedef {{ pid: number, startTime: string, signal: NodeJS.Signals, stage: 'app' | 'server' }} Entry
 */

const GRACE_MS = 10_000;

/** @param {Entry} entry */
const isAlive = (entry) => processStartTime(entry.pid) === entry.startTime;

/** @param {Entry} entry @param {NodeJS.Signals} signal */
function send(entry, signal) {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, signal);
  } catch {
    // It ended between the look and the signal.
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
    return []; // A line cut off in the middle: its process was not yet told of.
  }
});
// What uses a server goes before the server, so that it can finish its work.
await end(lines.filter((line) => line.stage === 'app'));
await end(lines.filter((line) => line.stage === 'server'));
for (const { remove } of lines) {
  if (typeof remove === 'string') await rm(remove, { recursive: true, force: true, maxRetries: 5 });
}
