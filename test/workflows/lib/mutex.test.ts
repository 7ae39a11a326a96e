import { expect, test } from 'vitest';
import { createMutex } from '../../../workflows/lib/mutex.ts';

test('a step begins only after the one before has ended, also when that one failed', async () => {
  const runExclusive = createMutex();
  const events: string[] = [];
  const step = (name: string, end: Promise<void>) => async () => {
    events.push(`${name} begins`);
    await end;
    events.push(`${name} ends`);
    return name;
  };
  const gate = new AbortController();
  const opened = new Promise<void>((_resolve, reject) => {
    gate.signal.addEventListener('abort', () => {
      reject(new Error('refused'));
    });
  });

  const first = runExclusive(step('first', opened)).catch((error: unknown) => error);
  const second = runExclusive(step('second', Promise.resolve()));
  const third = runExclusive(step('third', Promise.resolve()));
  await Promise.resolve();
  gate.abort();

  expect(await first).toMatchObject({ message: 'refused' });
  expect(await Promise.all([second, third])).toEqual(['second', 'third']);
  expect(events).toEqual([
    'first begins',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
});
