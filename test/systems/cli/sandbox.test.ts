import { expect, vi } from 'vitest';
import { stubTest, succeedWith } from './cli-fixture.ts';

// `sandbox`: what each command calls and prints. docs/http/sandbox.http has the responses of the
// gateway to these calls.

const token = { accessToken: 'token', expiresIn: 300 };
const made = { id: 'r1', groupId: 's1', status: 'Done' };
const clock = { now: 'NOW', state: 'Ready', stopReason: null };
/** Of any call. */
const payload = { ...token, credential: { clientId: 'c', clientSecret: 's' }, ...made, ...clock };

/** Gives each test `sandbox`, which runs a command, and `calls`: the calls of the sandbox. */
const test = stubTest
  .extend('calls', ({ stub }) => {
    const calls: string[] = [];
    stub.answerWith((response, request) => {
      const { method, url = '' } = response.req;
      const [, path] = /^\/api\/v1\/sandbox\/(.+)/.exec(url) ?? [];
      const { body = '' } = stub.requests[request - 1] ?? {};
      if (path !== undefined) calls.push(`${method} ${path} ${body}`.trim());
      succeedWith(payload)(response);
    });
    return calls;
  })
  .extend('sandbox', ({ cli }) => cli.run.bind(null, 'sandbox'));

test.for([
  ['approve o1', 'POST offers/o1/approve {}', 'Offer o1 is Done.'],
  ['approve o1 --variant v1', 'POST offers/o1/approve {"variantId":"v1"}', 'Offer o1 is Done.'],
  ['reject o1 Blurred', 'POST offers/o1/reject {"reason":"Blurred"}', 'Offer o1 is Done.'],
  ['suspend o1 Recalled', 'POST offers/o1/suspend {"reason":"Recalled"}', 'Offer o1 is Done.'],
  ['reinstate o1', 'POST offers/o1/reinstate', 'Offer o1 is Done.'],
  ['apply-price o1', 'POST offers/o1/pending-price/apply', 'Offer o1 is Done.'],
  ['discard-price o1', 'POST offers/o1/pending-price/discard', 'Offer o1 is Done.'],
  ['order', 'POST orders {}', 'Shipment s1 is Done.'],
  [
    'order o1=2 o2',
    'POST orders {"lines":[{"offerId":"o1","quantity":2},{"offerId":"o2","quantity":1}]}',
    'Shipment s1 is Done.',
  ],
  ['deliver s1', 'POST orders/s1/deliver', 'Shipment s1 is Done.'],
  ['cancel s1', 'POST orders/s1/cancel', 'Shipment s1 is Done.'],
  [
    'return s1',
    'POST returns {"groupId":"s1","upTo":"InTransit","reasonCode":"Defective"}',
    'Return r1 is Done.',
  ],
  [
    'return s1 l1=2 --up-to Pending',
    'POST returns {"groupId":"s1","lines":[{"lineId":"l1","quantity":2}],"upTo":"Pending",' +
      '"reasonCode":"Defective"}',
    'Return r1 is Done.',
  ],
  [
    'agreement PercentageOfSale 12.5',
    'PUT agreement {"pricingModel":"PercentageOfSale","commissionPercent":12.5}',
    'Your agreement is PercentageOfSale with 12.5 %.',
  ],
  ['approve-return r1', 'POST returns/r1/approve', 'Return r1 is Done.'],
  ['in-transit r1', 'POST returns/r1/in-transit', 'Return r1 is Done.'],
  ['start-inspection r1', 'POST returns/r1/start-inspection', 'Return r1 is Done.'],
  ['decide r1 Rejected', 'POST returns/r1/decide {"outcome":"Rejected"}', 'Return r1 is Done.'],
  ['release-refund r1', 'POST returns/r1/refund-released', 'Return r1 is Done.'],
  ['close-return r1', 'POST returns/r1/close', 'Return r1 is Done.'],
  ['clock', 'GET clock', 'NOW  Ready'],
  ['advance 90m', 'POST clock {"advanceBy":"PT90M"}', 'It is NOW.'],
  ['advance 3d', 'POST clock {"advanceBy":"P3D"}', 'It is NOW.'],
  ['advance PT72H', 'POST clock {"advanceBy":"PT72H"}', 'It is NOW.'],
  ['reset', 'POST reset', 'Your offers, orders, returns, events and jobs are deleted.'],
] as const)('runs sandbox %s by the call %s', async ([line, call, printed], { calls, sandbox }) => {
  const ended = await sandbox(...line.split(' '));
  expect(ended).toEqual({ exitCode: 0, stdout: `${printed}\n`, stderr: '' });
  expect(calls).toEqual([call]);
});

test.for(['order o1=none', 'return s1 l1=0', 'agreement CostPlusMargin 1e1', 'advance soon'])(
  'refuses sandbox %s before a call',
  async (line, { stub, sandbox }) => {
    expect(await sandbox(...line.split(' '))).toMatchObject({ exitCode: 2, stdout: '' });
    expect(stub.requests).toEqual([]);
  },
);

test('stores the new credential by sandbox register', async ({ cli, calls, sandbox }) => {
  cli.setEnvironment({ VENDOR_GATEWAY_CLIENT_ID: '', VENDOR_GATEWAY_CLIENT_SECRET: '' });
  expect(await sandbox('register', 'Amber')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Registered Amber\. Its credential is stored in /),
  });
  expect(await sandbox('clock')).toMatchObject({ exitCode: 0 });
  expect(calls).toEqual([
    'POST vendors {"name":"Amber","pricingModel":"CostPlusMargin"}',
    'GET clock',
  ]);
});

test('ends sandbox register by Ctrl-C', { timeout: 10_000 }, async ({ cli, stub }) => {
  stub.answerWith(() => {});
  const register = cli.start('sandbox', 'register', 'Amber', '--replace');
  await vi.waitUntil(() => stub.requests.length === 1);
  register.interrupt();
  expect(await register.ended).toMatchObject({ exitCode: 130, stdout: '' });
});
