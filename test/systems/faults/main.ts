import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGood, runDrill, type Drilled } from './drill.ts';
import { faults } from './faults.ts';
import { startFaultGateway } from './gateway/fault-gateway.ts';
import { machine } from '../../../bench/harness/measures/machine.ts';
import { readCommandLine } from '../../../scripts/command-line.ts';
import { faultsPage, tableOf } from './page.ts';

/**
 * Every story under every fault, each fault with a gateway of its own. Exits 1 if anything is lost,
 * doubled, stuck or wrong.
 */
const usage = `npm run test:faults -- [FAULT]…
npm run test:faults -- --write-docs   runs all, and writes docs/faults.md`;

/** The most that are printed of a story. */
const problemsMax = 20;
const docs = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/faults', import.meta.url));
const { values, positionals } = readCommandLine(usage, {
  allowPositionals: true,
  options: { 'write-docs': { type: 'boolean', default: false } },
});
const ids = faults.map(({ id }) => id);
const unknown = positionals.filter((id) => !ids.includes(id));
if (values['write-docs'] && positionals.length > 0) {
  console.error('The page has all faults: name none with --write-docs.');
  process.exit(1);
}
if (unknown.length > 0) {
  console.error(`No fault ${unknown.join(', ')}: ${ids.join(', ')}`);
  process.exit(1);
}
const chosen = faults.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const missing = new Set(chosen.flatMap((fault) => fault.missing?.() ?? []));
if (missing.size > 0) {
  console.error(`Run first: ${[...missing].join('; ')}`);
  process.exit(1);
}
const all: Drilled[] = [];
await mkdir(cache, { recursive: true });
for (const [index, fault] of chosen.entries()) {
  const name = `[${index + 1}/${chosen.length}] ${fault.title}`;
  const say = (text: string): void => console.error(`  … ${name}: ${text}`);
  say('starting a gateway');
  const gateway = await startFaultGateway(fault.needs);
  try {
    const drilled = await runDrill(gateway, fault, say);
    all.push(drilled);
    const seconds = drilled.seconds.toFixed(0);
    console.log(`${isGood(drilled) ? '✓' : '✗'} ${name} (${seconds} s)`);
    const ofStories = Object.entries(drilled.cells).flatMap(([title, { problems }]) =>
      problems.slice(0, problemsMax).map((problem) => `${title}: ${problem}`),
    );
    for (const line of [...drilled.problems, ...ofStories]) console.log(`    ${line}`);
    await writeFile(join(cache, 'results.json'), `${JSON.stringify(all, null, 2)}\n`);
    if (isGood(drilled)) continue;
    const kept = join(cache, fault.id);
    await mkdir(kept, { recursive: true });
    for (const log of ['api.log', 'worker.log', 'postgres.log', 'temporal.log'])
      await cp(join(gateway.folder, log), join(kept, log));
    say(`the logs are in ${kept}`);
  } finally {
    await gateway.stop();
  }
}
console.log(`\n${tableOf(all)}`);
if (values['write-docs']) {
  const measuredOn = machine(all[0]?.postgresVersion ?? '').replace(' before', ' at the end');
  await writeFile(docs, await faultsPage(all, measuredOn));
  console.log('written: docs/faults.md');
}
process.exitCode = all.every(isGood) ? 0 : 1;
