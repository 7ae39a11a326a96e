import { expect } from 'vitest';
import { newRecord, type RecordIds } from '../every-page.ts';
import { consoleTest } from '../console-fixture.ts';
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
  },
);

test('keeps an agreement whose preview is refused', async ({ admin, ids: { vendorId } }) => {
  const query = String(new URLSearchParams(agreement));
  const { statusCode, body } = await admin.open(`/console/vendors/${vendorId}/agreement?${query}`);
  expect(statusCode).toBe(400);
  expect(body).toMatch(
    /class="reason" open>[^]*value="PercentageOfSale" selected[^]*name="percent" aria-invalid="true" value="200"/,
  );
});
