import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { expect } from 'vitest';
import { baseUrlOf } from '../../api/error-codes/http.ts';
import type { Gateway } from '../../support/api/api.ts';
import { unknownClient } from '../../support/api/walk.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { checksums } from '../../support/database/all-rows.ts';
import { exchange, sendHttp } from './exchange.ts';
import { judgeResponse, judgeExchange } from './judge.ts';
import { malformedRequests, type HttpRequest, type Target } from './http-requests.ts';
import { rawRequests } from './raw-requests.ts';

/** How long a response, or the end of a connection, is waited for. */
const timeoutMs = 20_000;

/** Runs `judge` on each value, a given number at a time. Each problem comes with its value. */
async function inParallel<T>(
  values: readonly T[],
  atOnce: number,
  judge: (value: T) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const rest = values.values();
  const worker = async () => {
    for (const value of rest)
      for (const problem of await judge(value).catch((error: unknown) => [String(error)]))
        problems.push(`${problem}: ${fc.stringify(value).slice(0, 500)}`);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return problems;
}

/** A client of its own, because ten token calls a minute exhaust a client's limit. */
const ofOwnClient = ({ body, ...request }: HttpRequest): HttpRequest => ({
  ...request,
  body: typeof body === 'string' ? body.replace(unknownClient, () => `vc_${randomUUID()}`) : body,
});

export type ProofOptions = {
  /** Malformed requests; one in eight is sent as bytes on a connection of its own. */
  readonly requests: number;
  /** Decides every request, apart from the ids and tokens in it. */
  readonly seed: number;
};

/** Sends malformed requests to a gateway. `problems` is empty where every bound holds. */
export async function prove(
  gateway: Gateway,
  targets: readonly Target[],
  { requests, seed }: ProofOptions,
) {
  const origin = await baseUrlOf(gateway.app);
  const port = Number(new URL(origin).port);
  const connections = 16;
  const limits = { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  const kinds = new Set<string>();
  const token = targets.find(({ isOperators }) => !isOperators)?.token ?? '';
  const sendMalformed = async (count: number, itsSeed: number) => {
    const raw = fc.sample(rawRequests(token), { seed: itsSeed, numRuns: count / 8 });
    const http = fc.sample(malformedRequests(targets), {
      seed: itsSeed,
      numRuns: count - raw.length,
    });
    for (const { kind } of [...raw, ...http]) kinds.add(kind);
    const pool = new Pool(origin, limits);
    const found = await Promise.all([
      // More than by HTTP: the server leaves some refused connections open for two seconds.
      inParallel(raw, 64, async (request) =>
        judgeExchange(request, await exchange(port, request, timeoutMs)),
      ),
      inParallel(http, connections, async (request) => {
        const response = await sendHttp(pool, ofOwnClient(request));
        return judgeResponse(response, request.due, request.headers['x-request-id']);
      }),
    ]);
    await pool.close();
    return found.flat();
  };
  const before = await checksums(gateway);
  // Code and caches warm up.
  const problems = [...(await sendMalformed(requests / 2, seed))];
  // What requests leave behind grows in each part. Other growth of the runtime does not.
  const part = requests / 8;
  const bytes = [await bytesInUse(gateway)];
  for (const number of [1, 2, 3, 4]) {
    problems.push(...(await sendMalformed(part, seed + number)));
    bytes.push(await bytesInUse(gateway));
  }
  const growths = bytes.slice(1).map((after, before) => after - (bytes[before] ?? 0));
  // Of four, the second least: a single release of other memory hides no growth.
  const [, growth = 0] = growths.sort((a, b) => a - b);
  if (growth > Math.max(2 ** 18, bytesEachMax * part))
    problems.push(`the memory grew by ${growth} bytes in each part`);
  return {
    problems: [...problems, ...changedTables(before, await checksums(gateway))],
    kinds,
  };
}

/** Less than the smallest thing that can be kept for each request, such as an entry of a map. */
const bytesEachMax = 40;

/** A connection keeps its last request. */
async function bytesInUse({ app: { server } }: Gateway): Promise<number> {
  const countConnections = promisify(server.getConnections.bind(server));
  await expect.poll(countConnections, { timeout: timeoutMs }).toBe(0);
  let bytes = Infinity;
  // The finalizers of a collection release more, which the next one collects.
  for (let count = 0; count < 10; count += 1) {
    await nextTurn();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    const released = bytes - (heapUsed + external);
    bytes = Math.min(bytes, heapUsed + external);
    if (released < 1024) break;
  }
  return bytes;
}

/** Token calls are counted before anything else about them is checked. */
const changedByReads = ['token_calls', 'operator_looks'];

type Checksums = Awaited<ReturnType<typeof checksums>>;

const changedTables = (before: Checksums, after: Checksums): readonly string[] =>
  Object.entries(after)
    .filter(([name, sum]) => !changedByReads.includes(name) && before[name] !== sum)
    .map(([name, sum]) => `rows changed: ${name}: ${before[name]} became ${sum}`);
