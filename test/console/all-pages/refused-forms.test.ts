import { expect } from 'vitest';
import { approvedOffer, newParties } from '../../api/offers/offer-record.ts';
import { newOrderFixture } from '../../api/orders/order-fixture.ts';
import { newRecord, type RecordIds } from '../every-page.ts';
import { answerOf, consoleTest, failure, hiddenFieldsOf } from '../console-fixture.ts';
// A form that is refused: what is wrong stands in a summary, which has the focus, and at the field.

const test = consoleTest.extend('ids', { scope: 'file' }, ({ gateway }) =>
  newRecord(gateway, 'Text'),
);

type Refused = readonly [
  name: string,
  path: (ids: RecordIds) => string,
  form: Readonly<Record<string, string>>,
  field: string,
];

const variant = { sku: 'S-1', brandName: 'Kept', productName: 'P', sizeMl: 'large' };
const agreement = { pricingModel: 'PercentageOfSale', percent: '200' };

const forms: readonly Refused[] = [
  ['a variant', () => 'catalogue', variant, 'sizeMl'],
  ['a variant of an offer', ({ offerId }) => `offers/${offerId}/new-variant`, variant, 'sizeMl'],
  ['a vendor', () => 'vendors', { name: 'Kept', ...agreement }, 'percent'],
  [
    'an agreement',
    ({ vendorId }) => `vendors/${vendorId}/agreement`,
    { pricingModel: 'PercentageOfSale', percent: '15', confirmation: 'Other' },
    'confirmation',
  ],
  ['a credential', ({ vendorId }) => `vendors/${vendorId}/credentials`, {}, 'capabilities'],
  [
    'an operator',
    () => 'operators',
    { act: 'create', operatorId: ' ', role: 'Admin' },
    'operatorId',
  ],
  ['settings', () => 'settings', { timeZone: 'Asia/Atlantis', language: 'ar' }, 'timeZone'],
  [
    'a rejection',
    ({ offerId }) => `offers/${offerId}/reject`,
    { expectedVersion: '1', reason: ' ' },
    'reason',
  ],
  ['a note on an offer', ({ offerId }) => `offers/${offerId}/note`, { note: ' ' }, 'note'],
  ['a note on a return', ({ returnId }) => `returns/${returnId}/note`, { note: ' ' }, 'note'],
  ['a note on a vendor', ({ vendorId }) => `vendors/${vendorId}/note`, { note: ' ' }, 'note'],
  [
    'the outcome of a return',
    ({ returnId }) => `returns/${returnId}/decide`,
    { outcome: 'Rejected', status: 'UnderInspection', version: '1', reason: 'Kept' },
    'confirmed',
  ],
  ['many decisions', () => 'offers/many', { action: 'apply', count: '7', start: 'true' }, 'count'],
  ['a recipient', () => 'orders/recipient', { recipient: ' ' }, 'recipient'],
];

test.for(forms)(
  'keeps what was typed for %s, and says what is wrong at the field and in a summary',
  async ([, pathOf, form, field], { admin, ids }) => {
    const items = { items: `${ids.pricedId}.1`, shown: ids.pricedId, ticked: ids.pricedId };
    const path = `/console/${pathOf(ids)}`;
    const sent = path.endsWith('/many') ? { ...items, ...form } : form;
    const { statusCode, body } = await admin.submit(path, sent);
    expect([400, 409]).toContain(statusCode);
    expect(body).toMatch(/class="result" tabindex="-1" autofocus><div class="notice bad"/);
    const atField = body.slice(body.indexOf(`name="${field}"`));
    expect(atField).toMatch(/<span class="danger"><bdi>[^<]+/);
    const shown = [...body.matchAll(/(?:value="|<textarea[^>]*>)([^"<]+)/g)].map(
      ([, text]) => text,
    );
    const { version: _version, start: _start, ...fields } = form;
    const typed = Object.values(fields).filter((text) => text.trim() !== '');
    // The zone is none that can be chosen.
    expect(shown).toEqual(expect.arrayContaining(typed.filter((text) => text !== 'Asia/Atlantis')));
    // The address of the form is in the browser now, and can be opened.
    expect((await admin.open(path)).statusCode).not.toBe(404);
  },
);

test('leads by each search of a page with a refused form to a page', async ({
  gateway,
  admin,
  ids: { offerId },
}) => {
  const { take } = await newOrderFixture(gateway);
  const { orderGlobalId, groups } = await take({ sourcing: true });
  for (const [path, form] of [
    [`offers/${offerId}/approve`, { expectedVersion: '9' }],
    [
      `orders/${orderGlobalId}/assign`,
      { groupId: groups[0]?.groupId ?? '', vendorId: '', vendorName: 'Vendor' },
    ],
    ['webhooks/recover', { since: 'yesterday' }],
    ['orders/recipient', { recipient: ' ' }],
  ] as const) {
    const { body } = await admin.submit(`/console/${path}`, form);
    const [, main = ''] = body.split('<main');
    const searches = Array.from(main.matchAll(/<form[^>]*role="search"[^>]*>/g), ([tag]) => tag);
    expect(searches.length, path).toBeGreaterThan(0);
    for (const tag of searches) {
      const action = /action="([^"]+)"/.exec(tag)?.[1] ?? `/console/${path}`;
      expect((await admin.open(action)).statusCode, action).toBe(200);
    }
  }
});

