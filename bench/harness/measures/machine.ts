import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** What the figures were measured on, as one line of Markdown. */
export function machine(postgresVersion: string): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  return [
    `${availableParallelism()} cores (${model})`,
    `${memoryGib} GiB`,
    `Node ${process.version}`,
    `PostgreSQL ${postgresVersion}`,
    // Well above 0: others were at work, and only the ratios of one round say something.
    `load ${(loadavg()[0] ?? 0).toFixed(1)} before`,
    new Date().toISOString().slice(0, 10),
  ].join(', ');
}
