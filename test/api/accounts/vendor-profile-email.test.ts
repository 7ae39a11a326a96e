import { expect } from 'vitest';
import { newVendor, type TestVendor } from '../support/actors.ts';
import { call, fieldErrorsOf, type Call, type Gateway } from '../support/api.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
// What is an e-mail address, and how long it and a name may be (D55).

const test = gatewayTest.extend('vendor', ({ gateway }) => newVendor(gateway));

const url = '/api/v1/vendor/profile';
const read = (gateway: Gateway, vendor: TestVendor, { token } = vendor) =>
  call(gateway, 'GET', url, { token });
const update = (gateway: Gateway, vendor: TestVendor, body: Call['body'], { token } = vendor) =>
  call(gateway, 'PATCH', url, { token, body });

/** An address of so many characters, of labels that are no longer than names may have. */
const addressOf = (length: number) =>
  `${'l'.repeat(10)}@${`${'d'.repeat(59)}.`.repeat(4)}`.padEnd(length, 'e');

test.for([
  'a@b',
  'first.last@vendor.example',
  'first+tag@sub.vendor.example',
  "o'brien_9@vendor-co.example",
  'A@B.EXAMPLE',
  addressOf(254),
])('%s is an e-mail address, kept as it was sent', async (contactEmail, { gateway, vendor }) => {
  expect(await update(gateway, vendor, { contactEmail })).toMatchObject({
    status: 200,
    payload: { contactEmail },
  });
  const rows = await gateway.sql`select contact_email from vendors where id = ${vendor.vendorId}`;
  expect(rows).toEqual([{ contactEmail }]);
});

test.for([
  'x',
  '@',
  'a@',
  '@b.example',
  'a b@c.example',
  ' a@b.example',
  'a@b.example ',
  'a@b.example,c@d.example',
  'a@@b.example',
  'a@b..example',
  'a@-b.example',
  'Someone <a@b.example>',
  'mailto:a@b.example',
  'a@b.example\r\nBcc: c@d.example',
  'a@b.example\n',
])(
  '%j is no e-mail address: 400, and the one that is stored stays',
  async (contactEmail, { gateway, vendor }) => {
    await update(gateway, vendor, { contactEmail: 'kept@vendor.example' });
    const answer = await update(gateway, vendor, { contactEmail });
    expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
    expect(fieldErrorsOf(answer)).toEqual(['ContactEmail invalid_email']);
    expect((await read(gateway, vendor)).payload).toMatchObject({
      contactEmail: 'kept@vendor.example',
    });
  },
);

test('a name has at most 255 code points, an address 254: one more is too long', async ({
  gateway,
  vendor,
}) => {
  for (const name of ['x'.repeat(255), '😀'.repeat(255)]) {
    expect(await update(gateway, vendor, { name })).toMatchObject({
      status: 200,
      payload: { name },
    });
  }
  expect(addressOf(255)).toHaveLength(255);
  expect(fieldErrorsOf(await update(gateway, vendor, { contactEmail: addressOf(255) }))).toContain(
    'ContactEmail too_long',
  );
  expect((await read(gateway, vendor)).payload).toMatchObject({ contactEmail: null });
});
