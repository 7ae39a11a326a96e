import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitForTurn } from '../../../api/socket/body-turns.ts';

/** The large bodies of one sender delay the calls of no other sender (D153, D170). */

const mebibyte = 1024 * 1024;

test('reads one piece of all bodies of a sender in a turn, and one of each other', async () => {
  const read: string[] = [];
  const wait = async (sender: string, body: string): Promise<void> => {
    await waitForTurn(sender, mebibyte);
    read.push(body);
  };
  const bodies = [wait('a', 'a 1'), wait('a', 'a 2'), wait('a', 'a 3'), wait('b', 'b 1')];
  const turns: number[] = [];
  while (read.length < bodies.length) {
    await setImmediate();
    turns.push(read.length);
  }
  expect(read).toEqual(['a 1', 'b 1', 'a 2', 'a 3']);
  expect(turns.filter((count) => count > 0)).toEqual([2, 3, 4]);
});

test('reads the first 16 KiB of a body without a turn', async () => {
  let isRead = false;
  void waitForTurn('c', 16 * 1024).then(() => (isRead = true));
  await Promise.resolve();
  await Promise.resolve();
  expect(isRead).toBe(true);
});
