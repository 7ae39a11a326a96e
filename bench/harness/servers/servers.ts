import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createTokens, type Tokens } from '../../../api/auth/tokens.ts';
import { connect } from '../../../db/core/client.ts';
import { migrate } from '../../../db/core/migrate.ts';
import { capabilities } from '../../../domain/accounts/capabilities.ts';
import { startGatewayProcess } from '../../../embedded/processes/gateway-process.ts';
import { createWorkspace, durable, startTestPostgres } from '../../../test/support/servers.ts';
import { fixedRing, generatePrivateKey } from '../../../security/key-ring.ts';

/** Of the API and the workers. */
export const benchTaskQueue = 'bench';
const issuer = 'bench';
const unreachable = '1000000000';

/**
 * A durable Postgres of our own with the settings of `npm start`, ended with us; a guard ends it if
 * we are killed.
 */
export async function startServers() {
  const { folder, guard } = await createWorkspace();
  const signingKey = generatePrivateKey();
  const ring = fixedRing({ signingKey });
  const tokens = createTokens({ issuer, environment: 'Production', ring: () => ring });
  const secretsKey = randomBytes(32).toString('base64');
  const postgres = await startTestPostgres({ folder, guard }, durable).catch(
    async (error: unknown) => {
      await guard.release();
      throw error;
    },
  );
  return {
    postgresVersion: postgres.version,
    postgresPid: postgres.pid,
    /** Makes a migrated, empty database; returns its URL. */
    newDatabase: async (name: string): Promise<string> => {
      const sql = connect(postgres.url, { max: 1, name: 'bench' });
      await sql`create database ${sql(name)}`;
      await sql.end();
      const url = postgres.url.replace(/[^/]+$/, name);
      await migrate(url, () => undefined);
      return url;
    },
    /** The API process at its defaults, except that its limits of rates are out of reach. */
    startApi: async (databaseUrl: string, temporalPort: number | null) => {
      const environment = {
        PATH: process.env['PATH'],
        DATABASE_URL: databaseUrl,
        JWT_ISSUER: issuer,
        JWT_SIGNING_KEY: signingKey,
        SECRETS_KEY: secretsKey,
        // Never the usual port, where another gateway's Temporal may take the messages.
        TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort ?? 9}`,
        TEMPORAL_TASK_QUEUE: benchTaskQueue,
        PORT: '0',
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: unreachable,
        RATE_LIMIT_PUSH_PER_MINUTE: unreachable,
        RATE_LIMIT_BULK_ITEMS_PER_MINUTE: unreachable,
        RATE_LIMIT_JOB_ITEMS_PER_MINUTE: unreachable,
      };
      const logFile = join(folder, 'api.log');
      const child = await startGatewayProcess({
        name: 'API',
        file: 'api/server.ts',
        env: environment,
        logFile,
        guard,
      });
      return { url: child.url, pid: child.pid, ...issuers(tokens), stop: () => child.stop() };
    },
    /** A bare Fastify server over the same database. */
    startFloor: async (databaseUrl: string) => {
      const child = await startGatewayProcess({
        name: 'floor',
        file: 'bench/harness/servers/floor-process.ts',
        env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
        logFile: join(folder, 'floor.log'),
        guard,
      });
      return { url: child.url, pid: child.pid, stop: () => child.stop() };
    },
    stop: () => guard.release(),
  };
}

export type Servers = Awaited<ReturnType<typeof startServers>>;
export type Api = Awaited<ReturnType<Servers['startApi']>>;

const issuers = (tokens: Tokens) => ({
  /** Good for five minutes, so each comparison gets its own. */
  vendorToken: (vendorId: string): string =>
    tokens.issueVendorToken({
      id: vendorId,
      clientId: 'bench',
      vendorId,
      capabilities,
      environment: 'Production',
    }),
  operatorToken: (operator: { readonly id: string; readonly operatorId: string }): string =>
    tokens.issueOperatorToken({ ...operator, roles: ['Admin'], tokenGeneration: 1 }),
});
