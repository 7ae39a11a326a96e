import { expect } from 'vitest';
import { unknownId } from '../support/api/api.ts';
import { consoleTest as test } from './console-fixture.ts';
// What each role may open and send: a page shows it only that, and the API refuses the rest (D137).

test.for([
  ['/console/offers', ['reviewer', 'admin']],
  ['/console/returns', ['operations', 'admin']],
  ['/console/orders', ['operations', 'admin']],
  ['/console/catalogue', ['reviewer', 'operations', 'admin']],
  ['/console/webhooks', ['operations', 'admin']],
  ['/console/operators', ['admin']],
  ['/console/audit', ['admin']],
  ['/console/stuck', ['admin']],
] as const)(
  'opens %s to %s only, links to it for them only, and tells others the role that it needs',
  async ([path, roles], { reviewer, operations, admin }) => {
    for (const [role, { open }] of Object.entries({ reviewer, operations, admin })) {
      const isOpen = roles.some((each) => each === role);
      const opened = await open(path);
      expect(opened.statusCode, role).toBe(isOpen ? 200 : 403);
      const needed = new RegExp(`The role ${roles[0]} may do it`, 'i');
      expect(needed.test(opened.body), role).toBe(!isOpen);
      const { body } = await open('/console');
      expect(new RegExp(`href="${path}["?]`).test(body), role).toBe(isOpen);
    }
  },
);

const id = unknownId();
const deliveries = '/console/webhooks/deliveries';

test('opens no deliveries to a Reviewer', async ({ reviewer }) => {
  for (const url of [deliveries, `${deliveries}/${id}`])
    expect((await reviewer.open(url)).statusCode, url).toBe(403);
});

const off = { isActive: 'false' };
const operatorForms = [
  { act: 'create', operatorId: 'another', role: 'Admin' },
  { act: 'rotate-secret', id },
  { act: 'active', id, ...off },
];

test.for<readonly ['reviewer' | 'operations', string, Record<string, string>]>([
  ['reviewer', `/console/orders/ord_${id}/move`, { groupId: id, status: 'Packed' }],
  ['reviewer', `/console/orders/ord_${id}/assign`, { groupId: id, vendorId: id }],
  ['reviewer', `/console/catalogue/${id}/active`, off],
  ['reviewer', `${deliveries}/${id}/redeliver`, {}],
  ['operations', `/console/offers/${id}/approve`, {}],
  ['operations', `/console/catalogue/${id}/active`, off],
  ['operations', '/console/catalogue', { sku: 'S', brandName: 'B', productName: 'P', sizeMl: '5' }],
  ...operatorForms.flatMap((form) => [
    ['reviewer' as const, '/console/operators', form] as const,
    ['operations' as const, '/console/operators', form] as const,
  ]),
])('refuses the form that %s sends to %s: %j', async (row, { reviewer, operations }) => {
  const [role, url, form] = row;
  const { submit } = { reviewer, operations }[role];
  expect((await submit(url, form)).statusCode).toBe(403);
});
