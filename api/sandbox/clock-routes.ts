import * as v from 'valibot';
import {
  lockClock,
  readProgress,
  startAdvance,
  type ClockProgress,
} from '../../db/clock/clock-advances.ts';
import { advanceMaxMs, advanceOffset, durationMs } from '../../domain/clock/advance.ts';
import { unwrap } from '../http/api-error.ts';
import { vendorRoutes, type AddRoutes } from '../define-route.ts';
import { described } from '../validation/described.ts';
import { parsedBy } from '../validation/fields.ts';
import { enumeration, field, orNull, titled } from '../validation/response-parts.ts';

const form =
  'must be an ISO 8601 duration of weeks, or of days, hours, minutes and seconds, above 0 and at ' +
  'most P30D, such as PT72H';
const advanceMs = (text: string): number | null => {
  const ms = durationMs(text) ?? 0;
  return ms > 0 && ms <= advanceMaxMs ? ms : null;
};

export const advanceBody = v.strictObject({
  advanceBy: described(
    parsedBy(v.string(), advanceMs, `invalid_duration: ${form}`, {}),
    'By how much the clock advances: an ISO 8601 duration of weeks (`P2W`), or of days, hours, ' +
      'minutes and seconds (`P3DT12H`), above 0 and at most `P30D`.',
    'PT72H',
  ),
});

export const clockResponse = titled('SandboxClock', {
  state: enumeration(
    'SandboxClockState',
    ['Advancing', 'Ready'],
    '`Advancing` while everything that comes due until `target` happens, in order; else `Ready`.',
    'Advancing',
  ),
  now: field.instant('The time by your clock, in UTC.', '2026-11-26T09:00:00.000Z'),
  target: field.instant(
    'Where the latest advance goes or went, in UTC. `now` before the first advance.',
    '2026-11-29T09:00:00.000Z',
  ),
  stopReason: orNull(
    v.picklist(['FailingReceivers']),
    'Why the latest advance ended before its `target`; else null. `FailingReceivers`: retries of ' +
      'a delivery that failed again were all that was due at 200 stops. Deactivate the ' +
      'subscription or mend its receiver, then advance again.',
    null,
  ),
  stops: field.integer(
    'How many times the clock has stopped in the latest advance because something was due. ' +
      'Retries of deliveries that are due within a minute are one stop.',
    12,
  ),
  left: field.integer(
    'How many steps of returns and retries of deliveries come due until `target`, as known now; ' +
      '0 when the clock is `Ready`.',
    3,
  ),
  nextDue: field.instantOrNull(
    'When the next step of a return or retry of a delivery is due by your clock, in UTC; null ' +
      'without any.',
    '2026-11-27T09:00:00.000Z',
  ),
});

const toClockResponse = (progress: ClockProgress): v.InferInput<typeof clockResponse> => ({
  ...progress,
  state: progress.isAdvancing ? 'Advancing' : 'Ready',
});

export const sandboxClockRoutes: AddRoutes = (app, { sql }) => {
  const route = vendorRoutes(app, { capability: null, tag: 'Sandbox' });
  route({
    at: 'GET /api/v1/sandbox/clock',
    operationId: 'getSandboxClock',
    summary: 'Read your clock',
    description:
      'Reads the time by your clock, and whether it advances. Each response of a sandbox has ' +
      'the same time in `X-Sandbox-Time`.',
    payload: clockResponse,
    handler: async ({ caller: { vendorId } }) => toClockResponse(await readProgress(sql, vendorId)),
  });
  route({
    at: 'POST /api/v1/sandbox/clock',
    operationId: 'advanceSandboxClock',
    summary: 'Advance your clock',
    description:
      'Advances the time of your offers, shipments and returns, of events and of retries of ' +
      'deliveries; no other vendor notices. The clock goes from one instant at which something ' +
      'is due to the next, and stands there until it is done, so that everything happens in ' +
      'order, with its events and webhooks. Read the clock until it is `Ready`. It can be at ' +
      'most 365 days ahead, and never goes back. Tokens, rate limits and signatures keep real ' +
      'time.',
    body: advanceBody,
    payload: clockResponse,
    statuses: [202],
    refusals: ['BUSINESS_SANDBOX_CLOCK_ADVANCING', 'BUSINESS_SANDBOX_CLOCK_LIMIT'],
    handler: ({ caller: { vendorId }, body: { advanceBy }, sql: commands }) =>
      commands.begin(async (transaction) => {
        const clock = await lockClock(transaction, vendorId);
        await startAdvance(transaction, vendorId, unwrap(advanceOffset(clock, advanceBy)));
        return toClockResponse(await readProgress(transaction, vendorId));
      }),
  });
};
