import { expect, onTestFinished, vi } from 'vitest';
import { connect } from '../../../db/core/client.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { runScript } from '../../support/command.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { workflowTest } from '../../support/gateway/workflow-test.ts';
import { waiting } from '../../support/webhooks/delivery.ts';

const test = workflowTest
  .extend('owner', { scope: 'file' }, ({ gateway: { ownerUrl } }, { onCleanup }) => {
    const owner = connect(ownerUrl, { max: 1, name: 'doctor test' });
    onCleanup(() => owner.end());
    return owner;
  })
  /** The command `npm run doctor`. */
  .extend(
    'doctor',
    ({ gateway: { config, ownerUrl } }) =>
      (...args: readonly string[]) =>
        runScript('scripts/doctor.ts', args, {
          DATABASE_URL: ownerUrl,
          TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
          TEMPORAL_TASK_QUEUE: config.TEMPORAL_TASK_QUEUE,
          TEMPORAL_UI_URL: 'https://temporal.example.org',
        }),
  );

test('exits 0 for a sound record, names findings with exit 1, and repairs them', async ({
  gateway: { client, sql },
  owner,
  doctor,
}) => {
  const vendorId = await seedVendor(sql);
  const offer = await seedOffer(sql, vendorId);
  await sql`delete from outbox`;
  const run = client.workflow.getHandle(offerReviewId(offer.id));
  await run.terminate('damage').catch(() => undefined);
  const listed = `WorkflowId = '${run.workflowId}' and ExecutionStatus = 'Running'`;
  await vi.waitFor(
    async () => expect((await client.workflow.count(listed)).count).toBe(0),
    waiting,
  );
  await sql`
    insert into offer_counts (vendor_id, status, is_awaiting, delta)
    values (${vendorId}, 'Approved', false, 5)`;

  const found = await doctor();
  expect(found.code).toBe(1);
  expect(found.stdout).toContain('[review-without-run]');
  expect(found.stdout).toContain(`offer ${offer.id} waits, and has no open run`);
  expect(found.stdout).toContain(
    `https://temporal.example.org/namespaces/default/workflows/offer-review%2F${offer.id}`,
  );
  expect(found.stdout).toContain('[offer-counts]');
  expect(found.stdout).toMatch(/\n2 findings by 2 of \d+ checks\.\n$/);

  const only = await doctor('--check', 'offer-counts');
  expect(only.code).toBe(1);
  expect(only.stdout).not.toContain('review-without-run');

  // The relay takes the message of the repair after three seconds; the doctor waits for that.
  await owner.unsafe(`
    create function delay_message() returns trigger language plpgsql as $$ begin
      new.due_at := clock_timestamp() + interval '3 seconds';
      return new;
    end $$;
    create trigger delay_message before insert on outbox
      for each row execute function delay_message()`);
  const repaired = await doctor('--repair');
  await owner.unsafe('drop trigger delay_message on outbox; drop function delay_message');
  expect(repaired.stdout).toContain('What was repaired is clean after');
  expect(repaired.code).toBe(0);
  expect((await run.describe()).status.name).toBe('RUNNING');
  expect(await doctor()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/\nAll \d+ checks are clean\.\n$/),
  });

  // No SECRETS_KEY is set: a check that cannot run is no clean check.
  expect(await doctor('--check', 'secret-without-key', '--check', 'offer-counts')).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'These checks need SECRETS_KEY, which is not set: secret-without-key.\n' +
      'Set it, or in docker compose use `docker compose run --rm doctor`.\n',
  });
  expect(await doctor('--check', 'everything')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('npm run doctor -- [--repair]'),
  });
});

test('repairs nothing in the database of a newer version, and names both versions', async ({
  gateway: { sql },
  owner,
  doctor,
}) => {
  await owner`insert into schema_migrations (name, checksum) values ('9999-next.sql', 'next')`;
  onTestFinished(async () => {
    await owner`delete from schema_migrations where name = '9999-next.sql'`;
  });
  const vendorId = await seedVendor(sql);
  await sql`
    insert into offer_counts (vendor_id, status, is_awaiting, delta)
    values (${vendorId}, 'Approved', false, 5)`;
  const refused = await doctor('--check', 'offer-counts', '--repair');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /newest migration is 9999-next\.sql, and the newest of this version, \d+\.\d+\.\d+, is \d{4}-/,
  );
  expect(await sql`select delta::int from offer_counts where vendor_id = ${vendorId}`).toEqual([
    { delta: 5 },
  ]);
  const looked = await doctor('--check', 'offer-counts');
  expect(looked.code).toBe(1);
  expect(looked.stdout).toContain('9999-next.sql');
  expect(looked.stdout).toContain('[offer-counts]');
});

test('says why Temporal refuses the namespace', async ({ gateway: { config, ownerUrl } }) => {
  const { code, stderr } = await runScript('scripts/doctor.ts', [], {
    DATABASE_URL: ownerUrl,
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    TEMPORAL_NAMESPACE: 'n'.repeat(1001),
  });
  expect(code).toBe(1);
  expect(stderr).toContain('INVALID_ARGUMENT: Namespace length exceeds limit.');
});
