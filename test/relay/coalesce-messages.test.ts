import { expect, test } from 'vitest';
import type { ReturnSignal } from '../../domain/messages.ts';
import { coalesceMessages, type ClaimedMessage } from '../../relay/coalesce-messages.ts';

const times = { inspectionStartMs: 1, inspectionWindowMs: 2 };

const offer = (id: string, subjectId: string): ClaimedMessage => ({
  id,
  message: { kind: 'offerReview', subjectId, payload: { vendorId: id } },
});
const inspection = (id: string, subjectId: string, signal: ReturnSignal): ClaimedMessage => ({
  id,
  message: { kind: 'returnInspection', subjectId, payload: { signal, vendorId: id, ...times } },
});
test('keeps the latest of the messages of one kind and signal to one workflow', () => {
  const agreement: ClaimedMessage = {
    id: '8',
    message: { kind: 'agreementSwitch', subjectId: 'a', payload: {} },
  };
  const messages = [
    inspection('1', 'a', 'evidence'),
    inspection('2', 'a', 'proposed'),
    inspection('3', 'a', 'evidence'),
    inspection('4', 'b', 'evidence'),
    inspection('5', 'a', 'proposed'),
    offer('6', 'a'),
    offer('7', 'b'),
    agreement,
    offer('9', 'a'),
  ];
  const kept = (index: number, ...ids: readonly string[]) => {
    return { message: messages[index]?.message, ids };
  };
  expect(coalesceMessages(messages)).toEqual([
    [kept(2, '1', '3'), kept(4, '2', '5'), kept(8, '6', '9'), kept(7, '8')],
    [kept(3, '4'), kept(6, '7')],
  ]);
});
