import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { Sql } from '../../../db/core/client.ts';
import type { Gateway } from '../../api/support/api.ts';
import { unknownClient } from '../../api/support/walk.ts';
import { exchange, sendHttp } from './exchange.ts';
import { codeOf, judgeAnswer, judgeExchange, ownAnswers } from './judge.ts';
import { bytesInUse, judgeMemory, type MemorySample } from './memory.ts';
import { rawRequests, type RawRequest } from './raw-requests.ts';
import { malformedRequests, wellFormedReads, type HttpRequest } from './requests.ts';
import { readTargets, type SeededRows, type Target } from './targets.ts';

const httpLanes = 16;
/** More than by HTTP: the server leaves some refused connections open for two seconds. */
const rawLanes = 64;
const usualTimeoutMs = 20_000;
/** One malformed request in eight is sent as bytes, on a connection of its own. */
const rawOnceIn = 8;

export type ProofOptions = {
  /** Malformed requests. As many well-formed ones are sent first. */
  readonly requests: number;
  /** Decides every request, apart from the ids and tokens in it. */
  readonly seed: number;
  /** Between two rounds no request is in flight, and the memory is sampled. */
  readonly rounds: number;
  /** Reports failures as they are found instead of shrinking them first. */
  readonly endOnFailure?: boolean;
  /** How long an answer, or the end of a connection, is waited for. Default: 20,000. */
  readonly timeoutMs?: number;
};

/** How often each kind of malformed request met each answer. */
export type Seen = Map<string, Map<string, number>>;

function count(seen: Seen, kinds: readonly string[], answer: string): void {
  for (const kind of kinds) {
    const answers = seen.get(kind) ?? new Map<string, number>();
    seen.set(kind, answers.set(answer, (answers.get(answer) ?? 0) + 1));
  }
}

/** Sends malformed requests to a listening gateway. `problems` is empty where every bound holds. */
export async function prove(gateway: Gateway, rows: SeededRows, options: ProofOptions) {
  const { requests, seed, rounds, endOnFailure = false, timeoutMs = usualTimeoutMs } = options;
  const [connections, headersTimeout, bodyTimeout] = [httpLanes, timeoutMs, timeoutMs];
  const port = portOf(gateway);
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, headersTimeout, bodyTimeout });
  const offerId = rows.ids['offers'] ?? '';
  const to: Recipient = { pool, port, offerId, timeoutMs, seen: new Map() };
  const runs = Math.ceil(requests / rounds);
  const problems: string[] = [];
  const inRounds = async (send: typeof sendMalformed): Promise<readonly MemorySample[]> => {
    const samples: MemorySample[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Tokens expire.
      const targets = await readTargets(gateway, rows);
      problems.push(...(await send(to, targets, { runs, seed: seed + round, endOnFailure })));
      // The first rounds warm up code and caches.
      if (round >= rounds / 5)
        samples.push({ requests: (round + 1) * runs, bytes: await bytesInUse() });
    }
    return samples;
  };
  const before = await digestTables(gateway.sql);
  const control = await inRounds(sendWellFormed);
  const malformed = await inRounds(sendMalformed);
  await pool.destroy();
  problems.push(
    ...changedTables(before, await digestTables(gateway.sql)),
    ...judgeMemory('well-formed', control),
    ...judgeMemory('malformed', malformed),
  );
  return { problems, seen: to.seen, samples: { control, malformed } };
}

type Recipient = {
  readonly pool: Pool;
  readonly port: number;
  readonly offerId: string;
  readonly timeoutMs: number;
  readonly seen: Seen;
};
type Run = { readonly runs: number; readonly seed: number; readonly endOnFailure: boolean };

const sendWellFormed: typeof sendMalformed = ({ pool }, targets, run) =>
  inLanes(wellFormedReads(targets), httpLanes, run, async (request) => {
    const { status, body } = await sendHttp(pool, request);
    return status < 300 ? [] : [`a well-formed request was answered ${status}: ${body}`];
  });

