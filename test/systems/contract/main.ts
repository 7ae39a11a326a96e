import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';
import type { RuntimeInfo } from '../../../embedded/state/runtime-info.ts';
import { startTestReceiver, status, type TestReceiver } from '../../support/webhooks/receiver.ts';
import { createClients } from './clients.ts';
import { writeDictionaries } from './dictionaries.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import { startGateway } from './gateway.ts';
import { addCall, type Tallies } from './report.ts';
import { runSchemathesis, type Part, type Side } from './run-schemathesis.ts';
import { logins, serveTokens } from './tokens.ts';

/**
 * `.ci/schemathesis`: property-based tests of both sides of the API by its OpenAPI documents,
 * against an embedded gateway with something in every state. Exits 1 on any failure, and when an
 * operation never accepted a call, since then nothing of it was tested.
 */

const root = '.cache/contract';
const program = join(root, 'venv/bin/schemathesis');
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
const vendors = { paths: '^/api/v1/', document: '/openapi.json' };
const operators = { paths: '^/operator/v1/', document: '/operator/openapi.json' };
/**
 * Single calls, and sequences of calls that use earlier responses. A sequence ends early when the
 * data has changed meanwhile, so Schemathesis runs as many as the time allows.
 */
const calls: Part = {
  name: 'calls',
  options: ['--phases', 'examples,coverage,fuzzing', ...search],
};
const walks: Part = {
  name: 'walks',
  options: ['--phases', 'stateful', '--max-time', walkSeconds, ...search],
};
const both = [calls, walks];

type Run = Side & { readonly parts: readonly Part[] };
type Group = { readonly name: string; readonly runs: readonly Run[] };
const operator = { ...operators, name: 'operator', login: 'operator' };
const doctor = '/operator/v1/doctor$';
/**
 * The runs of a group share fixtures, one after the other. Each group has a gateway of its own,
 * because the operator uses up everyone's fixtures. The calls of the doctor use up none, and take
 * half a minute: they run in the group that otherwise ends first.
 */
const groups: readonly Group[] = [
  {
    name: 'vendors',
    runs: [
      { ...vendors, name: 'vendor', login: 'vendor', parts: both },
      {
        ...vendors,
        name: 'vendor-model-2',
        login: 'another',
        paths: '^/api/v1/scent/offers',
        parts: both,
      },
      { ...operator, name: 'doctor', paths: `^${doctor}`, parts: [calls] },
    ],
  },
  {
    name: 'operator',
    runs: [
      { ...operator, paths: `^(?!${doctor})/operator/v1/`, parts: [calls] },
      { ...operator, parts: [walks] },
    ],
  },
];
const allRuns = groups.flatMap(({ runs }) => runs);

/** Aborted by Ctrl-C and SIGTERM, so that everything that was started ends first. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());

/** The credentials and the spares that Schemathesis's hooks read. */
function variablesOf(fixtures: Fixtures, { operator }: RuntimeInfo) {
  const { own, another, loginCredential, spareVendorId, variantId, spareVariantId } = fixtures;
  const { clientId, clientSecret } = loginCredential;
  const { operatorId, operatorSecret } = operator;
  const [spareCredentialId = ''] = fixtures.credentials;
  // The attempts belong to the second subscription.
  const [spareSubscription = '', attempted = ''] = fixtures.subscriptions;
  return {
    CONTRACT_CLIENT: JSON.stringify({ clientId, clientSecret }),
    CONTRACT_OPERATOR: JSON.stringify({ operatorId, operatorSecret }),
    CONTRACT_SPARES: JSON.stringify({
      [own.vendorId]: spareVendorId,
      [another.vendorId]: spareVendorId,
      [own.credential.id]: spareCredentialId,
      [another.credential.id]: spareCredentialId,
      [loginCredential.id]: spareCredentialId,
      [variantId]: spareVariantId,
      [attempted]: spareSubscription,
      [fixtures.ownOperator]: fixtures.operators[0] ?? '',
    }),
  };
}

const documentSchema = v.object({ paths: v.record(v.string(), v.record(v.string(), v.unknown())) });

/** The operations of the documents under the tested paths. */
async function declaredOperations(apiUrl: string): Promise<readonly string[]> {
  const operations = new Set<string>();
  for (const side of allRuns) {
    const { paths } = v.parse(documentSchema, await (await fetch(apiUrl + side.document)).json());
    for (const [path, methods] of Object.entries(paths))
      if (new RegExp(side.paths).test(path))
        for (const method of Object.keys(methods))
          operations.add(`${method.toUpperCase()} ${path}`);
  }
  return [...operations];
}

/** Prints and saves the result. Returns the number of failures. */
async function report(tallies: Tallies, declared: readonly string[]): Promise<number> {
  const rows = [...tallies].map(([operation, tally]) => ({ operation, ...tally }));
  await writeFile(join(root, 'table.json'), JSON.stringify(rows, null, 2));
  const unreached = declared.filter((name) => (tallies.get(name)?.accepted ?? 0) === 0);
  for (const name of unreached) console.log(`FAILED: no call of ${name} was accepted`);
  const cases = rows.reduce((sum, row) => sum + row.cases, 0);
  const failures = rows.reduce((sum, row) => sum + row.failures, unreached.length);
  console.log(`Seed ${seed}, ${examples} examples, walks of ${walkSeconds} s; reports in ${root}.`);
  console.log(`schemathesis: ${cases} cases, ${failures} failures`);
  return failures;
}

/** Does the runs of a group. Returns the operations of the documents. */
async function testGroup(
  { name, runs }: Group,
  receiver: string,
  tallies: Tallies,
): Promise<readonly string[]> {
  const folder = join(root, name);
  await mkdir(folder, { recursive: true });
  await copyFile('.ci/contract/schemathesis.toml', join(folder, 'schemathesis.toml'));
  const { info, stop } = await startGateway(folder, receiver);
  const { apiUrl } = info;
  const { signal } = stopping;
  let tokens: TestReceiver | undefined;
  try {
    const clients = createClients(info);
    const fixtures = await createFixtures(clients, receiver, name);
    await writeDictionaries(folder, fixtures);
    const { own, another } = fixtures;
    const issue = { vendor: own.token, another: another.token, operator: clients.operatorToken };
    tokens = await serveTokens(issue);
    const loginsFile = join(folder, 'logins.json');
    await writeFile(loginsFile, JSON.stringify(logins(tokens.origin, Object.keys(issue))));
    const files = { CONTRACT_RECEIVER: receiver, CONTRACT_LOGINS: loginsFile };
    const environment = { ...files, ...variablesOf(fixtures, info) };
    for (const side of runs)
      for (const part of side.parts) {
        signal.throwIfAborted();
        const options = { side, part, apiUrl, program, folder, environment, signal };
        await addCall(tallies, await runSchemathesis(options));
      }
    return await declaredOperations(apiUrl);
  } catch (error) {
    // The other group ends too, and the first error is the reason of all.
    stopping.abort(error);
    throw error;
  } finally {
    await tokens?.close();
    await stop();
  }
}

const receiver = await startTestReceiver();
receiver.answerWith((response) => {
  status(response.req.url?.endsWith('/fails') === true ? 500 : 200)(response);
});
try {
  const tallies: Tallies = new Map();
  // Schemathesis waits for each response, so one group alone leaves one of two cores idle.
  const ended = await Promise.allSettled(
    groups.map((group) => testGroup(group, receiver.origin, tallies)),
  );
  stopping.signal.throwIfAborted();
  const declared = ended.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  const failures = await report(tallies, [...new Set(declared)]);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await receiver.close();
}
