import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from '../../guardrail/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('tells everyone who listens, once, at its time and not before', () => {
  const deadline = new Deadline(1000);
  const [staying, leaving] = [vi.fn(), vi.fn()];
  deadline.addEventListener('abort', staying);
  deadline.addEventListener('abort', leaving);
  deadline.removeEventListener('abort', leaving);
  vi.advanceTimersByTime(999);
  expect([deadline.aborted, staying.mock.calls.length]).toEqual([false, 0]);
  vi.advanceTimersByTime(10_000);
  expect([deadline.aborted, staying.mock.calls.length, leaving.mock.calls.length]).toEqual([
    true,
    1,
    0,
  ]);
});

test('one that was ended never strikes, and keeps no timer', () => {
  const deadline = new Deadline(1000);
  const listener = vi.fn();
  deadline.addEventListener('abort', listener);
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10_000);
  expect([deadline.aborted, listener.mock.calls.length]).toEqual([false, 0]);
});
