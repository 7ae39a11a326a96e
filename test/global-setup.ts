import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../db/core/migrate.ts';
import { allowProcessRoles, type ProcessUrls } from '../embedded/postgres/process-roles.ts';
import { loadWorkflowBundle } from '../worker/workflow-bundle.ts';
import {
  createWorkspace,
  startTestPostgres,
  startTestTemporal,
  testTemporalCli,
  type Workspace,
} from './support/servers.ts';
import { join } from 'node:path';
import { compileTypescript } from '../embedded/processes/compile-typescript.mjs';
import { root } from './support/programs.ts';

/** What tests start often; other programs run by tsx. */
const programs = [
  'api/server.ts',
  'worker/main.ts',
  'test/security/kill-at.ts',
  ...['case', 'deployment', 'doctor', 'keys', 'operator', 'replay'].map(
    (name) => `scripts/${name}.ts`,
  ),
];

const cli = 'clients/cli/src/main.ts';
const client = join(root, 'clients/typescript/src');
const optionsOfCli = {
  packages: join(root, 'clients/cli/node_modules'),
  alias: {
    'vendor-gateway-client/webhooks': join(client, 'webhooks/index.ts'),
    'vendor-gateway-client': join(client, 'index.ts'),
  },
};

/**
 * Compiles the programs that tests start, once for all tests: to compile and load each of their
 * modules, tsx takes 1 to 2 s of CPU time for every start. Vitest's processes inherit the variable.
 */
async function compilePrograms(): Promise<void> {
  const compiled: Record<string, string> = {};
  for (const file of [...programs, cli]) {
    const url = await compileTypescript(join(root, file), file === cli ? optionsOfCli : {});
    compiled[file] = fileURLToPath(url);
  }
  process.env['TEST_PROGRAMS'] = JSON.stringify(compiled);
}

const CACHE = fileURLToPath(new URL('../node_modules/.cache/vendor-gateway', import.meta.url));

const log = (line: string) => {
  console.log(line);
};

const memoryFolder = '/dev/shm';
/** The databases of the tests that run at a time, and their WAL, take up to a gigabyte. */
const memoryBytesMin = 3 * 1024 ** 3;

/**
 * The parent of the servers' data. In memory, creating and dropping a database takes 25 ms of the
 * processor; on a disk it takes 60 to 400 ms.
 */
async function dataParent(): Promise<string> {
  const found = await statfs(memoryFolder).catch(() => null);
  return found !== null && found.bavail * found.bsize >= memoryBytesMin ? memoryFolder : tmpdir();
}

/** The migrated database that every test's own one is a copy of. */
const TEMPLATE_DATABASE = 'gateway_template';

/**
 * Closes the template to connections, because Postgres copies a database only without connections.
 * Stores the password again, with one round of hashing instead of 4096: the tests open thousands of
 * connections, and each client repeats the rounds.
 */
async function lockTemplate(adminUrl: string, password: string): Promise<void> {
  const sql = postgres(adminUrl, { max: 1 });
  try {
    await sql`
      alter database ${sql(TEMPLATE_DATABASE)} with is_template true allow_connections false`;
    await sql.unsafe(`alter role current_user password '${password}'`);
  } finally {
    await sql.end();
  }
}

/**
 * Starts Postgres without durability, since its data is temporary. Returns the URLs of its admin
 * database.
 */
async function startTemplate(workspace: Workspace): Promise<ProcessUrls & { adminUrl: string }> {
  const password = randomBytes(16).toString('hex');
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    max_wal_size: '256MB',
    max_connections: '300',
    // Rounds of hashing of the passwords that are set from now on.
    scram_iterations: '1',
  };
  const options = { password, database: TEMPLATE_DATABASE, settings };
  const { url } = await startTestPostgres(workspace, options);
  await migrate(url, () => {});
  const adminUrl = url.replace(/[^/]+$/, 'postgres');
  await lockTemplate(adminUrl, password);
  return { adminUrl, ...(await allowProcessRoles(adminUrl)) };
}

/**
 * Returns the address of a Temporal server: TEMPORAL_ADDRESS, in which the tests leave their
 * workflows, or a new one.
 */
async function temporalAddressOf(workspace: Workspace): Promise<string> {
  const address = process.env['TEMPORAL_ADDRESS'];
  if (address !== undefined && address !== '') return address;
  const cli = await testTemporalCli(workspace, log);
  return (await startTestTemporal(workspace, { cli })).address;
}

async function testBundle(): Promise<string> {
  const bundle = await loadWorkflowBundle({ cacheDir: CACHE });
  if ('codePath' in bundle) return bundle.codePath;
  throw new Error(`The workflow bundle cannot be kept in ${CACHE}.`);
}

/** Starts Postgres and a Temporal server. A guard ends them if Vitest is killed. */
async function startServers() {
  const workspace = await createWorkspace(await dataParent());
  const { guard } = workspace;
  try {
    const [{ adminUrl, ...processUrls }, temporalAddress, workflowBundlePath] = await Promise.all([
      startTemplate(workspace),
      temporalAddressOf(workspace),
      testBundle(),
      compilePrograms(),
    ]);
    return { adminUrl, processUrls, temporalAddress, workflowBundlePath, guard };
  } catch (error) {
    delete shared.vendorGatewayServers;
    await guard.release();
    throw error;
  }
}

/** Vitest evaluates this file for each project. The first one starts the servers of all. */
const shared = globalThis as { vendorGatewayServers?: ReturnType<typeof startServers> };

/** Gives a project the servers of all projects. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await (shared.vendorGatewayServers ??= startServers());
  project.provide('postgresAdminUrl', servers.adminUrl);
  project.provide('postgresProcessUrls', servers.processUrls);
  project.provide('templateDatabase', TEMPLATE_DATABASE);
  project.provide('temporalAddress', servers.temporalAddress);
  project.provide('workflowBundlePath', servers.workflowBundlePath);
  return async () => {
    const isFirst = shared.vendorGatewayServers !== undefined;
    delete shared.vendorGatewayServers;
    if (isFirst) await servers.guard.release();
  };
}

declare module 'vitest' {
  // Vitest types `inject` by this interface: it can only be added to.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    readonly postgresAdminUrl: string;
    readonly postgresProcessUrls: ProcessUrls;
    readonly templateDatabase: string;
    readonly temporalAddress: string;
    readonly workflowBundlePath: string;
  }
}
