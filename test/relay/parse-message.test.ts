import { describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { RunMessage } from '../../domain/messages.ts';
import { parseMessage } from '../../relay/parse-message.ts';

const vendorId = uuidv7();
const subjectId = uuidv7();
const ofDelivery = { vendorId, eventType: 'vendor.order.assigned' } as const;
const times = { inspectionStartMs: 86_400_000, inspectionWindowMs: 259_200_000 };
const retry = {
  signal: 'retry',
  attempts: 1,
  tries: 0,
  dueAt: '2026-11-22T03:27:54.123456+00:00',
  ...ofDelivery,
} as const;

const inspection = { kind: 'returnInspection', subjectId } as const;
const delivery = { kind: 'webhookDelivery', subjectId } as const;

/** A message of every kind and signal. */
const messages: readonly RunMessage[] = [
  { kind: 'offerReview', subjectId, payload: { vendorId } },
  { kind: 'agreementSwitch', subjectId, payload: {} },
  { kind: 'clockAdvance', subjectId, payload: {} },
  { kind: 'bulkJob', subjectId, payload: { vendorId } },
  { kind: 'reviewJob', subjectId, payload: { operatorId: vendorId } },
  ...(['received', 'evidence', 'proposed', 'changed'] as const).map((signal): RunMessage => ({
    ...inspection,
    payload: { signal, vendorId, ...times },
  })),
  { ...inspection, payload: { signal: 'changed', vendorId: null, ...times } },
  { ...delivery, payload: { signal: 'deactivated', ...ofDelivery } },
  { ...delivery, payload: retry },
  ...(['succeeded', 'deadLettered', 'cancelled', 'failed'] as const).map((state): RunMessage => ({
    ...delivery,
    payload: { signal: 'ended', attempts: 1, state, ...ofDelivery },
  })),
];

describe.each(messages)('$kind $payload.signal $payload.state (%#)', (message) => {
  const parse = (payload: unknown) => parseMessage({ id: '1', ...message, payload });

  test('reads the message, without fields that this version does not know', () => {
    expect(parse({ ...message.payload, addedLater: 1 })).toEqual({ message });
  });

  test('refuses a missing or wrong field, and names it', () => {
    for (const wrong of [null, 5, 'text', true]) expect(parse(wrong)).toHaveProperty('reason');
    for (const field of Object.keys(message.payload)) {
      const reason = expect.stringContaining(`payload.${field}: expected`);
      const { [field]: _missing, ...rest } = message.payload as Record<string, unknown>;
      expect(parse(rest)).toEqual({ reason });
      expect(parse({ ...rest, [field]: { not: 'this' } })).toHaveProperty('reason');
    }
  });
});

test.each([
  ['a number as text', { ...retry, attempts: '3' }],
  ['a negative number', { ...retry, attempts: -1 }],
  ['a fraction', { ...retry, attempts: 1.5 }],
  ['an instant that is none', { ...retry, dueAt: 'tomorrow' }],
  ['a state that is no end', { signal: 'ended', attempts: 1, state: 'waiting', ...ofDelivery }],
  ['an unknown signal', { signal: 'restart', ...ofDelivery }],
  ['an unknown event type', { signal: 'deactivated', vendorId, eventType: 'vendor.other' }],
  ['a vendor id that is no UUID', { signal: 'deactivated', ...ofDelivery, vendorId: 'v' }],
  ['the signal of a first attempt', { signal: 'start', ...ofDelivery }],
  ['the signal of a redelivery', { signal: 'redeliver', attempts: 1, ...ofDelivery }],
])('refuses a delivery message with %s', (_what, payload) => {
  expect(parseMessage({ id: '1', ...delivery, payload })).toHaveProperty('reason');
});

test('refuses an unknown kind, and names the known ones, not the message’s values', () => {
  const payload = { vendorId: 'a secret' };
  const parsed = parseMessage({ id: '1', kind: 'somethingNew', subjectId, payload });
  expect(parsed).toEqual({ reason: expect.stringMatching(/^kind: expected .*"offerReview"/) });
  expect(JSON.stringify(parsed)).not.toMatch(/secret|somethingNew/);
});
