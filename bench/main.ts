import getPort from 'get-port';
import { connect, type Pool } from '../db/core/client.ts';
import { readCommandLine } from '../scripts/command-line.ts';
import { clockAdvances } from './clock/clock-advances.ts';
import { endurance } from './deliveries/endurance.ts';
import { heldSnapshot } from './deliveries/held-snapshot.ts';
import type { Benchmark } from './harness/benchmark.ts';
import { machine } from './harness/measures/machine.ts';
import { startServers, type Servers } from './harness/servers/servers.ts';
import { httpFloor } from './http-floor.ts';
import { hostileReceivers } from './deliveries/hostile-receivers.ts';
import { jobs } from './jobs.ts';
import { lists } from './lists.ts';
import { neighbours } from './neighbours.ts';
import { queue } from './queue.ts';
import { recurring } from './recurring/recurring.ts';
import { webhooks } from './deliveries/webhooks.ts';
import { webhooksKilled } from './deliveries/webhooks-killed.ts';

/** `npm run bench`: measures the gateway against itself, floors and peers. See README.md. */

const usage = `\
npm run bench -- [NAME]… [--line PART]… [--explain] [--quick] [--kills N] [--minutes N]
npm run bench -- --endurance [--events N]`;

const benchmarks: readonly Benchmark[] = [
  httpFloor,
  jobs,
  lists,
  neighbours,
  queue,
  recurring,
  clockAdvances,
  webhooks,
  webhooksKilled,
  hostileReceivers,
  heldSnapshot,
];

const print = (text: string): void => {
  console.log(`${text}\n`);
};
// Results on stdout, the rest on stderr: `npm run -s bench > results.md`.
const say = (text: string): void => {
  console.error(`  … ${text}`);
};

const { values, positionals } = readCommandLine(usage, {
  allowPositionals: true,
  options: {
    explain: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    endurance: { type: 'boolean', default: false },
    events: { type: 'string', default: '200000' },
    line: { type: 'string', multiple: true, default: [] },
    kills: { type: 'string', default: '5' },
    minutes: { type: 'string', default: '10' },
  },
});
const unknown = positionals.filter((name) =>
  benchmarks.every((benchmark) => benchmark.name !== name),
);
if (unknown.length > 0) {
  console.error(
    `No benchmark ${unknown.join(', ')}: ${benchmarks.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}
const chosen = values.endurance
  ? [endurance]
  : benchmarks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

/** The gateway's own pool but for the time limit, which it sends when it connects. */
function patient(databaseUrl: string): Pool {
  const sql = connect(databaseUrl, { max: 4, name: 'bench, patient' });
  Object.assign(sql.options.connection, { statement_timeout: 0 });
  return sql;
}

async function runIn(
  servers: Servers,
  { name, title, hasTemporal = false, run }: Benchmark,
): Promise<void> {
  const databaseUrl = await servers.newDatabase(`bench_${name}`);
  const sql = connect(databaseUrl, { max: 10, name: 'bench' });
  const patientSql = patient(databaseUrl);
  const temporalPort = hasTemporal ? await getPort({ host: '127.0.0.1' }) : null;
  const api = await servers.startApi(databaseUrl, temporalPort);
  try {
    print(`## ${title}`);
    const { postgresPid } = servers;
    const asked = {
      explains: values.explain,
      isQuick: values.quick,
      events: Number(values.events),
      kills: Number(values.kills),
      minutes: Number(values.minutes),
      isAsked: (line: string) =>
        values.line.length === 0 || values.line.some((part) => line.includes(part)),
      machine: machine(servers.postgresVersion),
      temporalPort,
    };
    const startFloor = () => servers.startFloor(databaseUrl);
    await run({ databaseUrl, sql, patientSql, api, startFloor, postgresPid, print, say, ...asked });
  } finally {
    await api.stop();
    await Promise.all([sql.end({ timeout: 5 }), patientSql.end({ timeout: 5 })]);
  }
}

const servers = await startServers();
try {
  const command = [
    'npm run bench',
    ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : []),
  ].join(' ');
  print(`Measured on ${machine(servers.postgresVersion)}, \`${command}\``);
  for (const benchmark of chosen) await runIn(servers, benchmark);
} finally {
  await servers.stop();
}
