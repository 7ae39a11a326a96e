import { expect } from 'vitest';
import { freeFormOffer } from '../../support/api/actors.ts';
import { cliTest, jsonLines, type CommandLine } from './cli-fixture.ts';

// `sandbox`: each command, as an integrator uses it.

const test = cliTest.extend('overrides', { scope: 'file' }, { environment: 'Sandbox' });

/** The text of a command, or its exit code with the code of the refusal. */
const verbOf =
  ({ run }: CommandLine) =>
  async (...args: readonly string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await run('sandbox', ...args);
    return exitCode === 0 ? stdout.trimEnd() : `${exitCode} ${stderr.split(':')[0]}`;
  };

// Each command logs in, and a minute has ten log-ins: so each test has a vendor of its own.

test('an integrator registers, and is the reviewer of an offer', async ({
  cli,
  own: { client },
}) => {
  const verb = verbOf(cli);
  const { id: offer } = await client.offers.create(freeFormOffer);
  expect(await verb('order')).toBe('1 BUSINESS_SANDBOX_NOTHING_TO_ORDER');
  expect(await verb('approve', offer)).toBe(`Offer ${offer} is Approved.`);
  expect(await verb('suspend', offer, 'Recalled')).toBe(`Offer ${offer} is Suspended.`);
  expect(await verb('reinstate', offer)).toBe(`Offer ${offer} is Approved.`);
  expect(await verb('clock')).toMatch(/^\d{4}-\S+Z {2}Ready$/);
  for (const wrong of [
    ['order', `${offer}=none`],
    ['advance', 'soon'],
  ])
    expect(await verb(...wrong)).toMatch(/^2 /);
  cli.setEnvironment({ VENDOR_GATEWAY_CLIENT_ID: '', VENDOR_GATEWAY_CLIENT_SECRET: '' });
  expect(await verb('register', 'Amber House')).toMatch(
    /^Registered Amber House\. Its credential is stored in /,
  );
  expect(await verb('clock')).toMatch(/Ready$/);
});

test('an integrator is customer, carrier and staff of an order and its return', async ({
  cli,
  own: { client },
}) => {
  const verb = verbOf(cli);
  const { id: offer } = await client.offers.create(freeFormOffer);
  await client.sandbox.approveOffer(offer);
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
});
