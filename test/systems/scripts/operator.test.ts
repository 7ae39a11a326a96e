import { expect, onTestFinished } from 'vitest';
import { call, gatewayOver } from '../../support/api/api.ts';
import { databaseTest } from '../../support/database/database-test.ts';
import { runScript } from '../../support/command.ts';
/** The command `npm run operator` (D86). */

const test = databaseTest.extend(
  'operator',
  ({ database }) =>
    (...args: readonly string[]) =>
      runScript('scripts/operator.ts', args, { DATABASE_URL: database.url }),
);

const secretIn = (stdout: string): string =>
  /^operatorSecret +(\S{32,})$/m.exec(stdout)?.[1] ?? 'none';

test('creates, lists, rotates and deactivates operators, and audits each change', async ({
  operator,
  sql,
}) => {
  const gateway = await gatewayOver(sql);
  const logIn = async (operatorSecret: string) => {
    const body = { operatorId: 'noura', operatorSecret };
    return (await call(gateway, 'POST', '/operator/v1/auth/token', { body })).status;
  };

  const created = await operator('create', 'noura', '--role', 'Reviewer');
  expect(created).toMatchObject({ code: 0, stderr: '' });
  const first = secretIn(created.stdout);
  expect(await logIn(first)).toBe(200);

  const rotated = await operator('rotate', 'noura');
  const second = secretIn(rotated.stdout);
  expect([await logIn(first), await logIn(second)]).toEqual([401, 200]);

  expect((await operator('deactivate', 'noura')).code).toBe(0);
  expect(await logIn(second)).toBe(401);
  const listed = await operator('list');
  expect(listed.stdout).toMatch(/^\S+Z {2}inactive {2}Reviewer {2}noura$/m);

  const entries = await sql<{ action: string; text: string }[]>`
    select action, audit_log::text as text from audit_log
    where is_command and operator_id is null and credential_id is null order by id`;
  expect(entries.map(({ action }) => action)).toEqual([
    'operator.create',
    'operator.rotate-secret',
    'operator.active',
  ]);
  for (const { text } of entries)
    for (const secret of [first, second]) expect(text).not.toContain(secret);
  await gateway.app.close();
});

test('keeps the last Admin, and refuses what it cannot do', async ({ operator }) => {
  await operator('create', 'admin');
  const usage = expect.stringContaining('npm run operator -- deactivate NAME');
  for (const [line, code, stderr] of [
    ['create admin', 1, 'The operator admin, or one whose name looks the same, exists already.\n'],
    [
      'deactivate admin',
      1,
      'The last active Admin cannot be deactivated; create or activate another first.\n',
    ],
    ['rotate nobody', 1, 'There is no operator nobody.\n'],
    ['list x', 2, usage],
    ['remove x', 2, usage],
    ['create', 2, usage],
    ['rotate x --role Admin', 2, usage],
  ] as const)
    expect(await operator(...line.split(' ')), line).toEqual({ code, stdout: '', stderr });
});

test('writes nothing to the database of a newer version', async ({ operator, sql }) => {
  await sql`insert into schema_migrations (name, checksum) values ('9999-next.sql', 'next')`;
  onTestFinished(async () => {
    await sql`delete from schema_migrations where name = '9999-next.sql'`;
  });
  const refused = await operator('create', 'later');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('9999-next.sql');
  expect(await sql`select from operators where operator_id = 'later'`).toEqual([]);
  expect((await operator('list')).code).toBe(0);
});
