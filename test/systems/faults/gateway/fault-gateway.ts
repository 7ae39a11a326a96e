import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connect } from '../../../../db/core/client.ts';
import type { EmbeddedPostgres } from '../../../../embedded/postgres/postgres.ts';
import { allowProcessRoles } from '../../../../embedded/postgres/process-roles.ts';
import {
  createWorkspace,
  durable,
  startTestPostgres,
  startTestTemporal,
  testTemporalCli,
} from '../../../support/servers.ts';
import { runScript } from '../../../support/command.ts';
import { freePort } from '../../../support/free-port.ts';
import { generatePrivateKey } from '../../../../security/key-ring.ts';
import { startCutProxy } from '../../../support/cut-proxy.ts';
import { checkOutOlder, presentVersion } from './version.ts';
import { startReadyProxy } from '../../../support/gateway/ready-proxy.ts';
import { startSupervised, type Part } from './part.ts';
import { mountSmallDisk } from './small-disk.ts';
import { startStoryReceiver } from './story-receiver.ts';

/** What a gateway for a fault needs beside the usual. */
export type Needs = {
  /** The API and the worker reach Postgres and Temporal through proxies. */
  readonly proxies?: boolean;
  /** Postgres stores its data on a disk of a given number of MiB. */
  readonly diskMiB?: number;
  /** An older version begins, and a proxy before all APIs asks `/ready`. */
  readonly older?: boolean;
};

type VersionName = 'older' | 'present';
type Environment = Readonly<Record<string, string>>;

/** A whole gateway of its own, whose processes a fault may hit. */
export type FaultGateway = Awaited<ReturnType<typeof startFaultGateway>>;

/** It has the routes of production too. */
export const environment = 'Sandbox';

/** Short times, so that each story ends within seconds. */
const settings: Environment = {
  NODE_ENV: 'test',
  GATEWAY_ENVIRONMENT: environment,
  LOG_LEVEL: 'info',
  // No proxy follows `/ready`.
  DRAIN_DELAY_MS: '0',
  INSPECTION_START_MS: '500',
  INSPECTION_WINDOW_MS: '3000',
  // More attempts than a fault can fail.
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 20 }, () => '1000').join(','),
  RATE_LIMIT_PER_MINUTE: '0',
  RATE_LIMIT_PUSH_PER_MINUTE: '0',
  RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
  RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: '0',
  VENDOR_CONCURRENCY_MAX: '100',
};

const withPort = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};
const urlOf = (port: number): string => `http://127.0.0.1:${port}`;
const silent = (): void => undefined;

