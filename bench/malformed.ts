import { writeFile } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Benchmark, Place } from './harness/benchmark.ts';
import { problemKinds } from './malformed/answer.ts';
import { startProbedApi, type ProbedApi } from './malformed/api.ts';
import { sendBytes } from './malformed/connections.ts';
import { soundRequest } from './malformed/generate.ts';
import { createHttpSender, inLanes, sendMalformed, type HttpSender } from './malformed/http.ts';
import { judgeMemory, type MemorySample } from './malformed/memory.ts';
import { changedTables, digestRecord } from './malformed/record.ts';
import { memoryPicture, reportMemory } from './malformed/report.ts';
import type { Scene } from './malformed/request.ts';
import { createScene } from './malformed/scene.ts';
import { holdHalfRequests } from './malformed/slow.ts';
import { createTally } from './malformed/verdict.ts';
import { table } from './harness/table.ts';

const picture = new URL('malformed-memory.svg', import.meta.url);
const batches = 40;
/** In the first of them code and caches grow warm; they count, and their memory does not. */
const warmUpBatches = 8;
/** One request in eight is sent as bytes, on a connection of its own. */
const bytesOnceIn = 8;

/** A proof rather than a figure: what a hundred thousand malformed requests are answered with, and what they leave behind. */
export const malformed: Benchmark = {
  name: 'malformed',
  title: 'Malformed requests',
  run: async (place) => {
    const { requests, seed } = asked();
    place.say(`seed ${seed}`);
    place.say('as many well-formed requests, for comparison');
    const control = await withApi(place, ({ api, scene, sender }) =>
      sampled(api, requests, place.say, (from, to) => sendSound(sender, scene, { seed, from, to })),
    );
    place.say('malformed requests');
    await prove(place, { requests, seed, control: control.samples });
  },
};

/** `--requests` and `--seed`, of which main.ts knows that they are there. */
function asked(): { readonly requests: number; readonly seed: string } {
  const { values } = parseArgs({
    strict: false,
    options: { requests: { type: 'string' }, seed: { type: 'string' } },
  });
  const { requests = '100000', seed = String(randomInt(1e9)) } = values;
  return { requests: Number(requests), seed: String(seed) };
}

type Cast = { readonly api: ProbedApi; readonly scene: Scene; readonly sender: HttpSender };

async function withApi<T>(
  { databaseUrl, sql }: Place,
  work: (cast: Cast) => Promise<T>,
): Promise<T> {
  const api = await startProbedApi(databaseUrl);
  const sender = createHttpSender(api.url);
  try {
    return await work({ api, sender, scene: await createScene(sql, api.tokens, api.url) });
  } finally {
    await sender.close();
    await api.stop();
  }
}

type Sampled = { readonly samples: readonly MemorySample[]; readonly seconds: number };

/** Sends one batch after another, and looks at the memory between them, when nothing is under way. */
async function sampled(
  api: ProbedApi,
  requests: number,
  say: Place['say'],
  send: (from: number, to: number) => Promise<void>,
): Promise<Sampled> {
  const samples: MemorySample[] = [];
  let sendingMs = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const [from, to] = [batch, batch + 1].map((number) =>
      Math.floor((number * requests) / batches),
    );
    const begun = performance.now();
    await send(from ?? 0, to ?? 0);
    sendingMs += performance.now() - begun;
    samples.push({ requests: to ?? 0, ...(await api.memory()) });
    if (batch % 10 === 9) say(`${to} requests`);
  }
  return { samples: samples.slice(warmUpBatches), seconds: sendingMs / 1000 };
}

type Range = { readonly seed: string; readonly from: number; readonly to: number };

async function sendSound(
  sender: HttpSender,
  scene: Scene,
  { seed, from, to }: Range,
): Promise<void> {
  await inLanes(from, to, 16, async (number) => {
    const { status, body } = await sender.send(soundRequest(scene, seed, number));
    if (status >= 300) throw new Error(`a well-formed request was answered ${status}: ${body}`);
  });
}

async function prove(
  place: Place,
  {
    requests,
    seed,
    control,
  }: {
    readonly requests: number;
    readonly seed: string;
    readonly control: readonly MemorySample[];
  },
): Promise<void> {
  const { sql, print, say } = place;
  const tally = createTally();
  const { seconds, samples, changed } = await withApi(place, async ({ api, scene, sender }) => {
    const before = await digestRecord(sql);
    const port = Number(new URL(api.url).port);
    const slow = holdHalfRequests(port, scene, tally);
    const found = await sampled(api, requests, say, async (from, to) => {
      const cut = to - Math.floor((to - from) / bytesOnceIn);
      await sendMalformed(sender, scene, tally, { seed, from, to: cut });
      await sendBytes(port, scene, tally, { seed, from: cut, to });
    });
    await slow;
    return { ...found, changed: changedTables(before, await digestRecord(sql)) };
  });
  const problems = [
    ...tally.problems(),
    ...changed.map((what) => `the record changed: ${what}`),
    ...judgeMemory('malformed', samples),
    ...judgeMemory('well-formed', control),
  ];
  print(`Seed ${seed}:`);
  print(
    table(
      ['requests', 'a second', ...problemKinds, 'tables changed'],
      [
        [
          tally.requests(),
          requests / seconds,
          ...problemKinds.map(tally.problemsOf),
          changed.length,
        ],
      ],
    ),
  );
  print(table(['what is wrong', 'requests', 'answers'], tally.rows()));
  reportMemory(print, { samples, control });
  await writeFile(picture, memoryPicture({ samples, control }));
  say(`written: ${fileURLToPath(picture)}`);
  if (problems.length > 0)
    throw new Error(`not as it should be (seed ${seed}):\n${problems.slice(0, 30).join('\n')}`);
}
