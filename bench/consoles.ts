import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { insertSession } from '../db/accounts/operator-sessions.ts';
import { upsertOperator } from '../db/accounts/operators.ts';
import { newSecret, sha256 } from '../security/secrets.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { countCpu } from './harness/measures/cpu-share.ts';
import { catalogMix, seedBenchVendor, seedOffers, settle } from './harness/seed.ts';
import { table } from './harness/table.ts';

const consolesCount = 50;
/** As in the browser's module. */
const intervalMs = 5000;
const offersCount = 30_000;

/** What the API spends on open consoles, whose live views read themselves again. */
export const consoles: Benchmark = {
  name: 'consoles',
  title: 'Open consoles',
  run: async (context) => {
    const { sql, print, isQuick } = context;
    const variantId = await seedVariant(sql);
    const vendorId = await seedBenchVendor(sql);
    await seedOffers(context, { vendorId, variantId, count: offersCount, mix: catalogMix });
    await settle(context);
    const cookies = await Promise.all(Array.from({ length: consolesCount }, () => signIn(context)));
    const rows = [];
    for (const path of ['/console', '/console/offers'])
      rows.push(await measure(context, { path, cookies, seconds: isQuick ? 10 : 60 }));
    print(
      `${consolesCount} consoles over ${offersCount} offers, each read every ` +
        `${intervalMs / 1000} s:`,
    );
    const header = ['View', 'Reads', 'Of them 304', 'API, % of a core', 'Postgres, % of a core'];
    print(table(header, rows));
  },
};

/** A new operator with a session; returns its cookie. */
async function signIn({ sql }: BenchmarkContext): Promise<string> {
  const id = uuidv7();
  const sessionId = newSecret('cs');
  const secretSha256 = sha256(newSecret('os'));
  await upsertOperator(sql, { id, operatorId: `bench-${id}`, secretSha256, roles: ['Admin'] });
  await insertSession(sql, sha256(sessionId), { id, tokenGeneration: 1 });
  return `console=${sessionId}`;
}

/** Each console reads the view as the browser's module does, at its own moments. */
async function measure(
  { api, postgresPid }: BenchmarkContext,
  asked: {
    readonly path: string;
    readonly cookies: readonly string[];
    readonly seconds: number;
  },
) {
  const { path, cookies, seconds } = asked;
  let reads = 0;
  let unchanged = 0;
  const open = async (cookie: string, at: number): Promise<void> => {
    await sleep((at * intervalMs) / consolesCount);
    let etag = '';
    for (let left = (seconds * 1000) / intervalMs; left > 0; left -= 1) {
      const headers = { cookie, 'x-live': 'true', 'if-none-match': etag };
      const answer = await fetch(api.url + path, { headers, redirect: 'manual' });
      await answer.text();
      if (answer.status !== 200 && answer.status !== 304) throw new Error(`${answer.status}`);
      etag = answer.headers.get('etag') ?? '';
      reads += 1;
      if (answer.status === 304) unchanged += 1;
      await sleep(intervalMs);
    }
  };
  const spent = countCpu({ api: api.pid, postgres: postgresPid });
  const started = process.hrtime.bigint();
  await Promise.all(cookies.map(open));
  const elapsedMs = Number(process.hrtime.bigint() - started) / 1e6;
  const { api: apiMs = 0, postgres = 0 } = spent().ms;
  return [path, reads, unchanged, (100 * apiMs) / elapsedMs, (100 * postgres) / elapsedMs] as const;
}
