import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Check } from '../../doctor/check.ts';
import { textsOf } from '../../console/texts/texts.ts';
import { checkIds, checks } from '../../doctor/checks.ts';
import { runCheck, type CheckResult } from '../../doctor/examine.ts';
import { reportOf } from '../../doctor/report.ts';
import type { Runs } from '../../temporal/runs/open-runs.ts';
import { saveRecord } from '../support/database/saved-record.ts';
import { waiting } from '../support/webhooks/delivery.ts';
import { damages, missing } from './damages.ts';
import { contextOf, doctorTest as test, untilSound, type World } from './doctor-fixture.ts';

/** Each kind of damage is done to a sound record, named, and repaired where that is safe. */

const checkOf = (id: string): Check =>
  checks.find((each) => each.id === id) ?? expect.unreachable();

const readOnly = { isRepairing: false, findingsMax: 20 };
const repairing = { isRepairing: true, findingsMax: 0 };
const look = ({ gateway }: World, id: string): Promise<CheckResult> =>
  runCheck(contextOf(gateway), checkOf(id), readOnly);

test('finds nothing in a sound record', { timeout: 60_000 }, async ({ world }) => {
  await untilSound(world.gateway);
});

test.for(damages)(
  'names $check: $text',
  { timeout: 120_000 },
  async ({ check, text, damage }, { world }) => {
    const { gateway } = world;
    const isRepairable = checkOf(check).repair !== null;
    const restore = await saveRecord(gateway.sql);
    try {
      const subjectId = await damage(world);
      const named = await look(world, check);

      expect(named).toMatchObject({ found: 1, isComplete: true, isRepairable, repaired: 0 });
      const [finding] = named.findings;
      expect(finding).toMatchObject({ subjectId, text: expect.stringContaining(text) });
      expect(textsOf('ar').codes.finding(finding?.text ?? '')).toMatch(/[\u0600-\u06ff]/);
      const report = reportOf(named, (id) => `https://temporal.test/${id}`).join('\n');
      expect(report).toContain(`[${check}]`);
      expect(report).toContain(subjectId);
      if (finding?.workflowId != null)
        expect(report).toContain(`https://temporal.test/${finding.workflowId}`);

      const repaired = await runCheck(contextOf(gateway), checkOf(check), repairing);
      expect(repaired).toMatchObject({ found: 1, error: null });
      const found = isRepairable && text !== missing ? 0 : 1;
      await vi.waitFor(
        async () => expect(await look(world, check)).toMatchObject({ found, error: null }),
        { ...waiting, interval: 200 },
      );
    } finally {
      await restore();
      for (const each of checks)
        expect((await runCheck(contextOf(gateway), each, repairing)).error).toBeNull();
    }
    await untilSound(world.gateway);
  },
);

test('finds a run that differs while a lost worker holds its task', async ({ world }) => {
  const { gateway, offer } = world;
  const context = contextOf(gateway);
  const restore = await saveRecord(gateway.sql);
  let descriptions = 0;
  const describeOpen: Runs['describeOpen'] = async (kind, subjectIds) => {
    const described = await context.runs.describeOpen(kind, subjectIds);
    descriptions += 1;
    return descriptions === 1 ? described.map((run) => ({ ...run, isBusy: true })) : described;
  };
  try {
    await gateway.sql`update offers set awaiting_since = null where id = ${offer.id}`;
    const check = checkOf('review-run-differs');
    const lost = { ...context, runs: { ...context.runs, describeOpen }, taskMs: 0 };
    const { findings } = await runCheck(lost, check, readOnly);
    expect(findings).toMatchObject([{ subjectId: offer.id }]);
  } finally {
    await restore();
  }
  await untilSound(world.gateway);
});

const secrets = {
  'a webhook secret': 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  "a credential's secret": `vs_${'a'.repeat(43)}`,
  "an operator's secret": `os_${'a'.repeat(43)}`,
  'a token': `eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ0ZXN0In0.${'x'.repeat(40)}`,
  'a private key': '-----BEGIN PRIVATE KEY-----',
  'a URL with a password': 'postgres://gateway:hunter2@db.example/gateway',
};

test('names a secret in a history by kind, run and event, never its value', async ({ world }) => {
  const { client, config } = world.gateway;
  const workflowId = `offer-review/${uuidv7()}`;
  const run = await client.workflow.start('offerReview', {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    workflowId,
    args: [{ offerId: uuidv7(), vendorId: world.vendorId, note: Object.values(secrets) }],
  });
  await run.result();
  await vi.waitFor(async () => {
    const result = await look(world, 'secret-in-history');
    const texts = result.findings.map(({ text }) => text);
    expect(texts).toEqual(Object.keys(secrets).map((name) => `has ${name} in event 1`));
    expect(result.findings.every((finding) => finding.workflowId === workflowId)).toBe(true);
    const report = reportOf(result, (id) => id).join('\n');
    for (const secret of Object.values(secrets)) expect(report).not.toContain(secret);
  }, waiting);
});

test('has a case of damage for each check', () => {
  // A worker repairs the second by itself: test/doctor/secret-checks.test.ts has it. The third is
  // no damage of the record: test/db/checks/old-snapshots.test.ts has it.
  const others = ['secret-in-history', 'secret-under-old-key', 'snapshot-old'];
  const named = new Set([...damages.map(({ check }) => check), ...others]);
  expect(checkIds.filter((id) => !named.has(id))).toEqual([]);
});
