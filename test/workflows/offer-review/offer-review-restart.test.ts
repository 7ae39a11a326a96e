import { expect, vi } from 'vitest';
import { createDecisions } from '../../../temporal/decisions.ts';
import { sendDecision } from '../../support/gateway/runs.ts';
import { restartTest } from '../../support/gateway/workflow-test.ts';
import { seedCommand } from '../../support/seeds/seed.ts';
import { createParty, rejection, waiting } from './offer-review-fixture.ts';

const test = restartTest.extend('party', ({ gateway }) => createParty(gateway));

test('begins once a worker starts, and continues on the next worker', async ({
  gateway,
  party,
}) => {
  const offers = [await party.submitted(), await party.submitted()];
  const first = await gateway.startWorker();
  for (const offer of offers) await party.untilOpen(offer);
  await first.stop();

  await gateway.startWorker();
  const value = { status: 'Approved', version: 2 };
  for (const offer of offers)
    expect(await party.decide(offer, party.approval(offer))).toMatchObject({ ok: true, value });
});

test('ends the call of a decision without a worker at its deadline, and applies it once', async ({
  gateway,
  party,
}) => {
  const { client, config, sql } = gateway;
  const offer = await party.submitted();
  const commandId = await seedCommand(sql, party.operator.id, offer.id, rejection);
  const hasty = { taskQueue: config.TEMPORAL_TASK_QUEUE, timeoutMs: 500 };
  const impatient = { ...gateway, decisions: createDecisions(client, hasty) };
  const send = () =>
    sendDecision(impatient, party.operator, offer, { action: 'reject', commandId });
  await expect(send()).rejects.toThrow(/./);

  await gateway.startWorker();
  await vi.waitFor(async () => expect(await send()).toMatchObject({ ok: true }), waiting);
  expect(await party.stored(offer)).toMatchObject({ status: 'Rejected', version: 2 });
});
