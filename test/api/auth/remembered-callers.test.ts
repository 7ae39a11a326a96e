import { expect, test } from 'vitest';
import { createRememberedCallers, type Remembered } from '../../../api/auth/remembered-callers.ts';

const entry = (id: string, fromMs = 0, untilMs = 1000): Remembered => ({
  caller: { side: 'operator', id, operatorId: id, roles: [] },
  kid: 'kid',
  fromMs,
  untilMs,
});

test('what was found out holds from its first instant to its last, both included, and is then forgotten', () => {
  const callers = createRememberedCallers();
  callers.keep('a', entry('a', 10, 20));
  expect(callers.find('a', 10)).toEqual(entry('a', 10, 20));
  expect(callers.find('a', 20)).toEqual(entry('a', 10, 20));
  expect(callers.find('b', 15)).toBeNull();
  expect(callers.find('a', 21)).toBeNull();
  expect(callers.size()).toBe(0);
  callers.keep('a', entry('a', 10, 20));
  expect(callers.find('a', 9)).toBeNull();
});

test('however many tokens come, so many are remembered: the one that came first is forgotten', () => {
  const callers = createRememberedCallers(3);
  for (let index = 0; index < 100; index += 1) callers.keep(`token ${index}`, entry(String(index)));
  expect(callers.size()).toBe(3);
  expect(callers.find('token 96', 0)).toBeNull();
  expect(callers.find('token 97', 0)).toEqual(entry('97'));
  expect(callers.find('token 99', 0)).toEqual(entry('99'));
});
