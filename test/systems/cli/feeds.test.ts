import { expect } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/webhooks/verify.ts';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newReturnFixture } from '../../api/returns/return-fixture.ts';
import { delivered } from '../../api/webhooks/webhook-fixture.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { startTestReceiver, statuses } from '../../support/webhooks/receiver.ts';
import { cliTest as test, jsonLines, stubTest, succeedWith } from './cli-fixture.ts';

// The commands that read shipments, returns and events.

const poll = { timeout: 30_000 };
const assigned = 'vendor.order.assigned';

test('prints events by events tail, and with --follow later ones until Ctrl-C', async ({
  cli,
  emit,
}) => {
  await emit(assigned);
  const { exitCode, stdout } = await cli.run('events', 'tail', '--json');
  expect(exitCode).toBe(0);
  expect(jsonLines(stdout)).toMatchObject([{ sequence: 1, data: { groupId: 'group-1' } }]);

  const following = cli.start('events', 'tail', '--after', '1', '--follow');
  await emit(assigned);
  await expect.poll(following.stdout, poll).toMatch(/^2 .*group-1/);
  following.interrupt();
  expect(await following.ended).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await cli.run('events', 'tail', '--type', 'no.such')).toMatchObject({ exitCode: 2 });
});

stubTest(
  'ends events tail with an error on a feed that does not advance',
  async ({ cli, stub }) => {
    const token = { accessToken: 'token', expiresIn: 300 };
    const page = { items: [], nextAfter: 0, latestSequence: 5, oldestSequence: 1 };
    stub.answerWith(succeedWith({ ...token, ...page }));
    const { exitCode, stderr } = await cli.run('events', 'tail', '--after', '0');
    expect({ exitCode, requests: stub.requests.length }).toEqual({ exitCode: 4, requests: 2 });
    expect(stderr).toContain('INVALID_RESPONSE');
  },
);

test('posts signed bodies by webhooks listen until accepted, and resumes after them', async ({
  cli,
  emit,
  onTestFinished,
}) => {
  const secret = newWebhookSecret();
  cli.setEnvironment({ VENDOR_GATEWAY_WEBHOOK_SECRET: secret });
  const receiver = await startTestReceiver();
  onTestFinished(() => receiver.close());
  const respond = statuses(503);
  // The wait for a response ends after a garbage collection too.
  receiver.answerWith((response, number) => (number === 1 ? collectGarbage() : respond(response)));
  const listenTo = ['webhooks', 'listen', '--forward', receiver.url];

  await emit(assigned);
  const first = cli.start(...listenTo, '--after', '0');
  await expect.poll(first.stdout, poll).toContain('forwarded  1');
  expect(first.stderr()).toContain('For development only. The bodies are signed');
  expect(first.stderr()).toContain('did not answer (TimeoutError); again in 0.5 s');
  expect(first.stderr()).toContain('answered 503; again in 1 s');
  first.interrupt();
  expect(await first.ended).toMatchObject({ exitCode: 0 });

  await emit(assigned);
  const second = cli.start(...listenTo);
  await expect.poll(second.stdout, poll).toContain('forwarded  2');
  second.interrupt();
  await second.ended;
  const events = receiver.requests.map(({ body, headers }) => verifyWebhook(secret, body, headers));
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 1, 1, 2]);
});

test('redelivers dead letters by webhooks recover, and prints their number', async ({
  cli,
  gateway,
  own: { client },
}) => {
  const { vendorId } = cli.vendor;
  const { subscription } = await client.webhooks.create({
    url: 'https://vendor.example.org/hook',
    eventTypes: ['vendor.order.assigned'],
  });
  await delivered(gateway.sql, vendorId, subscription.id, 'deadLettered');
  await delivered(gateway.sql, vendorId, subscription.id, 'deadLettered');
  const recover = (...more: readonly string[]) =>
    cli.run('webhooks', 'recover', subscription.id, '--since', '2026-01-01T00:00:00Z', ...more);
  expect(await recover('--dead-letters')).toEqual({
    exitCode: 0,
    stdout: 'Redelivers 2 events.\n',
    stderr: '',
  });
  expect((await recover('--json')).stdout).toBe('{"recovered":0,"madeDue":0,"missed":0}\n');
});

test('prints each shipment by orders watch, and again when it has changed, until Ctrl-C', async ({
  cli,
  gateway,
}) => {
  const orders = await newOrderFixture(gateway);
  const first = await orders.groupIn('Pending', cli.vendor);
  const watching = cli.start('orders', 'watch', '--interval', '1');
  await expect
    .poll(watching.stdout, poll)
    .toMatch(new RegExp(`^shipment  ${first}  order \\S+  Pending  \\d+ pcs  `));

  const second = await orders.groupIn('Packed', cli.vendor);
  await orders.send(cli.vendor, 'POST', `/${first}/pack`);
  await expect.poll(watching.stdout, poll).toContain(`changed  ${first}`);
  await expect.poll(watching.stdout, poll).toContain(second);
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
  expect(later).toEqual({ exitCode: 0, stdout: '', stderr: '' });
});

test('lists the open inspections by returns upcoming, the nearest deadline first', async ({
  cli,
  gateway,
}) => {
  const upcoming = (...options: readonly string[]) => cli.run('returns', 'upcoming', ...options);
  expect(await upcoming('--json')).toMatchObject({ exitCode: 0, stdout: '' });
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

  const { exitCode, stdout } = await upcoming();
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^DEADLINE +LEFT +RETURN +ORDER +PROPOSAL +EVIDENCE$/),
    expect.stringMatching(new RegExp(`\\d h +${first} .* none +0$`)),
    expect.stringMatching(new RegExp(`\\d h +${second} .* none +1$`)),
  ]);
  const json = await upcoming('--json');
  expect(jsonLines(json.stdout)).toMatchObject([{ id: first }, { id: second }]);
});
