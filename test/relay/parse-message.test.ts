import { describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { RunMessage } from '../../domain/messages.ts';
import { parseMessage } from '../../relay/parse-message.ts';

const vendorId = uuidv7();
const subjectId = uuidv7();
const delivery = { vendorId, eventType: 'vendor.order.assigned' } as const;
const times = { inspectionStartMs: 86_400_000, inspectionWindowMs: 259_200_000 };
const dueAt = '2026-11-22T03:27:54.123456+00:00';

/** A message of every kind and signal. */
const messages: readonly RunMessage[] = [
  { kind: 'offerReview', subjectId, payload: { vendorId } },
  { kind: 'agreementSwitch', subjectId, payload: {} },
  { kind: 'bulkJob', subjectId, payload: { vendorId } },
  { kind: 'reviewJob', subjectId, payload: { operatorId: vendorId } },
  ...(['received', 'evidence', 'proposed', 'changed'] as const).map((signal): RunMessage => ({
    kind: 'returnInspection',
    subjectId,
    payload: { signal, vendorId, ...times },
  })),
  {
    kind: 'returnInspection',
    subjectId,
    payload: { signal: 'changed', vendorId: null, ...times },
  },
  { kind: 'webhookDelivery', subjectId, payload: { signal: 'deactivated', ...delivery } },
  {
    kind: 'webhookDelivery',
    subjectId,
    payload: { signal: 'retry', attempts: 1, tries: 0, dueAt, ...delivery },
  },
  ...(['succeeded', 'deadLettered', 'cancelled', 'failed'] as const).map((state): RunMessage => ({
    kind: 'webhookDelivery',
    subjectId,
    payload: { signal: 'ended', attempts: 1, state, ...delivery },
  })),
  { kind: 'webhookDeliveryBatch', subjectId, payload: { size: 500 } },
];

test.each(messages)(
  'a message parses to itself: $kind $payload.signal $payload.state',
  (message) => {
    expect(parseMessage({ id: '1', ...message })).toEqual({ message });
  },
);

describe.each(messages)('$kind $payload.signal $payload.state', ({ kind, payload }) => {
  const fields = Object.keys(payload);

  test.each(fields)('without its %s is refused, and the reason names the field', (field) => {
    const { [field]: _missing, ...rest } = payload as Record<string, unknown>;
    const parsed = parseMessage({ id: '1', kind, subjectId, payload: rest });
    expect(parsed).toEqual({ reason: expect.stringContaining(`payload.${field}: expected`) });
  });

  test.each(fields)('with another type of %s is refused', (field) => {
    const wrong = { ...payload, [field]: { not: 'this' } };
    expect(parseMessage({ id: '1', kind, subjectId, payload: wrong })).toHaveProperty('reason');
  });

  test.each([null, 5, 'text', true])('with the payload %j is refused', (wrong) => {
    expect(parseMessage({ id: '1', kind, subjectId, payload: wrong })).toHaveProperty('reason');
  });
});

test.each([
  ['a number as text', { signal: 'retry', attempts: '3', tries: 1, dueAt, ...delivery }],
  ['a negative number', { signal: 'retry', attempts: -1, tries: 1, dueAt, ...delivery }],
  ['a fraction', { signal: 'retry', attempts: 1.5, tries: 1, dueAt, ...delivery }],
  ['a state that is no end', { signal: 'ended', attempts: 1, state: 'waiting', ...delivery }],
  ['an unknown signal', { signal: 'restart', ...delivery }],
  ['an unknown event type', { signal: 'deactivated', vendorId, eventType: 'vendor.other' }],
  ['a vendor id that is no UUID', { signal: 'deactivated', ...delivery, vendorId: 'v' }],
  ['the signal of a first attempt', { signal: 'start', ...delivery }],
  ['the signal of a redelivery', { signal: 'redeliver', attempts: 1, ...delivery }],
  [
    'an instant that is none',
    { signal: 'retry', attempts: 1, tries: 1, dueAt: 'tomorrow', ...delivery },
  ],
])('a delivery message with %s is refused', (_what, payload) => {
  const parsed = parseMessage({ id: '1', kind: 'webhookDelivery', subjectId, payload });
  expect(parsed).toHaveProperty('reason');
});

test('an unknown kind is refused; the reason names the known ones, no value of the message', () => {
  const payload = { vendorId: 'a secret' };
  const parsed = parseMessage({ id: '1', kind: 'somethingNew', subjectId, payload });
  expect(parsed).toEqual({ reason: expect.stringMatching(/^kind: expected .*"offerReview"/) });
  expect(JSON.stringify(parsed)).not.toMatch(/secret|somethingNew/);
});

test('a field that this version does not know is left out', () => {
  const payload = { vendorId, addedLater: 1 };
  expect(parseMessage({ id: '1', kind: 'offerReview', subjectId, payload })).toEqual({
    message: { kind: 'offerReview', subjectId, payload: { vendorId } },
  });
});
