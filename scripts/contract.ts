import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import { createActors, type Actors } from './contract/actors.ts';
import { writeDictionaries } from './contract/dictionaries.ts';
import { startGateway, type Gateway } from './contract/gateway.ts';
import { startReceiver } from './contract/listen.ts';
import { addRun, table, totalOf, type Tallies } from './contract/report.ts';
import { runSchemathesis, type Part, type Side } from './contract/run.ts';
import { logins, serveTokens } from './contract/tokens.ts';
import { makeWorld, type World } from './contract/world.ts';

/**
 * `.ci/schemathesis`: property-based tests of both sides of the API, by its own OpenAPI document, against an embedded gateway with
 * something in every state. Exits 1 on any failure, also where an operation never accepted a call: then nothing of it was tested.
 */

const folder = '.cache/contract';
const {
  examples,
  seed,
  'walk-seconds': walkSeconds,
} = parseArgs({
  options: {
    examples: { type: 'string', default: '25' },
    seed: { type: 'string', default: '1' },
    'walk-seconds': { type: 'string', default: '20' },
  },
}).values;
const search = ['--max-examples', examples, '--seed', seed];
const sides: readonly Side[] = [
  { name: 'vendor', login: 'vendor', paths: '^/api/v1/' },
  { name: 'vendor-model-2', login: 'another', paths: '^/api/v1/scent/offers' },
  { name: 'operator', login: 'operator', paths: '^/operator/v1/' },
];

/**
 * Calls one by one, and walks from answer to answer. A walk ends early wherever the data answer otherwise than before, so there are
 * as many as the time allows.
 */
const parts: readonly Part[] = [
  { name: 'calls', options: ['--phases', 'examples,coverage,fuzzing', ...search] },
  { name: 'walks', options: ['--phases', 'stateful', '--max-time', walkSeconds, ...search] },
];

/** Ctrl-C, or whoever ends us otherwise: then everything that was started ends first. */
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());

/** What Schemathesis's configuration and hooks read from their environment. */
async function environmentOf(actors: Actors, gateway: Gateway, world: World, receiver: string) {
  const { clientId, clientSecret } = await actors.issueCredential(world.own);
  const { operatorId, operatorSecret } = gateway.running.operator;
  return {
    CONTRACT_RECEIVER: receiver,
    CONTRACT_LOGINS: join(folder, 'logins.json'),
    CONTRACT_CLIENT: JSON.stringify({ clientId, clientSecret }),
    CONTRACT_OPERATOR: JSON.stringify({ operatorId, operatorSecret }),
    CONTRACT_SPARES: JSON.stringify({
      [world.own]: world.spareVendorId,
      [world.another]: world.spareVendorId,
      [world.variantId]: world.spareVariantId,
    }),
  };
}

/** One side, in a world that no other has used up. */
async function play(
  side: Side,
  gateway: Gateway,
  receiver: string,
  tallies: Tallies,
): Promise<void> {
  ending.signal.throwIfAborted();
  console.log(`\n== ${side.name}`);
  const { apiUrl } = gateway.running;
  const actors = createActors(gateway.running);
  const world = await makeWorld(actors, receiver, side.name);
  await writeDictionaries(folder, world);
  const issue = {
    vendor: () => actors.vendorToken(world.own),
    another: () => actors.vendorToken(world.another),
    operator: actors.operatorToken,
  };
  const tokens = await serveTokens(issue);
  try {
    await writeFile(
      join(folder, 'logins.json'),
      JSON.stringify(logins(tokens.origin, Object.keys(issue))),
    );
    const environment = await environmentOf(actors, gateway, world, receiver);
    for (const part of parts) {
      await addRun(
        tallies,
        await runSchemathesis({ side, part, apiUrl, folder, environment, signal: ending.signal }),
      );
    }
  } finally {
    await tokens.close();
  }
}

const documentForm = v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) });

/** What the document declares under the paths that are tested. */
async function declaredOperations(apiUrl: string): Promise<readonly string[]> {
  const { paths } = v.parse(documentForm, await (await fetch(`${apiUrl}/openapi.json`)).json());
  return Object.entries(paths)
    .filter(([path]) => sides.some((side) => new RegExp(side.paths).test(path)))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
}

/** Tells what came of it; answers the failures. */
async function tell(tallies: Tallies, declared: readonly string[]): Promise<number> {
  const text = table(tallies, declared);
  await writeFile(join(folder, 'table.txt'), `${text}\n`);
  console.log(`\n${text}\n`);
  const unreached = declared.filter((name) => (tallies.get(name)?.accepted ?? 0) === 0);
  for (const name of unreached) console.log(`FAILED: no call of ${name} was accepted`);
  const { cases, failures } = totalOf(tallies);
  console.log(
    `Seed ${seed}, ${examples} examples, walks of ${walkSeconds} s; reports in ${folder}.`,
  );
  console.log(`schemathesis: ${cases} cases, ${failures + unreached.length} failures`);
  return failures + unreached.length;
}

const home = join(folder, 'home');
await rm(home, { recursive: true, force: true });
await mkdir(home, { recursive: true });
const receiver = await startReceiver();
try {
  const gateway = await startGateway(home, join(folder, 'gateway.log'), receiver.origin);
  try {
    const tallies: Tallies = new Map();
    for (const side of sides) await play(side, gateway, receiver.origin, tallies);
    process.exitCode =
      (await tell(tallies, await declaredOperations(gateway.running.apiUrl))) === 0 ? 0 : 1;
  } finally {
    await gateway.stop();
  }
} finally {
  await receiver.close();
}
