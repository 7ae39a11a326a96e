import { loadavg } from 'node:os';
import { readFileSync } from 'node:fs';
import { cpuMs } from './cpu.ts';

/** Busy time of all processors since the start of the machine; see proc(5). */
function busyMs(): number {
  const [, user, nice, system, , , irq, softirq] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  ).split(/\s+/);
  return (
    [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks ?? 0), 0) * 10
  );
}

const ownMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Begins to count the processor time of some processes, and of everything else on the machine; the
 * returned function counts until its call. `client` is this process.
 */
export function countCpu(pids: Readonly<Record<string, number>>) {
  const look = () =>
    Object.fromEntries([
      ...Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)] as const),
      ['client', ownMs()],
    ]);
  const before = look();
  const busyBefore = busyMs();
  return () => {
    const after = look();
    const ms = Object.fromEntries<number>(
      Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]),
    );
    const counted = Object.values(ms).reduce((sum, value) => sum + value, 0);
    return { ms, othersMs: Math.max(0, busyMs() - busyBefore - counted), load: loadavg()[0] ?? 0 };
  };
}
export type CpuShare = ReturnType<ReturnType<typeof countCpu>>;
