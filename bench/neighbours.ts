import { setTimeout as delay } from 'node:timers/promises';
import { seedLargeResults } from '../test/support/seeds/large-results.ts';
import { seedVariant } from '../test/support/seeds/seed.ts';
import { advancesBeside } from './clock/advances-beside.ts';
import { attackNames, type AttackName, type AttackQuestion } from './harness/attacks/attacks.ts';
import type { ResponseCounts } from './harness/attacks/attackers.ts';
import type { Benchmark, BenchmarkContext } from './harness/benchmark.ts';
import { forkProgram } from './harness/fork-program.ts';
import { createHttpClient } from './harness/http-client.ts';
import { besideCells, besideHeader, newBeside, requireRatio } from './harness/measures/beside.ts';
import { pacedLoad, quantile, type Work } from './harness/measures/load.ts';
import { cpuMs } from './harness/measures/cpu.ts';
import { memoryOf } from './harness/measures/memory.ts';
import { seedBenchVendor, seedOffers, offerIds, settle } from './harness/seed.ts';
import { table } from './harness/table.ts';

const offers = 200_000;
/** Offers of the heavy vendor with a long history each: the newest ones, which page 1 has. */
const edited = { offers: 100, changes: 2000 };
const attackMs = 5000;
/** An attack begins so long before it is measured, and ends as long afterwards. */
const leadMs = 500;
const wholeMs = attackMs + 2 * leadMs;
const rounds = 2;
/** The vendor beside it: a read, a push and a page of its own in turn. */
const perSecond = 40;
const ratioMax = 3;
/** What an attack may add to the memory of the API. */
const memoryMbMax = 250;
/** The processor time that a response to an attack may cost the API. */
const cpuMsMax = 40;

const offersPath = '/api/v1/scent/offers';

/** One vendor takes all it can get in several ways; another vendor must not notice. */
export const neighbours: Benchmark = {
  name: 'neighbours',
  title: 'A vendor beside a heavy one',
  hasTemporal: true,
  run: async (context) => {
    const asked = attackNames().filter((name) => context.isAsked(name));
    if (asked.length > 0) await besideAttacks(context, asked);
    if (context.isAsked('advances of clocks')) await advancesBeside(context);
  },
};

async function besideAttacks(
  context: BenchmarkContext,
  names: readonly AttackName[],
): Promise<void> {
  const { sql, api, print, say } = context;
  const variantId = await seedVariant(sql);
  const [heavy, other] = [await seedBenchVendor(sql), await seedBenchVendor(sql)];
  say(`making ${offers} offers`);
  await seedOffers(context, { vendorId: heavy, variantId, count: offers });
  await seedOffers(context, { vendorId: other, variantId, count: 1000 });
  await seedHistory(context, heavy);
  const target = { origin: api.url, jobId: await seedLargeResults(context.patientSql, heavy) };
  await settle(context);
  const file = new URL('harness/attacks/attacker-process.ts', import.meta.url);
  // In a process of its own: what an attack costs its sender must not delay the other vendor.
  const attacker = forkProgram<AttackQuestion, ResponseCounts>(file);
  const measured: Awaited<ReturnType<typeof attack>>[] = [];
  for (const name of names) {
    say(name);
    const attackWith = (token: string) => attacker.ask({ ...target, name, token, ms: wholeMs });
    measured.push(await attack(context, { heavy, other, name, attackWith }));
  }
  attacker.stop();
  print(`Another vendor, ${perSecond} calls a second, beside each attack:`);
  print(table(besideHeader, measured.map(besideCells)));
  print(
    table(
      ['', '/health p99 ms', 'calls per s', 'refused', 'API ms a response', 'MB above quiet'],
      measured.map(({ name, healthMs, accepted, refused, addedCpuMs, addedMb }) => [
        name,
        quantile(healthMs, 0.99),
        accepted / rounds / (wholeMs / 1000),
        refused,
        addedCpuMs ?? '',
        addedMb,
      ]),
    ),
  );
  requireRatio(measured, ratioMax);
  const costly = measured.find(({ addedCpuMs }) => (addedCpuMs ?? 0) > cpuMsMax);
  if (costly) throw new Error(`a response to ${costly.name} costs more than ${cpuMsMax} ms`);
  const most = Math.max(...measured.map(({ addedMb }) => addedMb));
  if (most > memoryMbMax) throw new Error(`an attack adds ${most.toFixed(0)} MB to the API`);
}

type Attack = {
  readonly heavy: string;
  readonly other: string;
  readonly name: string;
  readonly attackWith: (token: string) => Promise<ResponseCounts>;
};

