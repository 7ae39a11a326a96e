import { expect } from 'vitest';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import { cliTest as test, jsonLines } from './cli-fixture.ts';

test('orders watch and returns upcoming end without anything to show', async ({ cli }) => {
  expect(await cli.run('orders', 'watch', '--once', '--json')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  expect(await cli.run('returns', 'upcoming', '--json')).toMatchObject({ exitCode: 0, stdout: '' });
});

test('orders watch prints each shipment, and again when it has changed, until Ctrl-C', async ({
  cli,
  gateway,
}) => {
  const orders = await newOrderFixture(gateway);
  const first = await orders.groupIn('Pending', cli.vendor);
  const watching = cli.start('orders', 'watch', '--interval', '1');
  await expect
    .poll(watching.stdout, { timeout: 30_000 })
    .toMatch(new RegExp(`^shipment  ${first}  order \\S+  Pending  \\d+ pcs  `));

  const second = await orders.groupIn('Packed', cli.vendor);
  await orders.send(cli.vendor, 'POST', `/${first}/pack`);
  await expect.poll(watching.stdout, { timeout: 30_000 }).toContain(`changed  ${first}`);
  await expect.poll(watching.stdout, { timeout: 30_000 }).toContain(second);
  watching.interrupt();
  const { exitCode, stdout, stderr } = await watching.ended;
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: 'Waiting for shipments. Ctrl-C ends.\n',
  });
  const changes = stdout.split('\n').filter((line) => line.includes(first));
  expect(changes.map((line) => line.split('  ')[3])).toEqual(['Pending', 'Packed']);

  const shown = await cli.run('orders', 'show', first);
  expect(shown).toMatchObject({ exitCode: 0, stderr: '' });
  expect(shown.stdout).toContain(`groupId           ${first}\n`);
  const once = await cli.run('orders', 'watch', '--once', '--json');
  expect(jsonLines(once.stdout)).toMatchObject([
    { kind: 'shipment', status: 'Packed' },
    { kind: 'shipment', status: 'Packed' },
  ]);
  const since = new Date(Date.now() + 60_000).toISOString();
  const later = await cli.run('orders', 'watch', '--once', '--since', since, '--json');
  expect(later).toMatchObject({ exitCode: 0, stdout: '' });
});

test('returns upcoming lists the open inspections, the nearest deadline first', async ({
  cli,
  gateway,
}) => {
  const returns = await newReturnFixture(gateway);
  const { clientId, clientSecret } = returns.vendor;
  cli.setEnvironment({
    VENDOR_GATEWAY_CLIENT_ID: clientId,
    VENDOR_GATEWAY_CLIENT_SECRET: clientSecret,
  });
  const first = await returns.returnIn('UnderInspection');
  const second = await returns.returnIn('UnderInspection');
  await returns.returnIn('Received');
  await returns.addEvidence(second);

  const { exitCode, stdout } = await cli.run('returns', 'upcoming');
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^DEADLINE +LEFT +RETURN +ORDER +PROPOSAL +EVIDENCE$/),
    expect.stringMatching(new RegExp(`\\d h +${first} .* none +0$`)),
    expect.stringMatching(new RegExp(`\\d h +${second} .* none +1$`)),
  ]);
  const json = await cli.run('returns', 'upcoming', '--json');
  expect(jsonLines(json.stdout)).toMatchObject([{ id: first }, { id: second }]);
});
