import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { createTokens, type Tokens } from '../../api/auth/tokens.ts';
import { startGatewayChild } from '../../scripts/gateway-child.ts';
import { startGuard } from '../../scripts/guard.ts';
import { fixedRing } from '../../security/key-ring.ts';
import { newSigningKey } from '../../test/security/signing-key.ts';

const memory = v.object({
  type: v.literal('memory'),
  rss: v.number(),
  heapUsed: v.number(),
  external: v.number(),
});

export type Memory = { readonly rss: number; readonly live: number };

/** The API process as production runs it, with its default settings but for the rate limits, and a probe that looks at its memory. */
export type ProbedApi = {
  readonly url: string;
  readonly pid: number;
  readonly tokens: Tokens;
  /** What is left after garbage was collected: resident, and in use in the heap and beside it. */
  readonly memory: () => Promise<Memory>;
  /** Whether it is still the same process that began. */
  readonly isAlive: () => boolean;
  readonly stop: () => Promise<void>;
};

const probe = fileURLToPath(new URL('probe.mjs', import.meta.url));
const unreachable = '1000000000';

export async function startProbedApi(databaseUrl: string): Promise<ProbedApi> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-gateway-bench-'));
  const guard = startGuard();
  guard.removeAtEnd(folder);
  const signingKey = newSigningKey();
  const ring = fixedRing({ signingKey });
  const issuer = 'bench';
  const child = await startGatewayChild({
    name: 'API',
    file: 'api/server.ts',
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: `--import=${probe}`,
      DATABASE_URL: databaseUrl,
      JWT_ISSUER: issuer,
      JWT_SIGNING_KEY: signingKey,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_PER_MINUTE: unreachable,
      RATE_LIMIT_PUSH_PER_MINUTE: unreachable,
      RATE_LIMIT_TOKEN_ADDRESS_PER_MINUTE: unreachable,
    },
    logFile: join(folder, 'api.log'),
    guard,
  }).catch(async (error: unknown) => {
    await guard.release();
    throw error;
  });
  return {
    url: child.url,
    pid: child.pid,
    tokens: createTokens({ issuer, ring: () => ring }),
    memory: () => askMemory(child.process),
    isAlive: () => !child.hasExited(),
    stop: async () => {
      await child.stop();
      await guard.release();
    },
  };
}

function askMemory(
  child: Awaited<ReturnType<typeof startGatewayChild>>['process'],
): Promise<Memory> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the API ended'));
    const onMessage = (message: unknown): void => {
      const parsed = v.safeParse(memory, message);
      if (!parsed.success) return;
      child.off('message', onMessage).off('exit', onExit);
      const { rss, heapUsed, external } = parsed.output;
      resolve({ rss, live: heapUsed + external });
    };
    child.on('message', onMessage).once('exit', onExit).send('memory');
  });
}
