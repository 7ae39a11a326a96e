import { expect } from 'vitest';
import type { ReturnRequest } from '../../../domain/returns/return-request.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  deadlineOf,
  startCommand,
  windowTimer,
  inspectionTest as test,
} from '../../support/returns/inspection.ts';
import { moveReturnTo } from '../../support/returns/seed-returns.ts';

// The event before silence decides (D99). The run's timer waits for it, so it needs no other clock.

const closingMs = 2000;
const windowMs = 4000;

const eventsAbout = ({ sql }: TestGateway, { id }: ReturnRequest) => sql<
  { eventType: string; occurredAt: Date }[]
>`
  select event_type, occurred_at from webhook_events
  where body::jsonb -> 'data' ->> 'returnId' = ${id} order by sequence`;

test('announces the end of a window once before silence', async ({ gateway, fixture }) => {
  const made = await fixture.request({ times: { windowMs, closingMs } });
  await moveReturnTo(gateway.sql, made, 'Received');
  expect(await fixture.order(made, startCommand)).toMatchObject({ ok: true });

  const decided = await fixture.untilStored(made, 'InspectionAccepted');

  const events = await eventsAbout(gateway, made);
  expect(events.map(({ eventType }) => eventType)).toEqual([
    'vendor.return.requested',
    'vendor.return.received',
    'vendor.return.inspection-started',
    'vendor.return.inspection-closing',
    'vendor.return.decided',
  ]);
  const announcedMs = events[3]?.occurredAt.getTime() ?? 0;
  expect(announcedMs).toBeGreaterThanOrEqual(deadlineOf(decided).getTime() - closingMs);
  expect(decided.closingAnnouncedAt?.getTime()).toBe(announcedMs);
  // The announcement is no change of the return: received, started and decided are.
  expect(decided.version).toBe(made.version + 5);
  const timers = (await fixture.timers(made)).map(({ summary }) => summary);
  expect(timers).toContain('an event announces the end of the inspection window');
  expect(timers).toContain(windowTimer);
  await fixture.end(made);
  await fixture.record(made, 'announced-then-silence');
  await fixture.replay(made);
});
