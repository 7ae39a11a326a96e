import { loadavg } from 'node:os';
import type { Benchmark, BenchmarkContext } from '../harness/benchmark.ts';
import { withDrivenGateway, type DrivenGateway } from '../harness/delivery/gateway.ts';
import { connectionsMax, createHttpClient } from '../harness/http-client.ts';
import { inParallel } from '../harness/in-parallel.ts';
import { cycle } from '../harness/measures/cycle.ts';
import { memoryOf, type Memory } from '../harness/measures/memory.ts';
import { seedOwnedOffers } from '../harness/seed-vendors.ts';
import { settle } from '../harness/seed.ts';
import { table } from '../harness/table.ts';
import { until } from '../harness/until.ts';
import { judgeGrowth } from '../harness/verdicts/growth-verdict.ts';
import { seedVariant } from '../../test/support/seeds/seed.ts';

const readsPerEvent = 5;
/** Memory is sampled after each. */
const parts = 100;

/** Resident memory in MB. The others are not the gateway's own programs. */
const limitsMb: Readonly<Record<string, number>> = { API: 200, worker: 300 };

/** A proof: the memory of the gateway's processes stays bounded over many events and reads. */
export const endurance: Benchmark = {
  name: 'endurance',
  title: 'Memory over many events and reads',
  hasTemporal: true,
  run: (context) => withDrivenGateway(context, {}, (driven) => prove(context, driven)),
};

async function prove(
  context: BenchmarkContext,
  { receiver, driver, gateway }: DrivenGateway,
): Promise<void> {
  const { events, print, say } = context;
  const reader = await createReader(context);
  const count = Math.ceil(events / parts);
  const task = { kind: 'burst', count, connections: connectionsMax } as const;
  const samples: Sample[] = [];
  const begunAt = performance.now();
  for (let part = 1; part <= parts; part += 1) {
    await receiver.begin();
    await Promise.all([
      driver.ask({ target: gateway.target(), task }),
      reader.readAll(count * readsPerEvent),
    ]);
    await until(async () => (await receiver.count()) >= count);
    const memory = Object.fromEntries(
      Object.entries(gateway.processes()).map(([name, pid]) => [name, memoryOf(pid)]),
    );
    samples.push(memory);
    const texts = Object.entries(memory).map(([name, { rssMb }]) => `${name} ${rssMb.toFixed(0)}`);
    if (part % 5 === 0) say(`${part * count} events: ${texts.join(', ')} MB`);
  }
  await reader.close();
  const seconds = Math.round((performance.now() - begunAt) / 1000);
  print(
    `${count * parts} events and ${count * parts * readsPerEvent} reads in ${seconds} s ` +
      `(load ${(loadavg()[0] ?? 0).toFixed(1)}), MB:`,
  );
  const problems = report(context, samples);
  if (problems.length > 0) throw new Error(`not as it should be: ${problems.join('; ')}`);
}

type Sample = Readonly<Record<string, Memory>>;

/**
 * The processes of Postgres share most of their pages, so a sum of resident memory says nothing.
 */
function report({ print }: BenchmarkContext, samples: readonly Sample[]): readonly string[] {
  const growths = Object.keys(samples[0] ?? {}).map((name) => {
    const limitMb = limitsMb[name] ?? null;
    const memoryOfEach = samples.map((sample) => sample[name]);
    const values = memoryOfEach.map((memory) => (limitMb === null ? memory?.pssMb : memory?.rssMb));
    const samplesMb = values.map((value) => value ?? Number.NaN);
    return { limitMb, ...judgeGrowth(name, samplesMb, limitMb) };
  });
  print(
    table(
      ['', 'measure', 'after a tenth', 'at the end', 'most', 'limit'],
      growths.map(({ name, limitMb, earlyMb, lateMb, maxMb }) => [
        name,
        limitMb === null ? 'PSS' : 'RSS',
        earlyMb,
        lateMb,
        maxMb,
        limitMb === null ? '' : String(limitMb),
      ]),
    ),
  );
  return growths.flatMap((growth) => growth.problems);
}

/** Vendors who read single offers, and pages of offers, in turns. */
async function createReader(context: BenchmarkContext) {
  const { api, sql } = context;
  const next = cycle(await seedOwnedOffers(context, { variantId: await seedVariant(sql) }));
  await settle(context);
  const http = createHttpClient(api.url);
  return {
    readAll: async (count: number): Promise<void> => {
      // Good for five minutes: more than one part takes.
      const tokens = new Map<string, string>();
      const tokenOf = (vendorId: string): string => {
        const token = tokens.get(vendorId) ?? api.vendorToken(vendorId);
        tokens.set(vendorId, token);
        return token;
      };
      await inParallel({ count, atOnce: connectionsMax }, (number) => {
        const { offerId, vendorId } = next();
        const path = `/api/v1/scent/offers${number % 5 === 0 ? '' : `/${offerId}`}`;
        return http.request('GET', path, { token: tokenOf(vendorId) });
      });
    },
    close: () => http.close(),
  };
}
