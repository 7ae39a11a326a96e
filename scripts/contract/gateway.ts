import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { logTail } from '../child.ts';
import { readRunning, type Running } from '../running.ts';

const startScript = fileURLToPath(new URL('../start.ts', import.meta.url));
/** The first start on a machine may have to build a Temporal server. */
const startMs = 600_000;

/** Free ports, no limits of rate: what is tested is what calls mean. A failed delivery ends soon, as a dead letter. */
const settings = {
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  PORT: '0',
  POSTGRES_PORT: '0',
  TEMPORAL_PORT: '0',
  TEMPORAL_UI_PORT: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_PUSH_PER_MINUTE: '0',
  RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: '0',
  WEBHOOK_RETRY_DELAYS_MS: '50',
};

export type Gateway = { readonly running: Running; readonly stop: () => Promise<void> };

/** `npm start` in a home of its own, with this receiver let past the webhook guardrail; its output goes to a log. */
export async function startGateway(
  home: string,
  logFile: string,
  receiver: string,
): Promise<Gateway> {
  const { DATABASE_URL: _database, TEMPORAL_ADDRESS: _temporal, ...inherited } = process.env;
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, ['--import', 'tsx', startScript], {
    env: { ...inherited, ...settings, GATEWAY_HOME: home, WEBHOOK_ALLOWED_ORIGINS: receiver },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const stop = () => end(child);
  for (const deadline = Date.now() + startMs; ;) {
    const running = await readRunning(home);
    if (running !== undefined) return { running, stop };
    if (hasEnded(child) || Date.now() > deadline) {
      await stop();
      throw new Error(`The gateway did not start.\n${await logTail(logFile)}`);
    }
    await delay(100);
  }
}

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
}
