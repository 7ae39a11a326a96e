import { emitEvents, newEvent } from '../../../../db/webhooks/webhook-events.ts';
import { seedVendor } from '../../../support/seeds/seed.ts';
import { firstWrong, readEvents, subscribe, sumOf } from './events.ts';
import { rowOf, type Row, type Story, type StoryContext } from './story.ts';

const eventType = 'vendor.order.assigned';
const burstSize = 40;

/** Bursts of events of one vendor, each burst in one transaction. */
export async function prepareBursts(context: StoryContext, size: number) {
  const { sql, receiver } = context;
  const vendorId = await seedVendor(sql);
  await subscribe(context, vendorId, { url: receiver.steadyUrl, eventType });
  return {
    emit: async (key: string): Promise<void> => {
      const events = Array.from({ length: size }, () =>
        newEvent({ eventType, vendorId, occurredAt: new Date(), data: { burst: key } }),
      );
      await emitEvents(sql, ...events);
    },
    read: async (): Promise<readonly Row[]> => {
      const bursts = await readEvents(context, vendorId, ({ burst }) => burst);
      return [...bursts].map(([key, events]) =>
        rowOf(key, {
          isEnded: events.every(({ isDelivered }) => isDelivered),
          doubled: sumOf(events.map(({ doubled }) => doubled)),
          wrong: firstWrong(
            events.length === size ? null : `burst ${key} has ${events.length} of ${size} events`,
            ...events.map(({ wrong }) => wrong),
          ),
        }),
      );
    },
  };
}

/** A burst of events. */
export const deliveryBurst: Story = {
  title: 'burst of deliveries',
  course: '40 events of one vendor at once; the worker sends each once.',
  everyMs: 2000,
  openMax: 10,
  turnsMax: 80,
  isRepeatable: false,
  prepare: async (context) => {
    const { emit, read } = await prepareBursts(context, burstSize);
    return { play: ({ attempt }) => attempt((key) => emit(key)), read };
  },
};
