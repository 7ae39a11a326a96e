import { expect } from 'vitest';
import { freeFormOffer } from '../../api/support/actors.ts';
import { cliTest, jsonLines } from './cli-fixture.ts';

// `sandbox`: each command, as an integrator uses it.

const test = cliTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });

test('an integrator registers, and plays an offer, an order and a return', async ({
  cli,
  clients,
}) => {
  cli.setEnvironment({ VENDOR_GATEWAY_CLIENT_ID: '', VENDOR_GATEWAY_CLIENT_SECRET: '' });
  expect(await cli.run('sandbox', 'register', 'Amber House')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Registered Amber House\. Its credential is stored in /),
  });
  const { clientId, clientSecret } = cli.vendor;
  cli.setEnvironment({
    VENDOR_GATEWAY_CLIENT_ID: clientId,
    VENDOR_GATEWAY_CLIENT_SECRET: clientSecret,
  });
  const { client } = clients.connect(() => undefined, { clientId, clientSecret });
  const { id: offer } = await client.offers.create(freeFormOffer);
  const verb = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await cli.run('sandbox', ...args);
    return exitCode === 0 ? stdout.trimEnd() : `${exitCode} ${stderr.split(':')[0]}`;
  };
  expect(await verb('order')).toBe('1 BUSINESS_SANDBOX_NOTHING_TO_ORDER');
  expect(await verb('approve', offer)).toBe(`Offer ${offer} is Approved.`);
  expect(await verb('suspend', offer, 'Recalled')).toBe(`Offer ${offer} is Suspended.`);
  expect(await verb('reinstate', offer)).toBe(`Offer ${offer} is Approved.`);
  const [ordered] = jsonLines((await cli.run('sandbox', 'order', `${offer}=2`, '--json')).stdout);
  const { groupId, lines } = ordered as { groupId: string; lines: unknown };
  expect(lines).toMatchObject([{ quantity: 2 }]);
  await client.orders.ship(groupId);
  expect(await verb('deliver', groupId)).toBe(`Shipment ${groupId} is Delivered.`);
  const [made] = jsonLines((await cli.run('sandbox', 'return', groupId, '--json')).stdout);
  const { id: returned } = made as { id: string };
  await client.returns.confirmReceipt(returned);
  expect(await verb('start-inspection', returned)).toBe(`Return ${returned} is UnderInspection.`);
  expect(await verb('decide', returned, 'AcceptedDefect')).toBe(
    `Return ${returned} is InspectionAccepted.`,
  );
  expect(await verb('release-refund', returned)).toBe(`Return ${returned} is RefundReleased.`);
  expect(await verb('reset')).toBe('Your offers, orders, returns, events and jobs are deleted.');
  expect(await verb('order', `${offer}=none`)).toMatch(/^2 /);
  expect(await verb('clock')).toMatch(/^\d{4}-\S+Z {2}Ready$/);
  expect(await verb('advance', 'soon')).toMatch(/^2 /);
});
