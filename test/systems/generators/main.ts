import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestReceiver } from '../../support/webhooks/receiver.ts';
import { createClients, type VendorContext } from '../contract/clients.ts';
import { startGateway } from '../contract/gateway.ts';
import {
  documentFile,
  filesIn,
  folder,
  sequences,
  linesOf,
  pythonExample,
  type Generator,
} from './generators.ts';
import { runCommand, type Outcome } from './run-command.ts';
import { writeSamples } from './samples.ts';

/**
 * `.ci/generators/run`: each generator makes a client of the vendors' document, its code compiles
 * and stays below a size, and a program of its language calls the gateway by it. Then the example
 * in Python runs. Exits 1 on any failure.
 */

const samples = join(folder, 'samples');
/** What each program proves, in this order: `ok NAME`. */
const proofs = [
  'token',
  'create',
  'money 1234567.89',
  'money 0.07',
  'money 9999999.99',
  'list',
  'delta',
  'event',
  'error details',
  'error state',
  'later offer',
  'later event',
  'later error',
];

/** Aborted by Ctrl-C and SIGTERM, so that everything that was started ends first. */
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

/** The last lines of what a command printed. */
const tail = ({ lines }: Outcome): string => ['', ...lines.slice(-15)].join('\n  | ');

/** What the programs read of their environment. */
const variablesOf = ({ credential }: VendorContext, apiUrl: string) => ({
  GATEWAY_URL: apiUrl,
  CLIENT_ID: credential.clientId,
  CLIENT_SECRET: credential.clientSecret,
  SAMPLES: samples,
});

/** Tries one generator: the row of the table, and what is wrong. */
async function tryGenerator(generator: Generator, vendor: VendorContext, apiUrl: string) {
  const { name, output, extension, filesMax, linesMax } = generator;
  const variables = variablesOf(vendor, apiUrl);
  const path = join(folder, output);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  const run = (command: Generator['run']) => runCommand(command, variables, stopping.signal);

  const generated = await run(generator.generate);
  const warnings = generator.warnings(generated.lines);
  const files = filesIn(path, extension);
  const lines = files.reduce((sum, file) => sum + linesOf(file), 0);
  const compiled = await run(generator.compile());
  const called = compiled.isOk ? await run(generator.run) : compiled;
  const missing = proofs.filter((proof) => !called.lines.includes(`ok ${proof}`));
  const failures = [
    ...(generated.isOk ? [] : [`does not generate${tail(generated)}`]),
    ...warnings.map((line) => `warns: ${line}`),
    ...(files.length > filesMax ? [`writes ${files.length} files, more than ${filesMax}`] : []),
    ...(lines > linesMax ? [`writes ${lines} lines, more than ${linesMax}`] : []),
    ...(compiled.isOk ? [] : [`does not compile${tail(compiled)}`]),
    ...(missing.length === 0 ? [] : [`does not prove: ${missing.join(', ')}${tail(called)}`]),
  ];
  const row = {
    generator: name,
    files: files.length,
    lines,
    warnings: warnings.length,
    compiles: compiled.isOk,
    calls: missing.length === 0,
    'money exact': !missing.some((proof) => proof.startsWith('money')),
  };
  return { row, failures: failures.map((failure) => `FAILED: ${name} ${failure}`) };
}

/** Runs the tests of `clients/python`; what fails. */
async function tryPythonExample(vendor: VendorContext, apiUrl: string) {
  const { file, args, env } = pythonExample;
  const tested = await runCommand(
    { file, args, env },
    variablesOf(vendor, apiUrl),
    stopping.signal,
  );
  console.log(`clients/python: ${tested.lines.at(-1) ?? 'no output'}`);
  return tested.isOk ? [] : [`FAILED: clients/python${tail(tested)}`];
}

await mkdir(folder, { recursive: true });
const receiver = await startTestReceiver();
try {
  const gateway = await startGateway(folder, receiver.origin);
  try {
    const { apiUrl } = gateway.info;
    const clients = createClients(gateway.info);
    await writeFile(documentFile, await (await fetch(`${apiUrl}/openapi.json`)).text());
    await writeSamples(samples, clients, receiver);
    const tried = sequences.map(async (sequence) => {
      const tests = [];
      for (const each of sequence)
        tests.push(await tryGenerator(each, await clients.newVendor(each.name), apiUrl));
      return tests;
    });
    const ended = (await Promise.all(tried)).flat();
    const failures = [
      ...ended.flatMap((each) => each.failures),
      ...(await tryPythonExample(await clients.newVendor('python-example'), apiUrl)),
    ];
    console.table(ended.map(({ row }) => row));
    for (const failure of failures) console.log(failure);
    console.log(`generators: ${ended.length * proofs.length} checks, ${failures.length} failures`);
    process.exitCode = failures.length === 0 ? 0 : 1;
  } finally {
    await gateway.stop();
  }
} finally {
  await receiver.close();
}
