import * as v from 'valibot';
import { moveReturnTo, seedReturn } from '../../../support/returns/seed-returns.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { firstWrong } from './events.ts';
import { rowOf, type Story } from './story.ts';

const times = { startMs: 500, windowMs: 1500, closingMs: 0 };

type Received = {
  readonly id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly isByStaff: boolean;
  readonly isEarly: boolean;
  readonly dueMs: number;
  readonly repeated: number;
};

/** A vendor receives a return and proposes nothing, so that the service decides at the deadline. */
export const silence: Story = {
  title: 'return by silence',
  course: 'A vendor receives a return and proposes nothing; the service decides at the deadline.',
  everyMs: 500,
  openMax: 40,
  turnsMax: 160,
  isRepeatable: true,
  prepare: async ({ sql, clients, turnsMax }) => {
    const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
    const vendor = await clients.vendor(vendorId);
    const seed = async (): Promise<string> => {
      const made = await seedReturn(sql, { vendorId, variantId, times });
      return (await moveReturnTo(sql, made, 'InTransit')).id;
    };
    const ids = await Promise.all(Array.from({ length: turnsMax }, seed));
    const received = v.object({ status: v.string() });
    return {
      play: async ({ number, persist }) => {
        const id = ids[number] ?? '';
        const path = `/api/v1/scent/returns/${id}`;
        await persist(id, async () => {
          const { status } = await vendor.expect(`GET ${path}`, received);
          // Otherwise an earlier call was applied, and its response was lost.
          if (status === 'InTransit') await vendor.expect(`PATCH ${path}/received`, received);
        });
      },
      read: async () => {
        const rows = await sql<Received[]>`
          select id, status, outcome, decided_by is not null as is_by_staff,
            inspection_decided_at < inspection_deadline as is_early,
            extract(epoch from coalesce(
              inspection_deadline, received_at + ${times.startMs + times.windowMs}
                * interval '1 millisecond'
            ))::float8 * 1000 as due_ms,
            (
              select coalesce(sum(changes - 1), 0)::int from (
                select count(*) as changes from return_status_changes
                where return_id = request.id group by to_status
              ) as status
            ) as repeated
          from return_requests as request
          where id = any(${ids}::uuid[]) and received_at is not null`;
        return rows.map(({ id, status, outcome, isByStaff, isEarly, dueMs, repeated }) =>
          rowOf(id, {
            isEnded: outcome !== null,
            doubled: repeated,
            wrong: firstWrong(
              outcome !== null && outcome !== 'AcceptedDefect' ? `return ${id} is ${status}` : null,
              isByStaff ? `staff decided return ${id}` : null,
              isEarly ? `return ${id} was decided before its deadline` : null,
            ),
            dueMs,
          }),
        );
      },
    };
  },
};
