import { expect } from 'vitest';
import { cliTest as test, jsonLines, offerHeader, offerRows } from './cli-fixture.ts';

// What a command does when its output cannot be written, or its reader has ended.

test('sends every row of an import whose output cannot be written, and says so', async ({
  cli,
  gateway: { sql },
}) => {
  for (const [index, [options, redirection]] of (
    [
      ['', '> /dev/full'],
      ['--json', '> /dev/full'],
      ['--json', '| true'],
    ] as const
  ).entries()) {
    const rows = offerRows(40).map((row) => `${index}-${row}`);
    const file = await cli.write('offers.csv', offerHeader, ...rows);
    const ended = await cli.shell(`cli offers import "$1" ${options} ${redirection}`, file);
    expect(ended.exitCode, redirection).toBe(5);
    expect(ended.stderr, redirection).toMatch(/OUTPUT_FAILED/);
    expect(ended.stderr, redirection).toMatch(options === '' ? /Created 40,/ : /created.{1,4}:40,/);
    const stored = await sql`
      select from offers where vendor_id = ${cli.vendor.vendorId}
        and vendor_external_id like ${`${index}-%`}`;
    expect(stored, redirection).toHaveLength(40);
  }
});

test.for([
  ['a full device', 'sandbox --help > /dev/full', 5, /^OUTPUT_FAILED: .*ENOSPC/],
  ['a reader that has ended', 'jobs show x | true', 1, /NOT_FOUND|VALIDATION/],
  ['a reader that has ended', '--help | true', 141, /^$/],
  ['a full device for messages', 'jobs list 2> /dev/full', 5, /^$/],
] as const)('ends with its code for %s: %s', async ([, line, exitCode, stderr], { cli }) => {
  expect(await cli.shell(`cli ${line}`)).toEqual({
    exitCode,
    stdout: '',
    stderr: expect.stringMatching(stderr),
  });
});

test('ends a listing when its output fails, quietly if the reader has ended', async ({
  cli,
  emit,
}) => {
  await emit(...Array.from({ length: 300 }, () => 'vendor.order.assigned' as const));
  for (const options of ['', '--follow']) {
    const ended = await cli.shell(`cli events tail --after 0 --json ${options} | head -n 1`);
    expect(ended, options).toMatchObject({ exitCode: 141, stderr: '' });
    expect(jsonLines(ended.stdout)).toHaveLength(1);
  }
  expect(await cli.shell('cli events tail --after 0 --json > /dev/full')).toMatchObject({
    exitCode: 5,
    stderr: expect.stringMatching(/^\{"error":.*OUTPUT_FAILED.*ENOSPC/),
  });
});

test('reports a file that takes only a part of the output', async ({ cli, emit }) => {
  await emit(...Array.from({ length: 30 }, () => 'vendor.order.assigned' as const));
  const file = await cli.write('events.json');
  const ended = await cli.shell('ulimit -f 1; cli events tail --after 0 --json > "$1"', file);
  expect(ended).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('EFBIG') });
});
