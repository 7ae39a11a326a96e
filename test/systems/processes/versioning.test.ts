import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import { deployedBuildOf } from '../../../worker/versioning.ts';
import { runScript } from '../../support/command.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { moveReturnTo } from '../../support/returns/seed-returns.ts';
import { createInspectionFixture, decision } from '../../support/returns/inspection.ts';
import { createDeliveryFixture, waiting } from '../../support/webhooks/delivery.ts';
import { status } from '../../support/webhooks/receiver.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';

/** Two builds of the worker side by side, of one deployment (D109). */

const deploymentName = `test-${randomUUID()}`;

const test = restartTest.extend('settings', { scope: 'file' }, () => ({
  WEBHOOK_RETRY_DELAYS_MS: '6000,6000',
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
}));

const startBuild = (gateway: TestGateway, buildId: string) =>
  gateway.startWorker({ settings: { TEMPORAL_WORKER_BUILD_ID: buildId } });

const deployment = ({ config }: TestGateway, ...args: readonly string[]) =>
  runScript('scripts/deployment.ts', args, {
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  });

/**
 * Repeats the command until a build has this state; returns its lines. Temporal refuses a choice
 * until the workers of the build have registered all queues.
 */
const untilShown = (gateway: TestGateway, text: RegExp, ...args: readonly string[]) =>
  vi.waitFor(async () => {
    const { stdout, stderr } = await deployment(gateway, ...args);
    expect(stdout, stderr).toMatch(text);
    return stdout;
  }, waiting);

/** The builds that handled the tasks of a run, in their order. */
async function buildsOf(run: Pick<WorkflowHandle, 'fetchHistory'>): Promise<readonly string[]> {
  const { events } = await run.fetchHistory();
  return (events ?? []).flatMap(
    ({ workflowTaskCompletedEventAttributes: completed }) =>
      completed?.deploymentVersion?.buildId ?? [],
  );
}

test('moves waiting returns to the new build, and ends pinned deliveries on theirs', async ({
  gateway,
  receiver,
}) => {
  const returns = await createInspectionFixture(gateway);
  const deliveries = await createDeliveryFixture(gateway, receiver);
  await startBuild(gateway, 'one');
  // The first build of a deployment becomes the current one by itself.
  await untilShown(gateway, /^one .* current$/m);
  const request = await returns.underInspection(60_000);
  receiver.answerWith((response, count) => status(count === 1 ? 503 : 200)(response));
  const delivery = await deliveries.emit();
  await deliveries.untilWaiting(delivery);
  expect(new Set(await buildsOf(returns.run(request)))).toEqual(new Set(['one']));

  await startBuild(gateway, 'two');
  await untilShown(gateway, /^two .* inactive$/m);
  const staying = await returns.request();
  await moveReturnTo(gateway.sql, staying, 'Received');
  await returns.untilSeen(staying, 'Received');
  expect(new Set(await buildsOf(returns.run(staying)))).toEqual(new Set(['one']));

  await untilShown(gateway, /^two .* ramping 100 %$/m, 'ramp', 'two', '100');
  const next = await returns.underInspection(60_000);
  await vi.waitFor(async () => expect(await buildsOf(returns.run(next))).toContain('two'), waiting);
  await untilShown(gateway, /^two .* current$/m, 'current', 'two');
  // A build that is no longer current drains.
  await untilShown(gateway, /^one .* draining$/m);

  expect(await returns.order(request, decision('Rejected'))).toMatchObject({ ok: true });
  await returns.end(request);
  expect((await buildsOf(returns.run(request))).at(-1)).toBe('two');
  expect((await deliveries.ended(delivery)).state).toBe('succeeded');
  await deliveries.run(delivery.id).result();
  expect(new Set(await buildsOf(deliveries.run(delivery.id)))).toEqual(new Set(['one']));
});

test('refuses a build whose worker has not started', async ({ gateway }) => {
  await startBuild(gateway, 'another');
  await untilShown(gateway, /^another /m);
  for (const args of [
    ['current', 'three'],
    ['ramp', 'three', '10'],
  ])
    expect(await deployment(gateway, ...args)).toMatchObject({
      code: 1,
      stderr: 'No worker of the build three has started yet.\n',
    });
  expect(await deployment(gateway, 'ramp', 'another', '101')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm run deployment -- ramp BUILD PERCENT'),
  });
});

const buildIdOf = async (code: string) =>
  (await deployedBuildOf({ TEMPORAL_DEPLOYMENT_NAME: 'any' }, { code }))?.buildId;

test('derives the build id of a workflow bundle from its code', async () => {
  expect(await buildIdOf('one')).toBe(await buildIdOf('one'));
  expect(await buildIdOf('one')).not.toBe(await buildIdOf('two'));
});
