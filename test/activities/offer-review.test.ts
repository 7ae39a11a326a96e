import { expect } from 'vitest';
import { createReviewActivities } from '../../activities/offer-review.ts';
import { seedCommand, seedOffer, seedOperator, seedVendor } from '../support/seeds/seed.ts';
import { databaseTest as test } from '../support/database/database-test.ts';

test('sends the run of a decision no message about it', async ({ sql }) => {
  const { applyReviewDecision } = createReviewActivities({ sql, decisionUndoMs: 0 });
  const [vendorId, operator] = await Promise.all([seedVendor(sql), seedOperator(sql)]);
  const offer = await seedOffer(sql, vendorId);
  await sql`delete from outbox`;
  const command = { action: 'reject', reason: 'No', expectedVersion: null } as const;
  const commandId = await seedCommand(sql, operator.id, offer.id, command);
  await applyReviewDecision({ commandId, operatorId: operator.operatorId });
  expect(await sql`select from outbox`).toEqual([]);
});

test('applies a decision once', async ({ sql }) => {
  const { applyReviewDecision } = createReviewActivities({ sql, decisionUndoMs: 0 });
  const [vendorId, operator] = await Promise.all([seedVendor(sql), seedOperator(sql)]);
  for (let round = 0; round < 20; round += 1) {
    const offer = await seedOffer(sql, vendorId);
    const command = { action: 'reject', reason: 'No', expectedVersion: null } as const;
    const commandId = await seedCommand(sql, operator.id, offer.id, command);
    const request = { commandId, operatorId: operator.operatorId };
    const [first, second] = await Promise.all([
      applyReviewDecision(request),
      applyReviewDecision(request),
    ]);
    expect(first).toEqual(second);
    expect(first).toMatchObject({ status: 'Rejected', version: 2 });
    const [row] = await sql<[{ count: number }]>`
      select count(*)::int as count from audit_log where subject_id = ${offer.id}`;
    expect(row.count).toBe(1);
  }
});
