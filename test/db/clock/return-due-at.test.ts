import { expect } from 'vitest';
import { findReturn } from '../../../db/returns/return-requests.ts';
import { isTimed } from '../../../db/returns/timed-returns.ts';
import { dueStep } from '../../../domain/returns/return-request.ts';
import { returnStatuses } from '../../../domain/returns/return-status.ts';
import { seedReturn } from '../../support/returns/seed-returns.ts';
import { seedVariant, seedVendor } from '../../support/seeds/seed.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

test('agrees with the domain on whether and when the next step of a return is due', async ({
  sql,
}) => {
  const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
  const { id } = await seedReturn(sql, { vendorId, variantId });
  const at = new Date('2026-03-01T10:00:00.000Z');
  const due = new Set<string>();
  for (const status of returnStatuses)
    for (const proposed of [null, 'AcceptedSound'])
      for (const isStaff of [true, false])
        for (const announcedAt of [null, at])
          for (const closingMs of [0, 3_600_000, 400_000_000]) {
            await sql`
              update return_requests set status = ${status}, proposed_outcome = ${proposed},
                requires_staff_review = ${isStaff}, closing_announced_at = ${announcedAt},
                inspection_closing_ms = ${closingMs}, inspection_window_ms = 86400000, received_at = ${at},
                inspection_deadline = ${new Date(at.getTime() + 86_400_000)}
              where id = ${id}`;
            const [row] = await sql<[{ at: Date | null; isTimed: boolean }]>`
              select return_due_at(return_requests) as at, ${isTimed(sql, vendorId)} as is_timed
              from return_requests where id = ${id}`;
            const request = await findReturn(sql, id);
            const step = request === null ? null : dueStep(request);
            expect(row).toEqual({ at: step?.at ?? null, isTimed: step !== null });
            due.add(step?.step ?? 'none');
          }
  expect([...due].toSorted()).toEqual(['announceClosing', 'endWindow', 'none', 'startInspection']);
});
