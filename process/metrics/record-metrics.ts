import { Gauge, type Registry } from 'prom-client';

/** One reading serves all scrapes of this time. */
const cachedMs = 10_000;
/**
 * Longer than the two readings of a scrape take until their statement timeouts, and shorter than
 * the ten seconds after which Prometheus gives a scrape up and reports the process as down.
 */
const readMaxMs = 5000;

const prefix = 'vendor_gateway_';

/** The gauge of each number, with its help text. */
const gauges = {
  outboxMessages: ['outbox_messages', 'Messages that wait for the relay'],
  outboxLowPriorityMessages: ['outbox_low_priority_messages', 'Messages of low priority'],
  outboxOldestAge: ['outbox_oldest_age_seconds', 'Age of the oldest message'],
  messagesSetAside: ['outbox_set_aside_messages', 'Messages that the relay cannot read'],
  reviewsOpen: ['reviews_open', 'Offers that wait for a reviewer'],
  reviewsOldestAge: ['reviews_oldest_age_seconds', 'Age of the oldest open review'],
  agreementSwitchesUnsettled: ['agreement_switches_unsettled', 'Switches that are not stored yet'],
  agreementSwitchOldestAge: ['agreement_switch_oldest_age_seconds', 'Age of the oldest of them'],
  inspectionsOpen: ['inspections_open', 'Returns under inspection'],
  inspectionNextDeadline: ['inspection_next_deadline_seconds', 'Time to the next deadline'],
  inspectionsOverdue: ['inspections_overdue', 'Inspections that silence should have decided'],
  returnsForStaff: ['returns_for_staff', 'Inspections that wait for staff'],
  deliveriesWaiting: ['deliveries_waiting', 'Deliveries with an attempt left'],
  deliveriesOverdue: ['deliveries_overdue', 'Deliveries two minutes past their next attempt'],
  deadLetters: ['dead_letters', 'Dead letters within the retention'],
  subscriptionsInactive: ['subscriptions_inactive', 'Inactive subscriptions'],
  jobsOpen: ['jobs_open', 'Bulk jobs that are queued or run'],
  jobsOldestAge: ['jobs_oldest_age_seconds', 'Age of the oldest open bulk job'],
  snapshotOldestAge: ['snapshot_oldest_age_transactions', 'Transactions since the oldest snapshot'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
type Key = keyof typeof gauges;

const afterReadMax = (): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, readMaxMs, null).unref();
  });

/**
 * Runs `read` once for all callers of {@link cachedMs}; null when it failed, or has no result after
 * {@link readMaxMs}: a frozen Postgres ends no statement.
 */
function cached<T>(read: () => Promise<T>): () => Promise<T | null> {
  let latest: { readonly at: number; readonly value: Promise<T | null> } | null = null;
  return () => {
    if (latest === null || performance.now() - latest.at > cachedMs)
      latest = {
        at: performance.now(),
        value: Promise.race([read().catch(() => null), afterReadMax()]),
      };
    return latest.value;
  };
}

/**
 * Registers gauges of the record, which `read` reads from Postgres at a scrape, with a short
 * timeout. While Postgres does not answer, the gauges have no value.
 */
export function addRecordMetrics(
  registry: Registry,
  read: () => Promise<Readonly<Record<Key, number | null>>>,
): void {
  const record = cached(read);
  for (const [key, [name, help]] of Object.entries(gauges)) {
    const gauge = new Gauge({
      name: prefix + name,
      help,
      registers: [registry],
      collect: async () => {
        const value = (await record())?.[key as Key] ?? null;
        if (value === null) gauge.remove();
        else gauge.set(value);
      },
    });
  }
}

/**
 * Registers the connections of the gateway's pools. Only connections of the gateway's own role show
 * their state.
 */
export function addPoolMetrics(
  registry: Registry,
  read: () => Promise<
    readonly { readonly pool: string; readonly state: string; readonly connections: number }[]
  >,
): void {
  const pools = cached(read);
  const gauge = new Gauge({
    name: `${prefix}database_connections`,
    help: 'Connections of the gateway to Postgres, by pool and state',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect: async () => {
      const uses = (await pools()) ?? [];
      gauge.reset();
      for (const { pool, state, connections } of uses) gauge.set({ pool, state }, connections);
    },
  });
}
