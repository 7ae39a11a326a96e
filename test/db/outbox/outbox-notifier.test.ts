import { expect, vi } from 'vitest';
import { createOutboxNotifier } from '../../../db/outbox/outbox-notifier.ts';
import { databaseTest as test } from '../../support/database/database-test.ts';

test('of transactions in quick succession the first notifies, and one statement for the others', async ({
  sql,
}) => {
  const heard: string[] = [];
  const listening = await sql.listen('outbox', (lane) => heard.push(lane));
  const { join, notify } = createOutboxNotifier(sql);
  expect(join()).toBe(true);
  expect(join()).toBe(false);
  notify();
  expect(join()).toBe(false);
  await vi.waitFor(() => expect(heard).toEqual(['deliveries']));
  await vi.waitFor(() => expect(join()).toBe(true));
  expect(heard).toEqual(['deliveries']);
  await listening.unlisten();
});
