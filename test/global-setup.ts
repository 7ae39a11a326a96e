import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/core/migrate.ts';
import { startGuard, type Guard } from '../scripts/guard.ts';
import { createPortChooser } from '../scripts/ports.ts';
import { startPostgres } from '../scripts/postgres.ts';
import { findTemporalCli } from '../scripts/temporal-cli.ts';
import { startTemporal } from '../scripts/temporal.ts';
import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';
import { lockTemplate, TEMPLATE_DATABASE } from './support/template.ts';

const CACHE = fileURLToPath(new URL('../node_modules/.cache/vendor-gateway', import.meta.url));

const say = (line: string) => {
  console.log(line);
};

type Place = {
  readonly folder: string;
  readonly guard: Guard;
  readonly choosePort: ReturnType<typeof createPortChooser>;
};

/** A cluster that is thrown away: nothing in it needs to survive a power cut. */
async function testPostgres({ folder, guard, choosePort }: Place) {
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    port: await choosePort('Postgres', 0),
    password: randomBytes(16).toString('hex'),
    database: TEMPLATE_DATABASE,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      max_connections: '300',
    },
    logFile: join(folder, 'postgres.log'),
    guard,
  });
  await migrate(postgres.url, () => {});
  const adminUrl = postgres.url.replace(/[^/]+$/, 'postgres');
  await lockTemplate(adminUrl);
  return { adminUrl, stop: () => postgres.stop() };
}

/** TEMPORAL_ADDRESS is a server of your own: the tests then use it and leave their workflows there. */
async function testTemporal({ folder, guard, choosePort }: Place) {
  const address = process.env['TEMPORAL_ADDRESS'];
  if (address !== undefined && address !== '') return { address, stop: () => Promise.resolve() };
  const configured = process.env['TEMPORAL_CLI'];
  const cli = await findTemporalCli({
    configured: configured === '' ? undefined : configured,
    say,
    guard,
  });
  const temporal = await startTemporal({
    cli,
    databaseFile: undefined,
    namespace: 'default',
    port: await choosePort('Temporal', 0),
    uiPort: undefined,
    logFile: join(folder, 'temporal.log'),
    guard,
  });
  return { address: temporal.address, stop: () => temporal.stop() };
}

async function testBundle(): Promise<string> {
  const bundle = await loadWorkflowBundle({ cacheDir: CACHE });
  if ('codePath' in bundle) return bundle.codePath;
  throw new Error(`The workflow bundle cannot be kept in ${CACHE}.`);
}

/** One Postgres, one Temporal server and one workflow bundle for the whole run; a guard ends them if the run is killed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-test-'));
  const guard = startGuard();
  guard.removeAtEnd(folder);
  const place = { folder, guard, choosePort: createPortChooser(say) };
  try {
    const [postgres, temporal, workflowBundlePath] = await Promise.all([
      testPostgres(place),
      testTemporal(place),
      testBundle(),
    ]);
    project.provide('postgresAdminUrl', postgres.adminUrl);
    project.provide('templateDatabase', TEMPLATE_DATABASE);
    project.provide('temporalAddress', temporal.address);
    project.provide('workflowBundlePath', workflowBundlePath);
    return async () => {
      await Promise.all([postgres.stop(), temporal.stop()]);
      await guard.release();
    };
  } catch (error) {
    await guard.release();
    throw error;
  }
}

declare module 'vitest' {
  // Vitest types `inject` by this interface: it can only be added to.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    readonly postgresAdminUrl: string;
    readonly templateDatabase: string;
    readonly temporalAddress: string;
    readonly workflowBundlePath: string;
  }
}
