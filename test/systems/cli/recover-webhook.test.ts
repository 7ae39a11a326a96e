import { expect } from 'vitest';
import { delivered } from '../../api/webhooks/webhook-fixture.ts';
import { cliTest as test } from './cli-fixture.ts';

test('webhooks recover redelivers dead letters and prints their number', async ({
  cli,
  gateway,
  clients,
}) => {
  const { vendorId, clientId, clientSecret } = clients.vendor;
  cli.setEnvironment({
    VENDOR_GATEWAY_CLIENT_ID: clientId,
    VENDOR_GATEWAY_CLIENT_SECRET: clientSecret,
  });
  const { client } = clients.connect();
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
  expect((await recover('--json')).stdout).toBe('{"recovered":0}\n');
});
