import { createOrder } from '../../../../scripts/demo/api-calls.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { firstWrong, readEvents, subscribe, sumOf } from './events.ts';
import { rowOf, type PreparedStory, type Story, type StoryContext } from './story.ts';

const eventType = 'vendor.order.assigned';
const quantity = 3;

type Group = {
  readonly key: string;
  readonly id: string;
  readonly copies: number;
  readonly lines: number;
  readonly audited: number;
};

/** Orders of one group for a vendor with one receiver; each is one event. */
async function prepareOrders(context: StoryContext, url: string): Promise<PreparedStory> {
  const { sql, clients, drill } = context;
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  await subscribe(context, vendorId, { url, eventType });
  return {
    play: ({ attempt }) =>
      attempt((key) =>
        createOrder(clients.operator, [
          {
            vendorId,
            carrier: 'Other',
            // The one text of an order that is the client's own.
            carrierNameOther: `${drill} ${key}`,
            lines: [{ variantId, quantity }],
          },
        ]),
      ),
    read: async () => {
      const groups = await sql<Group[]>`
        select carrier_name_other as key, id,
          count(*) over (partition by carrier_name_other)::int as copies,
          (select sum(quantity)::int from order_lines where group_id = groups.id) as lines,
          (
            select count(*)::int from audit_log
            where subject_id = groups.order_id and action = 'order.create'
          ) as audited
        from fulfilment_groups as groups where vendor_id = ${vendorId}`;
      const events = await readEvents(context, vendorId, ({ groupId }) => groupId);
      return groups.map(({ key, id, copies, lines, audited }) => {
        const seen = events.get(id) ?? [];
        return rowOf(key.slice(drill.length + 1), {
          isEnded: seen.length > 0 && seen.every(({ isDelivered }) => isDelivered),
          doubled:
            copies -
            1 +
            Math.max(0, audited - 1) +
            Math.max(0, seen.length - 1) +
            sumOf(seen.map(({ doubled }) => doubled)),
          wrong: firstWrong(
            lines === quantity ? null : `group ${id} has ${lines} pieces, not ${quantity}`,
            audited === 0 ? `the order of group ${id} has no audit entry` : null,
            seen.length === 0 ? `group ${id} has no event` : null,
            ...seen.map(({ wrong }) => wrong),
          ),
        });
      });
    },
  };
}

/** An operator creates an order, and the vendor's receiver takes its event at once. */
export const orderIntake: Story = {
  title: 'order intake',
  course: 'An operator creates an order, and the webhook with the assignment arrives.',
  everyMs: 250,
  openMax: 60,
  turnsMax: 600,
  isRepeatable: false,
  prepare: (context) => prepareOrders(context, context.receiver.steadyUrl),
};

/** The vendor's receiver refuses each event once, so that a run of its own delivers it. */
export const delivery: Story = {
  title: 'delivery',
  course: 'Like order intake, but the receiver refuses each event once, so that it is retried.',
  everyMs: 400,
  openMax: 40,
  turnsMax: 400,
  isRepeatable: false,
  prepare: (context) => prepareOrders(context, context.receiver.flakyUrl),
};
