import { expect } from 'vitest';
import { stubTest, succeedWith } from './cli-fixture.ts';

// What the commands of a vendor's story call and print. docs/http has the responses of the gateway.

const secret = 'Its secret is whsec_1\nNo later response has it: store it with your receiver now.';
const product = { rawBrandName: 'Amber House', rawProductName: 'Oud' };
const amounts = {
  pricingModel: { name: 'CostPlusMargin' },
  cost: { amount: 90, pending: { amount: 95.5 } },
  price: { amount: null, pending: null },
};
const offer = {
  id: 'o1',
  vendorExternalId: 'oud-1',
  status: 'Approved',
  product,
  stock: { declaredQuantity: 3 },
  review: {},
  ...amounts,
};
const others = {
  url: 'http://r/',
  isActive: true,
  eventTypes: ['a', 'b'],
  lastDeliveryAt: null,
  lastDeliveryStatus: null,
  clientId: 'c1',
  capabilities: 'Offers',
  expirationDate: 'END',
  returnRequestNumber: 'RR-1',
  orderGlobalId: 'ord',
  requestedAt: 'T',
};
/** Of any call. */
const payload = {
  accessToken: 'token',
  expiresIn: 300,
  state: 'Ready',
  now: 'NOW',
  stopReason: null,
  subscription: { id: 'w1', url: 'http://r/' },
  secret: 'whsec_1',
  clientSecret: 'vs_1',
  httpStatus: 204,
  errorSummary: null,
  ...offer,
  ...others,
  items: [{ ...offer, ...others }],
  pagination: { page: 1, pageSize: 100, totalCount: 1, totalPages: 1 },
};

/** Gives each test `calls`: what a command has called, but the log-in and the clock. */
const test = stubTest.extend('calls', ({ stub }) => {
  const calls: string[] = [];
  stub.answerWith((response, request) => {
    const { method, url = '' } = response.req;
    const { body = '' } = stub.requests[request - 1] ?? {};
    const [, path = ''] = /^\/api\/v1\/(?:scent\/)?(.+)/.exec(url) ?? [];
    if (!/^auth|^sandbox/.test(path)) calls.push(`${method} ${path} ${body}`.trim());
    succeedWith(payload)(response);
  });
  return calls;
});

test.for([
  ['orders pack s1', 'POST orders/s1/pack', 'Shipment s1 is Approved.'],
  ['orders ship s1', 'POST orders/s1/ship', 'Shipment s1 is Approved.'],
  [
    'orders update s1 --carrier Other --carrier-name Camel --tracking-ref=',
    'PATCH orders/s1 {"trackingRef":null,"carrier":"Other","carrierNameOther":"Camel"}',
    'Shipment s1 is Approved.',
  ],
  ['returns receive r1', 'PATCH returns/r1/received', 'Return r1 is Approved.'],
  [
    'returns evidence r1 https://x/1.jpg',
    'POST returns/r1/evidence {"url":"https://x/1.jpg","kind":"Photo"}',
    'Return r1 has the evidence o1.',
  ],
  [
    'returns propose r1 Rejected',
    'PATCH returns/r1/inspection/propose {"outcome":"Rejected"}',
    'You propose Rejected for return r1.',
  ],
  ['returns list', 'GET returns?pageSize=100&page=1', /^RETURN .*\no1 +RR-1 +ord +Approved +T$/],
  [
    'offers list --status Approved',
    'GET offers?pageSize=20&status=Approved&page=1',
    /^OFFER .*\no1 +oud-1 +Approved +Amber House +Oud +90\.00 +95\.50 +3$/,
  ],
  ['offers show o1', 'GET offers/o1', /^id +o1\n[^]*\namount +90\.00\nstaged +95\.50\n/],
  [
    'webhooks create http://r/ --event vendor.order.assigned',
    'POST webhooks {"url":"http://r/","eventTypes":["vendor.order.assigned"]}',
    `Subscription w1 sends to http://r/.\n${secret}`,
  ],
  [
    'webhooks list',
    'GET webhooks?pageSize=100&page=1',
    /^SUBSCRIPTION .*\no1 +yes +http:\/\/r\/ +2$/,
  ],
  [
    'webhooks test-fire w1',
    'POST webhooks/w1/test-fire {"eventType":"vendor.order.assigned"}',
    'The receiver answered 204.',
  ],
  [
    'webhooks rotate w1',
    'POST webhooks/w1/rotate-secret',
    `Subscription w1 has a new secret.\n${secret}`,
  ],
  [
    'credentials create Offers,Stock',
    'POST credentials {"capabilities":"Offers,Stock"}',
    /^The client id is c1\nIts secret is vs_1\nNo later response has it, and it is not stored here\.$/,
  ],
  ['credentials list', 'GET credentials?pageSize=100&page=1', /^ID .*\no1 +c1 +yes +Offers +END$/],
  [
    'credentials deactivate c1',
    'PATCH credentials/c1/active {"isActive":false}',
    'Credential c1 is inactive.',
  ],
  [
    'credentials activate c1',
    'PATCH credentials/c1/active {"isActive":true}',
    'Credential c1 is active.',
  ],
  ['credentials delete c1', 'DELETE credentials/c1', 'Credential c1 is deleted.'],
] as const)('runs %s by the call %s', async ([line, call, printed], { cli, calls }) => {
  const ended = await cli.run(...line.split(' '));
  const expected = typeof printed === 'string' ? printed : expect.stringMatching(printed);
  expect({ ...ended, stdout: ended.stdout.trimEnd() }).toEqual({
    exitCode: 0,
    stdout: expected,
    stderr: '',
  });
  expect(calls).toEqual([call]);
  // The same as JSON.
  const json = await cli.run(...line.split(' '), '--json');
  expect(json.stdout).toMatch(/^\{.*\}\n$/);
});

test.for([
  'orders update s1',
  'offers list --limit 0',
  'jobs list --limit 0',
  'returns propose r1 Maybe',
])('refuses %s before a call', async (line, { cli, stub }) => {
  expect(await cli.run(...line.split(' '))).toMatchObject({ exitCode: 2, stdout: '' });
  expect(stub.requests).toEqual([]);
});
