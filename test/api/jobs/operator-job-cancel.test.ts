import { expect } from 'vitest';
import { runBatch } from '../../../commands/jobs/run-batch.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { newOperator, newVendor } from '../../support/api/actors.ts';
import { call, type Gateway } from '../../support/api/api.ts';
import { perfume, readJob, runJob, settings, startJob } from './job-fixture.ts';

// An operator cancels the jobs of every vendor (D154). `roles.test.ts` has the role.

const test = gatewayTest.extend('staff', { scope: 'file' }, ({ gateway }) =>
  newOperator(gateway, ['Operations']),
);

const cancel = (gateway: Gateway, token: string, id: string) =>
  call(gateway, 'POST', `/operator/v1/jobs/${id}/cancel`, { token });
const perfumes = ['a', 'b', 'c'].map((name) => perfume(name));

test('cancels an open job once, and starts the next', async ({ gateway, staff }) => {
  const vendor = await newVendor(gateway);
  const id = await startJob(gateway, vendor, 'createOffers', perfumes);
  const next = await startJob(gateway, vendor, 'createOffers', [perfume('d')]);
  await runBatch(gateway.sql, { jobId: id, limit: 2 }, settings);

  const cancelled = await cancel(gateway, staff.token, id);

  const counts = { accepted: 3, done: 2, failed: 0, remaining: 1 };
  expect(cancelled).toMatchObject({
    status: 200,
    payload: {
      id,
      vendorId: vendor.vendorId,
      state: 'Cancelled',
      details: { reason: null },
      counts,
      workflow: { workflowId: `bulk-job/${id}` },
    },
  });
  expect((await cancel(gateway, staff.token, id)).payload).toEqual(cancelled.payload);
  await runJob(gateway, id);
  expect((await readJob(gateway, vendor, id)).payload).toMatchObject({ counts });
  expect(await gateway.sql`select from outbox where subject_id = ${next}`).toHaveLength(1);
  const entries = await gateway.sql`
    select action, subject_type, operator_id, before, after from audit_log
    where subject_id = ${id}`;
  expect(entries).toEqual([
    {
      action: 'job.cancel',
      subjectType: 'job',
      operatorId: staff.id,
      before: { vendorId: vendor.vendorId, state: 'Running' },
      after: { state: 'Cancelled', done: 2, failed: 0 },
    },
  ]);
});