const marked = (body: string): readonly (string | undefined)[] =>
  Array.from(body.matchAll(/name="(\w+)" aria-invalid="true"/g), ([, name]) => name);

test('marks only the field that was refused, in the form that was sent', async ({
  gateway,
  admin,
}) => {
  const added = await admin.submit('/console/catalogue', { ...variant, sizeMl: '', barcode: '12' });
  expect(added.statusCode).toBe(400);
  expect(marked(added.body)).toEqual(['barcode']);
  const searched = await admin.open('/console/catalogue?code=12');
  expect(marked(searched.body)).toEqual(['code']);
  const found = await admin.open(`/console/all-offers?vendorName=${'a'.repeat(256)}`);
  expect(marked(found.body)).toEqual(['vendorName']);
  // A live offer has two forms with a reason.
  const offer = `/console/offers/${await approvedOffer(await newParties(gateway))}`;
  const sent = { expectedVersion: '1', reason: ' ' };
  const suspended = await admin.submit(`${offer}/suspend`, sent);
  expect(marked(suspended.body)).toEqual(['reason']);
});

test.for([
  ['an order', ({ orderId }) => `orders/${orderId}/move`, 'trackingRef'],
  ['a vendor', ({ vendorId }) => `vendors/${vendorId}/note`, 'note'],
  ['a list of orders', () => 'orders/recipient', 'from'],
  ['operators', () => 'operators', 'operatorId'],
] as const satisfies readonly (readonly [string, (ids: RecordIds) => string, string])[])(
  'marks on the page of %s only the field of the form that was sent',
  async ([, pathOf, field], { gateway, admin, ids, intercept }) => {
    const [group] = await gateway.sql<{ id: string }[]>`
      select id from fulfilment_groups where order_id = ${ids.orderId.replace('ord_', '')}`;
    const path = apiNames[field] ?? `/${field}`;
    const errors = [{ field, path, code: 'too_long', message: 'is too long' }];
    const refused = { state: 'VALIDATION_ERRORS', payload: null, details: { errors } };
    intercept((options, call) =>
      options.method === 'GET' || (options.url as string).startsWith('/console')
        ? call()
        : Promise.resolve(answerOf(400, refused)),
    );
    const { body } = await admin.submit(`/console/${pathOf(ids)}`, {
      groupId: group?.id ?? '',
      status: 'Packed',
      act: 'create',
      note: 'Text',
      recipient: 'Name',
      from: '2026-11-20',
    });
    expect(marked(body)).toEqual([field]);
  },
);
const apiNames: Readonly<Record<string, string>> = { note: '/text' };

test('marks each of two fields that are refused at one time', async ({ admin }) => {
  const long = 'a'.repeat(256);
  const { body } = await admin.open(`/console/all-offers?text=${long}&vendorName=${long}`);
  expect(marked(body)).toEqual(['text', 'vendorName']);
});

test('keeps an agreement whose preview is refused', async ({ admin, ids: { vendorId } }) => {
  const query = String(new URLSearchParams(agreement));
  const { statusCode, body } = await admin.open(`/console/vendors/${vendorId}/agreement?${query}`);
  expect(statusCode).toBe(400);
  expect(body).toMatch(
    /class="reason" open>[^]*value="PercentageOfSale" selected[^]*name="percent" aria-invalid="true" value="200"/,
  );
});

test('keeps what was typed while the page of the form cannot be read either', async ({
  reviewer,
  ids: { offerId },
  intercept,
}) => {
  intercept(({ url }, call) =>
    (url as string).startsWith('/operator/') ? Promise.resolve(failure(504)) : call(),
  );
  const path = `/console/offers/${offerId}`;
  const form = { expectedVersion: '1', reason: 'No <b>invoice</b>.' };
  const { statusCode, body } = await reviewer.submit(`${path}/reject`, form);
  expect(statusCode).toBe(504);
  expect(hiddenFieldsOf(body, '/reject')).toMatchObject({
    expectedVersion: '1',
    reason: expect.stringContaining('invoice'),
  });
  expect(body).toContain('<bdi>No &lt;b&gt;invoice&lt;/b&gt;.</bdi>');
  expect(body).toContain(`<a href="${path}">`);
  // A page that is only read has nothing to send.
  expect((await reviewer.open(path)).body).not.toContain('Send the form');
});
