import { Counter, Gauge, type Registry } from 'prom-client';
import type { AttemptResult } from '../../db/webhooks/attempts/record-attempts.ts';
import type { HostSlots } from '../../deliveries/host-slots.ts';

/**
 * The most hosts with a value of their own. Vendors choose the host names, so they need a limit.
 */
const hostsMax = 20;

const outcomes = ['succeeded', 'retried', 'deadLettered', 'cancelled', 'failed'] as const;

/** The outcome of an attempt, in the words of the API. */
const outcomeOf = ({ succeeded, state }: AttemptResult): (typeof outcomes)[number] =>
  succeeded ? 'succeeded' : state === 'waiting' ? 'retried' : state;

/** Requests in progress by host, of all vendors. Beyond the busiest hosts, the sum is `others`. */
export function busiestHosts(slots: Pick<HostSlots, 'inProgress'>): ReadonlyMap<string, number> {
  const byHost = new Map<string, number>();
  for (const [receiver, taken] of slots.inProgress()) {
    const host = receiver.slice(receiver.indexOf(' ') + 1);
    byHost.set(host, (byHost.get(host) ?? 0) + taken);
  }
  const sorted = [...byHost].toSorted(([, one], [, other]) => other - one);
  const rest = sorted.slice(hostsMax).reduce((sum, [, taken]) => sum + taken, 0);
  return new Map([
    ...sorted.slice(0, hostsMax),
    ...(rest === 0 ? [] : [['others', rest] as const]),
  ]);
}

/**
 * Registers the metrics of this worker's attempts. The returned function is called with each stored
 * result.
 */
export function addDeliveryMetrics(
  registry: Registry,
  slots: () => Pick<HostSlots, 'inProgress'> | null,
): (result: AttemptResult) => void {
  const attempts = new Counter({
    name: 'vendor_gateway_delivery_attempts_total',
    help: 'Attempts by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Prometheus sees no increase in the first value of a series, and no alert would fire for it.
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);
  const inProgress = new Gauge({
    name: 'vendor_gateway_delivery_attempts_in_progress',
    help: 'Requests in progress by host',
    labelNames: ['host'],
    registers: [registry],
    collect: () => {
      inProgress.reset();
      const taken = slots();
      for (const [host, count] of taken === null ? [] : busiestHosts(taken))
        inProgress.set({ host }, count);
    },
  });
  return (result) => attempts.inc({ outcome: outcomeOf(result) });
}
