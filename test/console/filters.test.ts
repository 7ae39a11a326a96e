import { expect } from 'vitest';
import { unknownId } from '../support/api/api.ts';
import { consoleTest as test, shows } from './console-fixture.ts';
// A filter that the API refuses: its page stays, with what was typed.

const long = 'x'.repeat(300);

test.for([
  ['/console/offers', 'vendorId', 'nothing'],
  ['/console/offers', 'brand', long],
  ['/console/catalogue', 'q', long],
  ['/console/catalogue', 'code', 'nothing'],
  ['/console/vendors', 'q', long],
  ['/console/orders', 'vendorId', 'nothing'],
  ['/console/orders', 'from', '2026-02-31'],
  ['/console/orders', 'orderGlobalId', '../doctor'],
  ['/console/orders', 'reference', long],
  ['/console/all-offers', 'text', long],
  ['/console/returns', 'number', 'nothing'],
  ['/console/webhooks', 'vendorId', 'nothing'],
  ['/console/webhooks/deliveries', 'vendorId', 'nothing'],
  ['/console/audit', 'subjectId', 'nothing'],
  ['/console/audit', 'operatorId', long],
  ['/console/orders', 'vendorName', long],
  ['/console/webhooks', 'vendorName', long],
  ['/console/returns', 'vendorName', long],
  ['/console/all-offers', 'vendorName', long],
] as const)('shows the page %s again with %s=%s', async ([path, name, typed], { admin }) => {
  const response = await admin.open(`${path}?${name}=${encodeURIComponent(typed)}`);
  expect(response).toMatchObject(shows(400, '<nav class="side"'));
  expect(response.body).toMatch(new RegExp(`value="${typed}"`));
  expect(response.body).toMatch(/role="alert">\s*The request is not valid\./);
  // Beside the field.
  expect(response.body).toMatch(/<form class="filter"[^]*<span class="danger">[^]*<\/form>/);
  expect(response.body).not.toContain('Nothing has this filter.');
});

test('says in both languages that the first day is after the last one', async ({ admin }) => {
  for (const page of ['orders', 'audit']) {
    const url = `/console/${page}?from=2026-12-02&to=2026-12-01`;
    const expected = /role="alert">\s*The request is not valid\. <bdi>an instant at or before/;
    expect(await admin.open(url)).toMatchObject(shows(400, expected));
    const inArabic = await admin.open(url, { 'accept-language': 'ar' });
    expect(inArabic).toMatchObject(shows(400, /role="alert">[^<]*<bdi>[^<]*بعد تاريخ النهاية/));
  }
});

test.for(['orders', 'webhooks', 'webhooks/deliveries'])(
  'shows %s by a vendor that does not exist as an empty list',
  async (page, { admin }) => {
    const vendorId = unknownId();
    const response = await admin.open(`/console/${page}?vendorId=${vendorId}`);
    expect(response).toMatchObject(shows(200, `<option value="${vendorId}" selected>`));
  },
);

test.for(['1e21', '99999999999999999999', '-5', 'x'])(
  'shows the page %s of each list',
  async (page, { admin }) => {
    for (const path of ['offers', 'orders', 'vendors', 'catalogue', 'audit', 'operators'])
      expect((await admin.open(`/console/${path}?page=${page}`)).statusCode).toBe(200);
  },
);

test('prefills no form that changes something from an address', async ({ admin }) => {
  const planted = 'name=planted&operatorId=planted&role=Admin&reason=planted&sku=planted';
  for (const path of ['vendors', 'operators', 'catalogue', 'offers/many?scope=all&action=reject'])
    expect(
      (await admin.open(`/console/${path}${path.includes('?') ? '&' : '?'}${planted}`)).body,
    ).not.toMatch(/value="planted"|>planted<|value="Admin" selected/);
});

test('repeats no claim of another site that something was decided', async ({ admin }) => {
  const claim = `/console/offers?done=approve&last=${unknownId()}`;
  const from = (site: string) => admin.open(claim, { 'sec-fetch-site': site });
  expect((await from('same-origin')).body).toContain('Approved.');
  for (const site of ['cross-site', 'same-site', 'none'])
    expect((await from(site)).body).not.toContain('Approved.');
});
