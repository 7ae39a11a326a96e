import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { connect, type Sql } from '../../../../db/core/client.ts';
import { startPostgres, type EmbeddedPostgres } from '../../../../embedded/postgres/postgres.ts';
import { allowProcessRoles } from '../../../../embedded/postgres/process-roles.ts';
import { createGuardedFolder } from '../../../../embedded/processes/guard.ts';
import { findTemporalCli } from '../../../../embedded/temporal/temporal-cli.ts';
import { startTemporal } from '../../../../embedded/temporal/temporal.ts';
import { runScript, type Ended } from '../../../support/command.ts';
import { freePort } from '../../../support/free-port.ts';
import { newSigningKey } from '../../../security/signing-key.ts';
import { startCutProxy, type CutProxy } from './cut-proxy.ts';
import { checkOutOlder, presentVersion, type OlderVersion } from './version.ts';
import { startReadyProxy } from '../../../support/gateway/ready-proxy.ts';
import { startSupervised, type Part } from './part.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';
import { startStoryReceiver, type StoryReceiver } from './story-receiver.ts';

/** What a gateway for a fault needs beside the usual. */
export type Needs = {
  /** The API and the worker reach Postgres and Temporal through proxies. */
  readonly proxies?: boolean;
  /** Postgres stores its data on a disk of so many MiB. */
  readonly diskMiB?: number;
  /** An older version begins, and a proxy before all APIs asks `/ready`. */
  readonly older?: boolean;
};

type VersionName = 'older' | 'present';

/** The variables of one process beside the common ones. */
type Environment = Readonly<Record<string, string>>;

/** A whole gateway of its own, whose processes a fault may hit. */
export type FaultGateway = {
  readonly postgres: Part;
  readonly temporal: Part;
  readonly api: Part;
  readonly worker: Part;
  /** All parts, those that a fault has added included. */
  readonly parts: () => readonly Part[];
  readonly apiUrl: string;
  /** As the owner of the record. */
  readonly sql: Sql;
  readonly databaseUrl: string;
  readonly postgresVersion: string;
  readonly secretsKey: string;
  readonly receiver: StoryReceiver;
  readonly proxies: readonly CutProxy[];
  readonly disk: SmallDisk | null;
  readonly postgresData: string;
  readonly temporalFolder: string;
  readonly folder: string;
  readonly older: OlderVersion | null;
  /** Starts one more API or worker. */
  readonly addApi: (version?: VersionName) => Promise<Part>;
  readonly addWorker: (version?: VersionName) => Promise<Part>;
  /** The next starts of the process get these variables too. */
  readonly setEnvironment: (of: 'api' | 'worker', environment: Environment) => void;
  /** Runs `npm run doctor` with these arguments. */
  readonly doctor: (...args: readonly string[]) => Promise<Ended>;
  readonly stop: () => Promise<void>;
};

const namespace = 'default';
/** Short times, so that each story ends within seconds. */
const settings: Environment = {
  NODE_ENV: 'test',
  // It has the routes of production too.
  GATEWAY_ENVIRONMENT: 'Sandbox',
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
const apiUrlOf = (port: number): string => `http://127.0.0.1:${port}`;
const silent = (): void => undefined;

/** Starts Postgres, Temporal, one API and one worker as processes of their own, on loopback. */
export async function startFaultGateway(needs: Needs = {}): Promise<FaultGateway> {
  const { folder, guard } = await createGuardedFolder();
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
    const [postgresPort, temporalPort, apiPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const password = randomBytes(16).toString('hex');
    const postgresData = join(disk?.path ?? folder, 'postgres');
    const temporalFolder = join(folder, 'temporal');
    const parts: Part[] = [];
    const begin = async (...given: Parameters<typeof startSupervised>): Promise<Part> => {
      const part = await startSupervised(...given);
      closers.push(() => part.shutDown());
      parts.push(part);
      return part;
    };

    let server: EmbeddedPostgres | null = null;
    const cli = await findTemporalCli({
      configured: process.env['TEMPORAL_CLI'] || undefined,
      log: silent,
      guard,
    });
    const [postgres, temporal] = await Promise.all([
      begin('Postgres', async () => {
        server = await startPostgres({
          dataDir: postgresData,
          port: postgresPort,
          password,
          database: 'gateway',
          logFile: join(folder, 'postgres.log'),
          guard,
        });
        return server;
      }),
      begin('Temporal', () =>
        startTemporal({
          cli,
          databaseFile: join(temporalFolder, 'temporal.db'),
          namespace,
          port: temporalPort,
          ui: undefined,
          logFile: join(folder, 'temporal.log'),
          guard,
        }),
      ),
    ]);
    if (server === null) throw new Error('no server');
    const bundleOf = async (version: VersionName): Promise<string> => {
      const bundle = await codeOf(version).loadWorkflowBundle({});
      if ('codePath' in bundle) return bundle.codePath;
      throw new Error('the workflow bundle cannot be stored');
    };
    const { url: databaseUrl, version: postgresVersion } = server as EmbeddedPostgres;
    await codeOf(first).migrate(databaseUrl, silent);
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
    const signingKey = newSigningKey();
    const startApi = (port: number, version: VersionName) => () =>
      codeOf(version).startGatewayProcess({
        name: 'API',
        file: 'api/server.ts',
        env: {
          ...common,
          DATABASE_URL: withPort(roles.apiUrl, toPostgres),
          JWT_SIGNING_KEY: signingKey,
          PORT: String(port),
          ...own.api,
        },
        logFile: join(folder, 'api.log'),
        guard,
      });
    const startWorker = (version: VersionName) => async () =>
      codeOf(version).startGatewayProcess({
        name: 'Worker',
        file: 'worker/main.ts',
        env: {
          ...common,
          DATABASE_URL: withPort(roles.workerUrl, toPostgres),
          WORKER_HEALTH_PORT: '0',
          WORKFLOW_BUNDLE: await bundleOf(version),
          ...own.worker,
        },
        logFile: join(folder, 'worker.log'),
        guard,
      });
    const [api, worker] = await Promise.all([
      begin('API', startApi(apiPort, first)),
      begin('Worker', startWorker(first)),
    ]);
    readyProxy?.add(apiUrlOf(apiPort));
    const sql = connect(databaseUrl, { max: 8, name: 'faults' });
    closers.push(() => sql.end({ timeout: 1 }));
    return {
      postgres,
      temporal,
      api,
      worker,
      parts: () => parts,
      apiUrl: readyProxy?.url ?? apiUrlOf(apiPort),
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
      addApi: async (version = 'present') => {
        const port = await freePort();
        const part = await begin('another API', startApi(port, version));
        readyProxy?.add(apiUrlOf(port));
        return part;
      },
      addWorker: (version = 'present') => begin('another worker', startWorker(version)),
      setEnvironment: (of, environment) => {
        own[of] = environment;
      },
      doctor: (...args) =>
        runScript('scripts/doctor.ts', args, {
          DATABASE_URL: databaseUrl,
          TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
          GATEWAY_HOME: join(folder, 'home'),
        }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