/** The body with a client of its own, because ten token calls a minute exhaust a client's limit. */
const ofOwnClient = (body: HttpRequest['body']): HttpRequest['body'] =>
  typeof body === 'string' ? body.replace(unknownClient, () => `vc_${randomUUID()}`) : body;

async function sendMalformed(
  { pool, port, offerId, timeoutMs, seen }: Recipient,
  targets: readonly Target[],
  run: Run,
): Promise<readonly string[]> {
  const token = targets.find(({ isOperators }) => !isOperators)?.token ?? '';
  const rawRuns = Math.floor(run.runs / rawOnceIn);
  const httpRun = { ...run, runs: run.runs - rawRuns };
  const byHttp = inLanes(malformedRequests(targets), httpLanes, httpRun, async (request) => {
    const answer = await sendHttp(pool, { ...request, body: ofOwnClient(request.body) });
    count(seen, request.kinds, codeOf(answer));
    const sentId = request.headers['x-request-id'];
    return judgeAnswer(answer, request.due, { isHead: request.method === 'HEAD', sentId });
  });
  const connections = rawRequests(token, offerId);
  const asBytes = inLanes(connections, rawLanes, { ...run, runs: rawRuns }, (request) =>
    proveConnection(port, request, { seen, timeoutMs }),
  );
  return (await Promise.all([byHttp, asBytes])).flat();
}

export const portOf = ({ app }: Pick<Gateway, 'app'>): number =>
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  (app.server.address() as AddressInfo).port;

/** Sends the bytes of one connection and returns what is wrong with what comes back. */
export async function proveConnection(
  port: number,
  request: RawRequest,
  {
    seen = new Map(),
    timeoutMs = usualTimeoutMs,
  }: Partial<Pick<Recipient, 'seen' | 'timeoutMs'>> = {},
): Promise<readonly string[]> {
  const exchanged = await exchange(port, request, timeoutMs);
  const [answer] = ownAnswers(exchanged);
  count(seen, [request.kind], answer === undefined ? 'no answer' : codeOf(answer));
  return judgeExchange(request, exchanged);
}

/** Checks one value in each lane at a time. A failure comes with the seed that repeats it. */
async function inLanes<T>(
  values: fc.Arbitrary<T>,
  lanes: number,
  { runs, seed, endOnFailure }: Run,
  judge: (value: T) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const property = fc.asyncProperty(values, async (value) => {
    const problems = await judge(value);
    if (problems.length > 0) throw new Error(problems.join('; '));
  });
  const lane = async (number: number): Promise<readonly string[]> => {
    const numRuns = Math.floor((runs + number) / lanes);
    if (numRuns === 0) return [];
    const result = await fc.check(property, {
      seed: seed * lanes + number,
      numRuns,
      endOnFailure,
      includeErrorInReport: true,
    });
    return result.failed ? [(fc.defaultReportMessage(result) ?? '').slice(0, 3000)] : [];
  };
  return (await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))).flat();
}

type Digests = ReadonlyMap<string, string>;

/** Each table's number of rows and a digest of them. */
async function digestTables(sql: Sql): Promise<Digests> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
  const digests = new Map<string, string>();
  for (const { name } of tables) {
    const [row] = await sql<[{ digest: string }]>`
      select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '')
        as digest
      from ${sql(name)} as t`;
    digests.set(name, row.digest);
  }
  return digests;
}

/**
 * Token calls are counted before anything else about them is checked. Each read of an offer by an
 * operator is a look (D157).
 */
const changedByReads = ['token_calls', 'operator_looks'];

const changedTables = (before: Digests, after: Digests): readonly string[] =>
  [...after]
    .filter(([name, digest]) => !changedByReads.includes(name) && before.get(name) !== digest)
    .map(([name, digest]) => `rows changed: ${name}: ${before.get(name)} became ${digest}`);
