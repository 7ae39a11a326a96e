import { clockResponse } from '../../api/sandbox/clock-routes.ts';
import { readReturnResponse } from '../../api/returns/responses/return-request.ts';
import { expect, waitFor } from './api-client.ts';
import type { DemoContext } from './context.ts';
import { readAfter } from './event-feed.ts';
import type { UndecidedReturn } from './returns.ts';

const clock = '/api/v1/sandbox/clock';
/** A line for each second that an advance takes. */
const readEveryMs = 1000;

/**
 * In a sandbox the vendor advances its clock past the deadline of the return that waits, and
 * silence decides it. Returns the URL of the clock's history.
 */
export async function letTimePass(
  context: DemoContext,
  { id, workflowUrl }: UndecidedReturn,
): Promise<string> {
  const { vendor, vendorId, step, print } = context;
  const before = (await readAfter(context, 0)).length;

  step('The vendor advances its clock by 72 hours, and no other vendor notices');
  await vendor.expect(`POST ${clock}`, clockResponse, {
    body: { advanceBy: 'PT72H' },
    status: 202,
    values: { state: 'Advancing' },
  });

  step('The clock goes from one due instant to the next, until it is Ready');
  const ready = await waitFor(
    () => vendor.expect(`GET ${clock}`, clockResponse),
    ({ state }) => state === 'Ready',
    readEveryMs,
  );
  expect(ready.now >= ready.target && ready.stopReason === null, 'it has reached its target');

  step('Silence has decided the return that waited, as the customer claimed');
  await vendor.expect(`GET /api/v1/scent/returns/${id}`, readReturnResponse, {
    values: { status: 'InspectionAccepted', inspection: { outcome: 'AcceptedDefect' } },
  });

  step('The events have the order and the times that they have in Production');
  const events = await readAfter(context, before);
  for (const { occurredAt, eventType } of events) print(`    ${occurredAt} ${eventType}`);
  const types = events.map(({ eventType }) => eventType.split('.').at(-1)).join(', ');
  expect(types === 'inspection-closing, decided', 'the end is announced, and then comes');
  return workflowUrl.replace(/[^/]+$/, encodeURIComponent(`clock-advance/${vendorId}`));
}