/** Quiet and attacked in turn, so that whatever else the machine does meets both. */
async function attack(context: BenchmarkContext, { heavy, other, name, attackWith }: Attack) {
  const { api } = context;
  const neighbour = await createNeighbour(context, other);
  const measured = { ...newBeside(name), healthMs: [] as number[] };
  const total = { accepted: 0, refused: 0 };
  let cpuOfAttackMs = 0;
  let addedMb = 0;
  for (let round = 0; round <= rounds; round += 1) {
    // A token is good for five minutes.
    const tokens = { heavy: api.vendorToken(heavy), other: api.vendorToken(other) };
    const quiet = await neighbour.watch(attackMs, tokens.other);
    const attacking = attackWith(tokens.heavy);
    await delay(leadMs);
    const beside = await neighbour.watch(attackMs, tokens.other);
    const { accepted, refused } = await attacking;
    // The first round warms the processes up.
    if (round === 0) continue;
    measured.quietMs.push(...quiet.callsMs);
    measured.besideMs.push(...beside.callsMs);
    measured.healthMs.push(...beside.healthMs);
    total.accepted += accepted;
    total.refused += refused;
    addedMb = Math.max(addedMb, beside.memoryMb - quiet.memoryMb);
    cpuOfAttackMs += Math.max(0, beside.spentMs - quiet.spentMs);
  }
  await neighbour.close();
  // The processor time was measured for a part of the attack.
  const responses = (total.accepted + total.refused) * (attackMs / wholeMs);
  const addedCpuMs = responses === 0 ? null : cpuOfAttackMs / responses;
  return {
    ...measured,
    ...total,
    /** What the attack adds to the API's processor time for each response; null without any. */
    addedCpuMs,
    /** The most memory of the API under attack, above its most before the attacks. */
    addedMb,
  };
}

/** Of another network than the attackers, whose log-ins have a limit of their own. */
const neighbourAddress = '127.1.0.1';

/** The vendor beside the attack: a read, a push and a page of its own in turn; and log-ins. */
async function createNeighbour({ api, sql }: BenchmarkContext, vendorId: string) {
  const http = createHttpClient(api.url, 8, neighbourAddress);
  const ids = await offerIds(sql, vendorId, 500);
  const callsOf = (token: string): Work => {
    return (operation) => {
      const offer = `${offersPath}/${ids[operation % ids.length] ?? ''}`;
      const body = { declaredInStock: true, declaredStockQuantity: 1 + (operation % 97) };
      if (operation % 3 === 1) return http.request('PATCH', `${offer}/stock`, { body, token });
      const path = operation % 3 === 0 ? offer : `${offersPath}?page=2`;
      return http.request('GET', path, { token });
    };
  };
  /** A log-in without a credential has errors in its fields; any other response refuses log-ins. */
  const tryLogIn = async (): Promise<void> => {
    const logIn = http.request('POST', '/api/v1/auth/token', { body: {} });
    const failure: unknown = await logIn.catch((error: unknown) => error);
    if (!(failure instanceof Error) || !failure.message.includes('VALIDATION_ERRORS'))
      throw failure;
  };
  return {
    watch: async (ms: number, token: string) => {
      const over = AbortSignal.timeout(ms);
      let memoryMb = 0;
      const readMemory = async (): Promise<void> => {
        memoryMb = Math.max(memoryMb, memoryOf(api.pid).rssMb);
      };
      const before = cpuMs(api.pid);
      const [calls, checks] = await Promise.all([
        pacedLoad(callsOf(token), perSecond, over),
        pacedLoad(() => http.request('GET', '/health'), 10, over),
        pacedLoad(tryLogIn, 5, over),
        pacedLoad(readMemory, 4, over),
      ]);
      const spentMs = cpuMs(api.pid) - before;
      return { callsMs: calls.latenciesMs, healthMs: checks.latenciesMs, memoryMb, spentMs };
    },
    close: () => http.close(),
  };
}

async function seedHistory({ patientSql: sql }: BenchmarkContext, vendorId: string): Promise<void> {
  await sql`
    insert into offer_status_changes (offer_id, from_status, to_status, reason, at)
    select offer.id, 'PendingReview', 'Approved', 'Change ' || n || ' of many', offer.created_at
    from (
      select id, created_at from offers where vendor_id = ${vendorId}
      order by created_at desc limit ${edited.offers}
    ) as offer, generate_series(1, ${edited.changes}::int) as n`;
}
