import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newVendor, type TestVendor } from '../support/actors.ts';
import { call, fieldErrorsOf, startGateway, type Call, type Gateway } from '../support/api.ts';

// What is an e-mail address, and how long it and a name may be (D55).

let gateway: Gateway;
let vendor: TestVendor;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  vendor = await newVendor(gateway);
});
afterAll(() => gateway.close());

const url = '/api/v1/vendor/profile';
const read = ({ token } = vendor) => call(gateway, 'GET', url, { token });
const update = (body: Call['body'], { token } = vendor) =>
  call(gateway, 'PATCH', url, { token, body });

/** An address of so many characters, of labels that are no longer than names may have. */
const addressOf = (length: number) =>
  `${'l'.repeat(10)}@${`${'d'.repeat(59)}.`.repeat(4)}`.padEnd(length, 'e');

test.each([
  'a@b',
  'first.last@vendor.example',
  'first+tag@sub.vendor.example',
  "o'brien_9@vendor-co.example",
  'A@B.EXAMPLE',
  addressOf(254),
])('%s is an e-mail address, kept as it was sent', async (contactEmail) => {
  expect(await update({ contactEmail })).toMatchObject({ status: 200, payload: { contactEmail } });
  const rows = await gateway.sql`select contact_email from vendors where id = ${vendor.vendorId}`;
  expect(rows).toEqual([{ contactEmail }]);
});

test.each([
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
])('%j is no e-mail address: 400, and the one that is stored stays', async (contactEmail) => {
  await update({ contactEmail: 'kept@vendor.example' });
  const answer = await update({ contactEmail });
  expect(answer).toMatchObject({ status: 400, state: 'VALIDATION_ERRORS' });
  expect(fieldErrorsOf(answer)).toEqual(['ContactEmail invalid_email']);
  expect((await read()).payload).toMatchObject({ contactEmail: 'kept@vendor.example' });
});

test('a name has at most 255 code points, an address 254: one more is too long', async () => {
  for (const name of ['x'.repeat(255), '😀'.repeat(255)]) {
    expect(await update({ name })).toMatchObject({ status: 200, payload: { name } });
  }
  expect(addressOf(255)).toHaveLength(255);
  expect(fieldErrorsOf(await update({ contactEmail: addressOf(255) }))).toContain(
    'ContactEmail too_long',
  );
  expect((await read()).payload).toMatchObject({ contactEmail: null });
});
