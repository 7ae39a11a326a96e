import { expect, vi } from 'vitest';
import { offerReviewId } from '../../../workflows/ids.ts';
import { runScript } from '../../support/command.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { workflowTest as test } from '../../support/gateway/workflow-test.ts';

/** The command `npm run replay` with the runs of a server. */

const replay = ({ config }: TestGateway, ...args: readonly string[]) =>
  runScript('scripts/replay.ts', args, {
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    TEMPORAL_TASK_QUEUE: config.TEMPORAL_TASK_QUEUE,
  });

test('replays open runs, a query, workflow ids and run ids, with a verdict for each', async ({
  gateway,
}) => {
  const { sql, client } = gateway;
  const vendorId = await seedVendor(sql);
  const offers = [await seedOffer(sql, vendorId), await seedOffer(sql, vendorId)];
  const ids = offers.map(({ id }) => offerReviewId(id));
  const query = `VendorId = "${vendorId}" and ReviewState = "PendingMatch"`;
  await vi.waitFor(
    async () => expect(await client.workflow.count(query)).toMatchObject({ count: 2 }),
    60_000,
  );
  const [first = ''] = ids;
  const { runId } = await client.workflow.getHandle(first).describe();

  const open = await replay(gateway, '--open');
  expect(open).toMatchObject({ code: 0, stderr: expect.stringMatching(/^2 runs match /) });
  for (const id of ids) expect(open.stdout).toMatch(new RegExp(`^fits +${id} `, 'm'));
  expect(open.stdout).toContain('2 runs replayed, 0 broken.');
  const named = await replay(gateway, first, runId, '--query', query);
  expect(named).toMatchObject({ code: 0 });
  expect(named.stdout).toContain('4 runs replayed, 0 broken.');
  expect(await replay(gateway, '0193a203-2b3c-7d4e-8f5a-6b7c8d9e0f1a')).toMatchObject({
    code: 1,
    stderr: 'No such run.\n',
  });
  expect(await replay(gateway, '--query', 'Colour = 3')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Query Colour = 3: .*INVALID_ARGUMENT/),
  });
});