/** Starts Postgres, Temporal, one API and one worker as processes of their own, on loopback. */
export async function startFaultGateway(needs: Needs = {}) {
  const workspace = await createWorkspace();
  const { folder, guard } = workspace;
  const closers: (() => Promise<unknown> | void)[] = [() => guard.release()];
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close();
  };
  try {
    const disk = needs.diskMiB === undefined ? null : await mountSmallDisk(folder, needs.diskMiB);
    // Before the guard removes the folder, and after Postgres has ended.
    if (disk !== null) closers.push(() => disk.unmount());
    const older = needs.older === true ? await checkOutOlder() : null;
    if (older !== null) closers.push(() => older.remove());
    const first: VersionName = older === null ? 'present' : 'older';
    const codeOf = (name: VersionName) => (name === 'older' ? older : null) ?? presentVersion;
    const readyProxy = older === null ? null : await startReadyProxy(100);
    closers.push(() => readyProxy?.close());
    const receiver = await startStoryReceiver();
    closers.push(() => receiver.close());
    const [postgresPort, temporalPort] = [await freePort(), await freePort()];
    const [apiPort, workerPort] = [await freePort(), await freePort()];
    const password = randomBytes(16).toString('hex');
    const postgresData = join(disk?.path ?? folder, 'postgres');
    const temporalFolder = join(folder, 'temporal');
    const begin = async (...given: Parameters<typeof startSupervised>): Promise<Part> => {
      const part = await startSupervised(...given);
      closers.push(() => part.shutDown());
      return part;
    };

    let server: EmbeddedPostgres | null = null;
    const cli = await testTemporalCli(workspace, silent);
    const databaseFile = join(temporalFolder, 'temporal.db');
    const [postgres, temporal] = await Promise.all([
      begin(async () => {
        const given = { dataDir: postgresData, port: postgresPort, password };
        server = await startTestPostgres(workspace, { ...durable, ...given });
        return server;
      }),
      begin(() => startTestTemporal(workspace, { cli, databaseFile, port: temporalPort })),
    ]);
    if (server === null) throw new Error('no server');
    const bundleOf = async (version: VersionName): Promise<string> => {
      const bundle = await codeOf(version).loadWorkflowBundle({});
      if ('codePath' in bundle) return bundle.codePath;
      throw new Error('the workflow bundle cannot be stored');
    };
    const { url: databaseUrl, version: postgresVersion } = server as EmbeddedPostgres;
    await codeOf(first).migrate(databaseUrl, silent, environment);
    const roles = await allowProcessRoles(databaseUrl);
    const proxies =
      needs.proxies === true
        ? await Promise.all([startCutProxy(postgresPort), startCutProxy(temporalPort)])
        : [];
    closers.push(() => proxies.forEach(({ close }) => close()));
    const [toPostgres = postgresPort, toTemporal = temporalPort] = proxies.map(({ port }) => port);

    const secretsKey = randomBytes(32).toString('base64');
    const own: Record<'api' | 'worker', Environment> = { api: {}, worker: {} };
    const common = {
      PATH: process.env['PATH'],
      ...settings,
      // Long enough for the proxy to notice on a loaded machine.
      ...(readyProxy === null ? {} : { DRAIN_DELAY_MS: '3000' }),
      SECRETS_KEY: secretsKey,
      TEMPORAL_ADDRESS: `127.0.0.1:${toTemporal}`,
      WEBHOOK_ALLOWED_ORIGINS: receiver.origins.join(','),
    };
    const signingKey = generatePrivateKey();
    const starterOf = (of: 'api' | 'worker', port: number, version: VersionName) => async () =>
      codeOf(version).startGatewayProcess({
        name: of,
        file: of === 'api' ? 'api/server.ts' : 'worker/main.ts',
        env: {
          ...common,
          ...(of === 'api'
            ? {
                DATABASE_URL: withPort(roles.apiUrl, toPostgres),
                JWT_SIGNING_KEY: signingKey,
                PORT: String(port),
              }
            : {
                DATABASE_URL: withPort(roles.workerUrl, toPostgres),
                WORKER_HEALTH_PORT: String(port),
                WORKFLOW_BUNDLE: await bundleOf(version),
              }),
          ...own[of],
        },
        logFile: join(folder, `${of}.log`),
        guard,
      });
    const [api, worker] = await Promise.all([
      begin(starterOf('api', apiPort, first)),
      begin(starterOf('worker', workerPort, first)),
    ]);
    readyProxy?.add(urlOf(apiPort));
    const sql = connect(databaseUrl, { max: 8, name: 'faults' });
    closers.push(() => sql.end({ timeout: 1 }));
    return {
      postgres,
      temporal,
      api,
      worker,
      apiUrl: readyProxy?.url ?? urlOf(apiPort),
      /** The health of the worker. */
      workerUrl: `${urlOf(workerPort)}/health`,
      /** As the owner of the record. */
      sql,
      databaseUrl,
      postgresVersion,
      secretsKey,
      receiver,
      proxies,
      disk,
      postgresData,
      temporalFolder,
      folder,
      older,
      /** Starts one more API. */
      addApi: async (version: VersionName = 'present') => {
        const port = await freePort();
        const part = await begin(starterOf('api', port, version));
        readyProxy?.add(urlOf(port));
        return part;
      },
      addWorker: async (version: VersionName = 'present') =>
        begin(starterOf('worker', await freePort(), version)),
      /** The next starts of the process get these variables too. */
      setEnvironment: (of: 'api' | 'worker', environment: Environment): void => {
        own[of] = environment;
      },
      /** Runs `npm run doctor` with these arguments. */
      doctor: (...args: readonly string[]) =>
        runScript('scripts/doctor.ts', args, {
          DATABASE_URL: databaseUrl,
          TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
          GATEWAY_HOME: join(folder, 'home'),
          GATEWAY_ENVIRONMENT: environment,
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
